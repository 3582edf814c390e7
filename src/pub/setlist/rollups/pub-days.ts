import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { pubDayEnd, pubDayOf } from '#pub/pub-day.ts';

/** The pub day of an evening, `2026-11-21`. Evenings are counted in days from 1970-01-01, so that they can be reckoned with. */
export const dayOf = (night: number): string => isoTime(night * DAY).slice(0, 10);

/** The number of an evening by its pub day. */
export const nightOf = (day: string): number => Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY);

/** The evening that a moment belongs to. */
export const nightAt = (at: number, zone: string): number => nightOf(pubDayOf(at, zone));

/** 0 is Sunday. */
export const weekdayOf = (night: number): number => (((night + 4) % 7) + 7) % 7;

export const yearOf = (night: number): number => Number(dayOf(night).slice(0, 4));

/** When an evening begins and ends, in milliseconds; the end belongs to the next one. */
export function boundsOf(night: number, zone: string): { from: number; to: number } {
  return { from: pubDayEnd(dayOf(night - 1), zone), to: pubDayEnd(dayOf(night), zone) };
}

/** Tells the local hour, 0 to 23, of moments between two others. */
export function hourReader(from: number, to: number, zone: string): (at: number) => number {
  const offsetAt = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
  const offset = offsetAt(from);
  // Only in a night when the clocks change does each moment have to be looked at.
  const steady = offset === offsetAt(to);
  return (at) => Math.floor((at + (steady ? offset : offsetAt(at))) / HOUR) % 24;
}

/** From 23:00 until the evening ends at 5. */
export const isLate = (hour: number): boolean => hour >= 23 || hour < 5;
