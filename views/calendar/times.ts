import type { Program } from '#calendar/feed/programme.ts';
import { HOUR } from '#kernel/clock.ts';
import {
  formatDate,
  formatDay,
  formatTime,
  localDate,
  onPage,
  spanOnPage,
  timeInWords,
} from '#kernel/local-time.ts';

/**
 * Formats the times of a program under the date `day`: `7 PM – 10 PM`, `All day`, `Until Sun, Dec 6`; without an end
 * `from 7 PM`, `since Sat, Dec 5, 7:00 PM`.
 */
export function formatTimes(program: Program, day: string, zone: string): string {
  const { start, end, allDay, openEnded } = program;
  if (openEnded)
    return localDate(start, zone) < day
      ? `since ${formatDay(start, zone)}, ${formatTime(start, zone)}`
      : `from ${onPage(timeInWords(start, zone))}`;
  const lastDay = localDate(end - 1, zone);
  if (allDay) return lastDay === day ? 'All day' : `Until ${formatDay(end - 1, zone)}`;
  if (localDate(start, zone) < day) return `Until ${formatEnd(end, day, zone)}`;
  // An event of at most 12 hours counts as one evening, even when it ends after midnight.
  const night = end - start <= 12 * HOUR ? day : localDate(end, zone);
  if (night === day) return spanOnPage(start, end, zone).join(' – ');
  return `${onPage(timeInWords(start, zone))} – ${formatEnd(end, day, zone)}`;
}

function formatEnd(end: number, day: string, zone: string): string {
  return localDate(end, zone) === day
    ? timeInWords(end, zone)
    : `${formatDay(end, zone)}, ${formatTime(end, zone)}`;
}

/** Formats a date: `Saturday, December 5`, with its year where that is not the year of `today`. */
export const formatLongDate = (day: string, today: string): string =>
  formatDate(day, { weekday: 'long', month: 'long', day: 'numeric', ...yearOf(day, today) });

/** The same, shorter: `Sat, Dec 5`. */
export const formatShortDate = (day: string, today: string): string =>
  formatDate(day, { weekday: 'short', month: 'short', day: 'numeric', ...yearOf(day, today) });

const yearOf = (day: string, today: string): Intl.DateTimeFormatOptions =>
  day.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' };
