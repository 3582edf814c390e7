import { HOUR } from '#kernel/clock.ts';
import { localDate, startOfDate } from '#kernel/local-time.ts';

/** How long an evening continues into the next date. */
const INTO_THE_NIGHT = 5 * HOUR;

/** Returns the local date of the evening that a moment belongs to: 1:30 at night belongs to the day before. */
export function pubDayOf(at: number, zone: string): string {
  return localDate(at - INTO_THE_NIGHT, zone);
}

/** Returns the end of an evening in milliseconds: the first moment that `pubDayOf` assigns to the next one. */
export function pubDayEnd(day: string, zone: string): number {
  return (startOfDate(day, zone, 1) ?? 0) + INTO_THE_NIGHT;
}

/** Five in the morning of a local date by the clock, also on days on which it changes, in milliseconds. */
export const morningOf = (date: string, zone: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone, plainTime: '05:00' }).epochMilliseconds;

/** The next five in the morning after a moment, by the clock. */
export function nextMorning(at: number, zone: string): number {
  const date = localDate(at, zone);
  const morning = morningOf(date, zone);
  return morning > at ? morning : morningOf(Temporal.PlainDate.from(date).add({ days: 1 }).toString(), zone);
}
