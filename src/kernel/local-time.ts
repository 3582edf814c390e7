import { DAY } from './clock.ts';
import { t } from './language/message.ts';
import type { Words } from './language/words.ts';
import { hasTwelveHours, perLocale, readerNow } from './locale.ts';

/**
 * The opening and the close of what a person opens and closes: after any time that the clock reaches. They are shown in
 * words.
 */
export const OPENED_BY_CHAIR = Temporal.Instant.from('9999-12-30T00:00:00Z').epochMilliseconds;
export const CLOSED_BY_CHAIR = Temporal.Instant.from('9999-12-31T00:00:00Z').epochMilliseconds;

const BY_CHAIR: ReadonlyMap<number, Words> = new Map([
  [OPENED_BY_CHAIR, t('common.time.when_chair_opens')],
  [CLOSED_BY_CHAIR, t('common.time.when_chair_closes')],
]);

/** A text for the reader who is being written for, else in the club's language. */
const said = (text: Words): string => text.for(readerNow());

const byChair = (at: number): string | undefined => {
  const words = BY_CHAIR.get(at);
  return words && said(words);
};

/**
 * Formats an instant for people, in en-US `Sat, Nov 21, 2026, 11:59 PM New York time`. If a clock change repeats the
 * time, the text says which of the two it is.
 */
export function formatWhen(at: number, zone: string): string {
  const words = byChair(at);
  if (words !== undefined) return words;
  const which = whichOfTwo(at, zone);
  return said(t('common.time.with_zone', { when: formatShort(at, zone), zone: zoneName(zone), which }));
}

/** The name of a zone for people, `New York time`. */
export function zoneName(zone: string): string {
  const place = zone.split('/').at(-1) ?? zone;
  return place === 'UTC' ? place : said(t('common.time.zone', { place: place.replaceAll('_', ' ') }));
}

/** The same with its IANA name and its offset at an instant, `New York time (America/New_York, UTC−5)`. */
export function zoneInFull(at: number, zone: string): string {
  return `${zoneName(zone)} (${zone}, ${utcOffset(at, zone)})`;
}

/** Like `formatWhen` but without the zone, for pages that have named it already. */
export function formatShort(at: number, zone: string): string {
  const words = byChair(at);
  if (words !== undefined) return words;
  return formatLocal(at, zone, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
}

/** Within so many days no other year can be meant. */
const YEAR_IS_CLEAR = 300;

/** The same, without the year where it is clear: `Sat, Nov 21, 7:00 PM`. */
export function formatShortNear(at: number, now: number, zone: string): string {
  if (BY_CHAIR.has(at) || Math.abs(at - now) > YEAR_IS_CLEAR * DAY) return formatShort(at, zone);
  return dayAndTime(formatDay(at, zone), formatTime(at, zone));
}

const dayAndTime = (day: string, time: string): string => said(t('common.time.day_and_time', { day, time }));

/** For the rows of a list: `Today, 7:00 PM`, `Tomorrow, 7:00 PM`, else as `formatShortNear`. */
export function formatInList(at: number, now: number, zone: string): string {
  const near = NEAR_DAYS[daysUntil(localDate(at, zone), now, zone)];
  return near === undefined || BY_CHAIR.has(at)
    ? formatShortNear(at, now, zone)
    : dayAndTime(said(near), formatTime(at, zone));
}

/** The same in a sentence: `today, 7:00 PM`, and within a week `in 3 days, Tue, Nov 24, 7:00 PM`. */
export function formatInSentence(at: number, now: number, zone: string): string {
  const days = daysUntil(localDate(at, zone), now, zone);
  if (BY_CHAIR.has(at)) return formatInList(at, now, zone);
  const near = NEAR_DAYS_IN_SENTENCE[days];
  if (near !== undefined) return dayAndTime(said(near), formatTime(at, zone));
  const day = wholeDay(formatShortNear(at, now, zone));
  return days > 0 && days < 7 ? said(t('common.time.in_days', { days, day })) : day;
}

/** Keeps `Nov 24` on one line. */
const wholeDay = (words: string): string => words.replace(/(?<=\p{L}) (?=\d)/u, '\u00a0');

/** A local date in the rows of a list: `Today`, `Sat, Nov 28`, with its year where another one could be meant. */
export function dateInList(date: string, now: number, zone: string): string {
  const days = daysUntil(date, now, zone);
  if (Math.abs(days) > YEAR_IS_CLEAR) return dateInWords(date);
  const near = NEAR_DAYS[days];
  return near ? said(near) : formatDate(date, { weekday: 'short', month: 'short', day: 'numeric' });
}

const NEAR_DAYS: Readonly<Record<number, Words>> = {
  '-1': t('common.time.yesterday'),
  0: t('common.time.today'),
  1: t('common.time.tomorrow'),
};
const NEAR_DAYS_IN_SENTENCE: Readonly<Record<number, Words>> = {
  '-1': t('common.time.yesterday_in_sentence'),
  0: t('common.time.today_in_sentence'),
  1: t('common.time.tomorrow_in_sentence'),
};

const daysUntil = (date: string, now: number, zone: string): number =>
  Temporal.PlainDate.from(localDate(now, zone)).until(date, { largestUnit: 'day' }).days;

/** The time of day, `7:00 PM`. */
export function formatTime(at: number, zone: string): string {
  return formatLocal(at, zone, { hour: 'numeric', minute: '2-digit' });
}

/** The time of day in a sentence: `midnight`, `noon`, else `7:00 PM`. */
export function timeInWords(at: number, zone: string): string {
  const { hour, minute } = zoned(at, zone);
  if (minute === 0 && hour % 12 === 0)
    return said(hour === 0 ? t('common.time.midnight') : t('common.time.noon'));
  return formatTime(at, zone);
}

/**
 * The ends of a time span in words. With a 24-hour clock both are in digits if one of them is: `12:00` and `14:00`,
 * but `noon` and `midnight`.
 */
export function spanInWords(start: number, end: number, zone: string): [start: string, end: string] {
  const words: [string, string] = [timeInWords(start, zone), timeInWords(end, zone)];
  if (hasTwelveHours() || words.every((word) => !/\d/.test(word))) return words;
  return [formatTime(start, zone), formatTime(end, zone)];
}

/** The same for a page: full hours of a 12-hour clock have no minutes, as in `11 AM` and `3:30 PM`. */
export const spanOnPage = (start: number, end: number, zone: string): [start: string, end: string] => [
  onPage(spanInWords(start, end, zone)[0]),
  onPage(spanInWords(start, end, zone)[1]),
];

/** A time on a page: `11 AM`, `3:30 PM`, `15:00`. */
export const onPage = (time: string): string => time.replace(/:00(?=\s?[AP]M)/, '');

/** Words that begin a line: `Noon – 2:00 AM`, `From 8 PM`. */
export const atLineStart = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** A time of day in a sentence, with its date unless it is today or in the following night: `Sun, Nov 22, 7:00 PM`. */
export function momentInWords(at: number, now: number, zone: string): string {
  const words = byChair(at);
  if (words !== undefined) return words;
  if (!needsDay(at, now, zone)) return timeInWords(at, zone);
  // With a date, `midnight` would be ambiguous.
  return dayAndTime(formatDay(at, zone), formatTime(at, zone));
}

/** Whether `momentInWords` names the day: times before six in the morning belong to the night before. */
export function needsDay(at: number, now: number, zone: string): boolean {
  const today = localDate(now, zone);
  const night = at > now && zoned(at, zone).hour < 6 && localDate(addDays(at, -1, zone), zone) === today;
  return localDate(at, zone) !== today && !night;
}

/** The day, `Sat, Nov 21`. */
export function formatDay(at: number, zone: string): string {
  return formatLocal(at, zone, { weekday: 'short', month: 'short', day: 'numeric' });
}

/** The days of a span, `Nov 18 to Nov 28, 2026`; a single one where it begins and ends on the same day. */
export function daysInWords(start: number, end: number, zone: string): string {
  const day = { month: 'short', day: 'numeric' } as const;
  const last = formatLocal(end, zone, { ...day, year: 'numeric' });
  if (localDate(start, zone) === localDate(end, zone)) return last;
  const isOneYear = localDate(start, zone).slice(0, 4) === localDate(end, zone).slice(0, 4);
  const first = formatLocal(start, zone, isOneYear ? day : { ...day, year: 'numeric' });
  return said(t('common.time.days', { first, last }));
}

/** A local date such as `2026-11-21` with its year, `Sat, Nov 21, 2026`. */
export function dateInWords(date: string): string {
  return formatDate(date, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
}

/** Formats a local date such as `2026-11-21`. */
export function formatDate(date: string, options: Intl.DateTimeFormatOptions): string {
  return formatLocal(Date.parse(`${date}T12:00Z`), 'UTC', options);
}

/** Formats an instant in the club's locale, with plain spaces. */
export function formatLocal(at: number, zone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${zone} ${JSON.stringify(options)}`;
  const format = perLocale(key, (tag) => new Intl.DateTimeFormat(tag, { timeZone: zone, ...options }));
  return format.format(at).replaceAll('\u202f', ' ');
}

/** The local date, `2026-11-21`. */
export function localDate(at: number, zone: string): string {
  return zoned(at, zone).toPlainDate().toString();
}

/** The value of an `<input type="datetime-local">`, `2026-11-21T23:59`. */
export function toLocalInput(at: number, zone: string): string {
  return zoned(at, zone).toPlainDateTime().toString({ smallestUnit: 'minute' });
}

/** The range of years with four digits: sums of such times are still valid dates. */
const FIRST = Temporal.Instant.from('0001-01-01T00:00:00Z').epochMilliseconds;
const LAST = Temporal.Instant.from('9999-12-31T23:59:59.999Z').epochMilliseconds;

/**
 * Reads an ISO 8601 timestamp. With `Z` or an offset it is that instant; without, the local time of
 * `zone` (what a datetime-local field sends). A time that a clock change skips moves forward.
 * @returns milliseconds, or undefined when it is not a timestamp of the years 1 to 9999.
 */
export function parseTimestamp(text: string, zone: string): number | undefined {
  const at = readInstant(text, zone);
  return at !== undefined && at >= FIRST && at <= LAST ? at : undefined;
}

function readInstant(text: string, zone: string): number | undefined {
  try {
    if (/(Z|[+-]\d{2}(:?\d{2})?)(\[.*\])?$/i.test(text.replace(/^[^T ]*/i, ''))) {
      return Temporal.Instant.from(text).epochMilliseconds;
    }
    if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/i.test(text)) return undefined;
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** The first instant of a local date such as `2026-11-21`, or of the date `daysLater` days later. */
export function startOfDate(date: string, zone: string, daysLater = 0): number | undefined {
  try {
    const day = Temporal.PlainDate.from(date, { overflow: 'reject' }).add({ days: daysLater });
    const at = day.toZonedDateTime(zone).epochMilliseconds;
    return at >= FIRST && at <= LAST ? at : undefined;
  } catch {
    return undefined;
  }
}

/** Moves `at` by whole local days; the time of day stays the same across a clock change. */
export function addDays(at: number, days: number, zone: string): number {
  return zoned(at, zone).add({ days }).epochMilliseconds;
}

/** The first full hour of local time from `at` on. */
export function nextFullHour(at: number, zone: string): number {
  return zoned(at, zone).round({ smallestUnit: 'hour', roundingMode: 'ceil' }).epochMilliseconds;
}

function utcOffset(at: number, zone: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})/.exec(zoned(at, zone).offset) ?? [];
  if (hours === '00' && minutes === '00') return 'UTC';
  // Text does not wrap at a minus sign (U+2212), unlike at a hyphen.
  return `UTC${sign === '-' ? '−' : '+'}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}

/** Whether a clock change repeats the time, and which of the two it is. */
function whichOfTwo(at: number, zone: string): 'other' | 'earlier' | 'later' {
  const wall = zoned(at, zone).toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map(
    (disambiguation) => wall.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
  );
  if (first === second) return 'other';
  return at <= (first ?? at) ? 'earlier' : 'later';
}

function zoned(at: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
}

/**
 * The offset of a zone in minutes and its next two changes, each with its time: `-240 1762063200000:-300 1772953200000:-240`. A
 * browser that does not know the zone reckons with it.
 */
export function offsetsFrom(at: number, zone: string): string {
  let next: Temporal.ZonedDateTime | null = zoned(at, zone);
  const said = [String(minutesOf(next))];
  for (let change = 1; change <= 2; change += 1) {
    next = next.getTimeZoneTransition('next');
    if (next === null) break;
    said.push(`${next.epochMilliseconds}:${minutesOf(next)}`);
  }
  return said.join(' ');
}

const minutesOf = ({ offsetNanoseconds }: Temporal.ZonedDateTime): number => offsetNanoseconds / 60e9;
