import { HOUR } from '#kernel/clock.ts';
import { localDate, startOfDate } from '#kernel/local-time.ts';
import type { WorkspacePage } from './client.ts';
import { endOf, isDateOnly, type RECORDS, readDate, readNumber, startOf } from './records.ts';

/** Longest plausible duration; more hours are a typing error. */
const LONGEST_HOURS = 24;

/** The longest that an event without an end is held to last, in milliseconds. */
export const OPEN_END = 4 * HOUR;

/**
 * The times of an event or a programme's entry, in milliseconds. It ends by its end property, else the range's end,
 * else its hours; without any of these its end is open. All-day ones last to the midnight after their last day.
 * Undefined when the start cannot be read.
 */
export function readEventTimes(
  page: WorkspacePage,
  of: typeof RECORDS.event | typeof RECORDS.program,
  zone: string,
): { start: number; end: number; allDay: boolean; openEnded?: true } | undefined {
  const date = readDate(page, of.start);
  const start = date && startOf(date.start, zone);
  if (!date || start === undefined) return undefined;
  const own = readDate(page, of.end);
  const ends = [own && endOf(own.end ?? own.start, zone), endOf(date.end, zone)];
  if (isDateOnly(date.start)) {
    const end = ends.find((at) => at !== undefined && at > start) ?? start + 1;
    return { start, end: startOfDate(localDate(end - 1, zone), zone, 1) ?? end, allDay: true };
  }
  const hours = readNumber(page, of.hours) ?? 0;
  if (hours > 0 && hours <= LONGEST_HOURS) ends.push(Math.round(start + hours * HOUR));
  // An end that is not after the start is a typing error.
  const end = ends.find((at) => at !== undefined && at > start);
  if (end !== undefined) return { start, end, allDay: false };
  return { start, end: start + OPEN_END, allDay: false, openEnded: true };
}
