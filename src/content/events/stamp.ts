import { isDeepStrictEqual } from 'node:util';
import { changeOf, type EventBody, isSeries } from './body.ts';

/**
 * Records when data that calendars show last changed, for the event and for each changed date. A stamp never goes down:
 * removing the change of a date counts as a change of the whole series.
 * @param before the previous version; undefined for a new record, which may bring its own stamps
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

/** Returns when a date last changed, in milliseconds. */
export const stampOfDate = ({ stamps }: EventBody, date: string): number =>
  Math.max(stamps?.all ?? 0, (stamps && Object.hasOwn(stamps.dates, date) ? stamps.dates[date] : 0) ?? 0);

/** Leaves out which dates a series has: each is its own entry in a calendar, so this does not affect the others. */
function mattersOf(body: EventBody): unknown[] {
  const { title, place, description, url, zone, date, time, end_time, end_days, cancelled } = body;
  const ofDay = isSeries(body) ? null : date;
  return [title, place, description, url, zone, ofDay, time, end_time, end_days, cancelled];
}

/** Returns a copy without keys whose value is undefined. */
const plain = (change: object | undefined) => change && JSON.parse(JSON.stringify(change));
