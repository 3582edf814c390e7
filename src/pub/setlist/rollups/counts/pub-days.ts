import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { pubDayEnd, pubDayOf } from '#pub/pub-day.ts';

/** The pub day of an evening, `2026-11-21`. An evening is a number: the days from 1970-01-01 to its pub day. */
export const formatNight = (night: number): string => isoTime(night * DAY).slice(0, 10);

/** The number of an evening by its pub day. */
export const parseNight = (day: string): number => Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY);

/** The evening that a moment belongs to. */
export const nightAt = (at: number, zone: string): number => parseNight(pubDayOf(at, zone));

/** 0 is Sunday. */
export const weekdayOfNight = (night: number): number => (((night + 4) % 7) + 7) % 7;

export const yearOfNight = (night: number): number => Number(formatNight(night).slice(0, 4));

/** When an evening begins and ends, in milliseconds; the end is exclusive. */
export function nightBounds(night: number, zone: string): { from: number; to: number } {
  return { from: pubDayEnd(formatNight(night - 1), zone), to: pubDayEnd(formatNight(night), zone) };
}

/** Makes a function that finds the local hour, 0 to 23, of a moment from `from` to `to`. */
export function createHourReader(from: number, to: number, zone: string): (at: number) => number {
  const offsetAt = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
  const offset = offsetAt(from);
  // The offset is looked up for each moment only in a night when the clocks change.
  const steady = offset === offsetAt(to);
  return (at) => Math.floor((at + (steady ? offset : offsetAt(at))) / HOUR) % 24;
}

/** From 23:00 until the evening ends at 5. */
export const isLate = (hour: number): boolean => hour >= 23 || hour < 5;
