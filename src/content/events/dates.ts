import { daysAfter, hasDate, listDates } from '#content/recurrence/dates.ts';
import { localDate } from '#kernel/local-time.ts';
import { changeOf, type EventBody, spanOf, type WallSpan } from './body.ts';
import { stampOfDate } from './stamp.ts';
import { resolveSpan, type Span } from './times.ts';

/** One occurrence of an event. */
export interface EventDate extends Span {
  /** The local date that identifies it in the series, even when it was moved. */
  original: string;
  /** In wall-clock time of the event's zone. */
  wall: WallSpan;
  title: string;
  place: string;
  note: string;
  cancelled: boolean;
  /** Whether it differs from its series. */
  changed: boolean;
  /** When data that calendars show of it last changed, in milliseconds. */
  stamp: number;
}

/**
 * Returns the dates of an event that begin from `from` to `until` (local dates, both inclusive), ordered by start.
 * Skipped dates are left out; moved dates count where they were moved to.
 */
export function listEventDates(body: EventBody, from: string, until: string, house: string): EventDate[] {
  return originalsFor(body, from, until)
    .filter((original) => changeOf(body, original)?.as !== 'skipped')
    .map((original) => toEventDate(body, original, house))
    .filter(({ wall }) => wall.date >= from && wall.date <= until)
    .sort((a, b) => a.start - b.start || (a.original < b.original ? -1 : 1));
}

/** Days to look ahead, one after the other: most series have a date within weeks, and a leap day is years away. */
const AHEAD = [45, 400, 4_000] as const;

/** Returns the date that is on now or comes next, a cancelled one only if no other follows; undefined once all are over. */
export function nextDate(
  body: EventBody,
  { now, zone }: { now: number; zone: string },
): EventDate | undefined {
  const today = localDate(now, zone);
  const longest = Math.max(
    body.end_days,
    ...Object.values(body.changes).map(({ end_days }) => end_days ?? 0),
  );
  let cancelled: EventDate | undefined;
  for (const until of body.rule === null ? ['9999-12-31'] : AHEAD.map((days) => daysAfter(today, days))) {
    const dates = listEventDates(body, daysAfter(today, -longest - 1), until, zone);
    const coming = dates.filter(({ end }) => end > now);
    const next = coming.find((one) => !one.cancelled);
    if (next) return next;
    cancelled ??= coming[0];
    if (body.cancelled && cancelled) break;
  }
  return cancelled;
}

/** Whether a series has a date with this original date, skipped and moved ones included. */
export const isDateOf = (body: EventBody, original: string): boolean => hasDate(body, original);

/** Returns the dates of changes that are not dates of the series. */
export function unfitChanges(body: EventBody): string[] {
  const named = Object.keys(body.changes).sort();
  const [first = '', last = ''] = [named[0], named.at(-1)];
  const dates = new Set(named.length > 0 ? listDates(body, first, last) : []);
  return named.filter((date) => !dates.has(date));
}

export function toEventDate(body: EventBody, original: string, house: string): EventDate {
  const change = changeOf(body, original);
  const wall = spanOf(body, original, change);
  return {
    original,
    wall,
    ...resolveSpan(wall, body.zone ?? house, house),
    title: change?.title ?? body.title,
    place: change?.place ?? body.place,
    note: change?.note ?? '',
    cancelled: body.cancelled || change?.as === 'cancelled',
    changed: change !== undefined,
    stamp: stampOfDate(body, original),
  };
}

/** Returns the original dates in the window, and enough around it to include those moved into it. */
function originalsFor(body: EventBody, from: string, until: string): string[] {
  const movedIn = Object.entries(body.changes)
    .filter(([, { date }]) => date !== undefined && date >= from && date <= until)
    .map(([original]) => original)
    .sort();
  const first = movedIn[0] ?? from;
  const last = movedIn.at(-1) ?? until;
  return listDates(body, first < from ? first : from, last > until ? last : until);
}
