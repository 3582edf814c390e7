import type { Program } from '#calendar/feed/programme.ts';
import { HOUR } from '#kernel/clock.ts';
import { t } from '#kernel/language/message.ts';
import {
  atLineStart,
  formatDate,
  formatDay,
  formatTime,
  onPage,
  spanOnPage,
  timeInWords,
} from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';

/**
 * The times of a program under the date `day`, at the start of a line: `7 PM – 10 PM`, `All day`, `Until Sun, Dec 6`;
 * without an end `From 7 PM`, `Since Sat, Dec 5, 7:00 PM`.
 */
export function formatTimes(program: Program, day: string, zone: string): Words {
  const { start, end, allDay, openEnded } = program;
  const began = localDate(start, zone) < day;
  if (openEnded)
    return began
      ? t('calendar.times.since', { when: dayAndTime(start, zone) })
      : t('calendar.times.from', { time: onPage(timeInWords(start, zone)) });
  const lastDay = localDate(end - 1, zone);
  if (allDay)
    return lastDay === day
      ? t('calendar.times.all_day')
      : t('calendar.times.until', { when: formatDay(end - 1, zone) });
  if (began) return t('calendar.times.until', { when: formatEnd(end, day, zone) });
  return atLineStart(formatSpan(program, day, zone));
}

/** The start and the end of a program that begins on `day`, in a sentence: `7 PM – 10 PM`, `noon – 2 PM`. */
export function formatSpan({ start, end }: Program, day: string, zone: string): Words {
  // An event of at most 12 hours counts as one evening, even when it ends after midnight.
  const night = end - start <= 12 * HOUR ? day : localDate(end, zone);
  const [first, last] =
    night === day
      ? spanOnPage(start, end, zone)
      : [onPage(timeInWords(start, zone)), formatEnd(end, day, zone)];
  return t('calendar.times.span', { start: first, end: last });
}

const formatEnd = (end: number, day: string, zone: string): Words =>
  localDate(end, zone) === day ? timeInWords(end, zone) : dayAndTime(end, zone);

const dayAndTime = (at: number, zone: string): Words =>
  t('common.time.day_and_time', { day: formatDay(at, zone), time: formatTime(at, zone) });

/** Formats a date: `Saturday, December 5`, with its year where that is not the year of `today`. */
export const formatLongDate = (day: string, today: string): Words =>
  formatDate(day, { weekday: 'long', month: 'long', day: 'numeric', ...yearOf(day, today) });

/** The same, shorter: `Sat, Dec 5`. */
export const formatShortDate = (day: string, today: string): Words =>
  formatDate(day, { weekday: 'short', month: 'short', day: 'numeric', ...yearOf(day, today) });

const yearOf = (day: string, today: string): Intl.DateTimeFormatOptions =>
  day.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' };
