import { WEEKDAYS, type Weekday } from '#content/kinds/fields.ts';
import { datesFrom, momentsOf } from '#content/opening-hours.ts';
import { DAY } from '#kernel/clock.ts';
import { addDays, localDate, startOfDate } from '#kernel/local-time.ts';

/** When an announcement of the club's own is shown. Times in milliseconds; null: no limit. */
export interface Showing {
  from: number | null;
  until: number | null;
  /** None: every day. */
  days: readonly Weekday[];
  /** Local times; an end that is not after the start is on the next day. */
  between: { from: string; to: string } | null;
}

/** Half-open, in milliseconds. */
export type Window = readonly [start: number, end: number];

/** Where there is no limit: screens compare with them. */
const [FIRST, LAST] = [0, 253_402_300_799_000];
/** Windows are given for yesterday and so many days more, which are at least 48 hours from now on. */
const DAYS_GIVEN = 4;

/**
 * The windows in which it is shown, in absolute times. They change once a day at most, at local midnight, so that a
 * screen that compares what it is given sees the same.
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

/** Whether a window begins soon enough to tell screens of it now. */
export function beginsSoon(windows: readonly Window[], now: number): boolean {
  return windows.some(([start]) => start > now && start < now + 3 * DAY);
}

export const isWithin = (windows: readonly Window[], now: number): boolean =>
  windows.some(([start, end]) => now >= start && now < end);
