import { datesFrom, momentsOf } from '#content/opening-hours.ts';
import { WEEKDAYS, type Weekday } from '#content/records/fields.ts';
import { DAY } from '#kernel/clock.ts';
import { addDays, localDate, startOfDate } from '#kernel/local-time.ts';

/** When one of the club's own announcements is shown. Times in milliseconds; null means no limit. */
export interface Showing {
  from: number | null;
  until: number | null;
  /** Empty means every day. */
  days: readonly Weekday[];
  /** Local times; an end that is not after the start is on the next day. */
  between: { from: string; to: string } | null;
}

/** A half-open interval in milliseconds. */
export type Window = readonly [start: number, end: number];

/** Stand for "no limit" in windows, because screens compare times. */
const [FIRST, LAST] = [0, 253_402_300_799_000];
/** For how many days windows are computed, from yesterday on: they cover at least the next 48 hours. */
const DAYS_GIVEN = 4;

/**
 * Returns the windows in which an announcement is shown, in absolute times. They change at most once a day, at local
 * midnight, so that a screen that compares slides does not see a change at each request.
 * @returns undefined when it is always shown
 */
export function windowsOf(
  { from, until, days, between }: Showing,
  now: number,
  zone: string,
): Window[] | undefined {
  const [first, last] = [from ?? FIRST, until ?? LAST];
  if (days.length === 0 && between === null)
    return from === null && until === null ? undefined : last > first ? [[first, last]] : [];
  const yesterday = localDate(addDays(now, -1, zone), zone);
  return datesFrom(yesterday, DAYS_GIVEN).flatMap((date): Window[] => {
    const weekday = WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? 'mon';
    if (days.length > 0 && !days.includes(weekday)) return [];
    const { opens, closes } = between
      ? momentsOf(date, { opens: between.from, closes: between.to }, zone)
      : { opens: startOfDate(date, zone) ?? FIRST, closes: startOfDate(date, zone, 1) ?? LAST };
    const window: Window = [Math.max(opens, first), Math.min(closes, last)];
    return window[1] > window[0] ? [window] : [];
  });
}

/** Whether a window begins within three days: screens get it in advance, to show it even without a network. */
export function beginsSoon(windows: readonly Window[], now: number): boolean {
  return windows.some(([start]) => start > now && start < now + 3 * DAY);
}

export const isWithin = (windows: readonly Window[], now: number): boolean =>
  windows.some(([start, end]) => now >= start && now < end);
