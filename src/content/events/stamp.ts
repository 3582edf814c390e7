import { isDeepStrictEqual } from 'node:util';
import { changeOf, type EventBody, isSeries } from './body.ts';

/**
 * Notes when what matters to a calendar was changed last: of the event, and of each date that differs. A stamp never
 * goes down: whoever takes the change of a date back has changed the series.
 * @param before the version that this one follows; undefined for a new record, which may bring stamps of its own
 */
export function stampEvent(body: EventBody, before: EventBody | undefined, now: number): EventBody {
  const known = before?.stamps ?? (before ? null : body.stamps);
  const stampOf = (stamp: number | undefined) => Math.min(stamp ?? now, now);
  const isAsBefore = (date: string) =>
    !before || isDeepStrictEqual(plain(changeOf(body, date)), plain(changeOf(before, date)));
  const takenBack = Object.keys(before?.changes ?? {}).some((date) => changeOf(body, date) === undefined);
  const same = !before || (!takenBack && isDeepStrictEqual(mattersOf(body), mattersOf(before)));
  const dates = Object.keys(body.changes).map((date) => [
    date,
    isAsBefore(date) ? stampOf(known?.dates[date]) : now,
  ]);
  return { ...body, stamps: { all: same ? stampOf(known?.all) : now, dates: Object.fromEntries(dates) } };
}

/** When a date was changed last, in milliseconds. */
export const stampOfDate = ({ stamps }: EventBody, date: string): number =>
  Math.max(stamps?.all ?? 0, (stamps && Object.hasOwn(stamps.dates, date) ? stamps.dates[date] : 0) ?? 0);

/** The dates of a series are records of their own in a calendar: which there are does not matter to the others. */
function mattersOf(body: EventBody): unknown[] {
  const { title, place, description, url, zone, date, time, end_time, end_days, cancelled } = body;
  const ofDay = isSeries(body) ? null : date;
  return [title, place, description, url, zone, ofDay, time, end_time, end_days, cancelled];
}

/** Without keys that hold nothing. */
const plain = (change: object | undefined) => change && JSON.parse(JSON.stringify(change));
