import { isDeepStrictEqual } from 'node:util';
import { type DateChange, type EventBody, isSeries } from './body.ts';

/**
 * Notes when what matters to a calendar was changed last: of the event, and of each date that differs. A stamp never
 * goes down: whoever takes the change of a date back has changed the series.
 * @param before the version that this one follows; undefined for a new record, which may bring stamps of its own
 */
export function stampEvent(body: EventBody, before: EventBody | undefined, now: number): EventBody {
  const own = (stamp: number | null | undefined) => Math.min(stamp ?? now, now);
  if (!before) {
    const changes = mapChanges(body, (change) => own(change.stamp));
    return { ...body, stamp: own(body.stamp), changes };
  }
  const takenBack = Object.keys(before.changes).some((date) => !Object.hasOwn(body.changes, date));
  const same = !takenBack && isDeepStrictEqual(mattersOf(body), mattersOf(before));
  const changes = mapChanges(body, (change, date) => {
    const was = Object.hasOwn(before.changes, date) ? before.changes[date] : undefined;
    return was && isDeepStrictEqual(withoutStamp(was), withoutStamp(change)) ? own(was.stamp) : now;
  });
  return { ...body, stamp: same ? own(before.stamp) : now, changes };
}

/** The dates of a series are records of their own in a calendar: which there are does not matter to the others. */
function mattersOf(body: EventBody): unknown[] {
  const { title, place, description, url, zone, date, time, end_time, end_days, cancelled } = body;
  const ofDay = isSeries(body) ? null : date;
  return [title, place, description, url, zone, ofDay, time, end_time, end_days, cancelled];
}

function mapChanges(
  { changes }: EventBody,
  stampOf: (change: DateChange, date: string) => number,
): EventBody['changes'] {
  const entries = Object.entries(changes).map(([date, change]) => [
    date,
    { ...change, stamp: stampOf(change, date) },
  ]);
  return Object.fromEntries(entries);
}

function withoutStamp({ stamp: _stamp, ...rest }: DateChange): unknown {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
}
