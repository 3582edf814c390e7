import { z } from 'zod';
import { atMost, listOf, REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { formatWeekday } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { startOfDate } from '#kernel/local-time.ts';
import { weekdays } from '#kernel/locale.ts';
import { coded } from '#kernel/messages/messages.ts';

/** The names of the weekdays in bodies. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The weekdays with their names, in the language and order of the locale. */
export const namedWeekdays = (length: 'long' | 'short' = 'long'): [day: Weekday, name: Words][] =>
  weekdays().map((number) => [WEEKDAYS[number - 1]!, formatWeekday(number, length)]);

export const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && startOfDate(text, 'UTC') !== undefined;
const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/** A local date. */
export const date = z.string(REQUIRED_TEXT).refine(isDate, coded('not_date'));

/** A time of day. */
export const time = z.string(REQUIRED_TEXT).refine(isTime, coded('not_clock_time'));

/** A local date, or one with a time of day. */
export const moment = z
  .string(REQUIRED_TEXT)
  .refine(
    (text) => isDate(text) || (isDate(text.slice(0, 10)) && text[10] === 'T' && isTime(text.slice(11))),
    coded('not_date_or_moment'),
  );

/** A text of several lines; may be empty. */
export const longText = (max: number) =>
  z
    .string(coded('not_text'))
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .refine((text) => text.length <= max, atMost(max))
    .default('');

/** A text of one line; may be empty. */
export const shortText = (max: number) =>
  z
    .string(coded('not_text'))
    .transform((text) => text.replace(/\s+/g, ' ').trim())
    .refine((text) => text.length <= max, atMost(max))
    .default('');

/** A text of one line; must not be empty. */
export const neededText = (max: number) =>
  z
    .string(REQUIRED_TEXT)
    .transform((text) => text.replace(/\s+/g, ' ').trim())
    .refine((text) => text !== '', coded('empty'))
    .refine((text) => text.length <= max, atMost(max));

export const tick = (otherwise: boolean) => z.boolean(coded('not_true_or_false')).default(otherwise);

export const minutes = (max: number) =>
  z
    .int(coded('out_of_range', { min: 0, max }))
    .min(0, coded('out_of_range', { min: 0, max }))
    .max(max, coded('out_of_range', { min: 0, max }));

/** A number with at most one decimal; null: not known. */
export const decimal = (max: number) => {
  const message = coded('not_decimal', { min: 0, max });
  return z
    .number(message)
    .refine((value) => value >= 0 && value <= max && Number(value.toFixed(1)) === value, message)
    .nullable()
    .default(null);
};

/** A whole number; null: not known. */
export const whole = (min: number, max: number) => {
  const message = coded('out_of_range', { min, max });
  return z.int(message).min(min, message).max(max, message).nullable().default(null);
};

/** The place in an order, the lowest first. */
export const order = minutes(99).default(0);

/** A time of day from when to when; an end that is not after the start is on the next day. */
export const between = z
  .strictObject({ from: time, to: time })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: coded('ends_at_start') })
  .nullable()
  .default(null);

/** Weekdays; an empty list means every day. */
export const days = listOf(z.enum(WEEKDAYS, coded('not_either', { choices: WEEKDAYS })), 7)
  .transform((list) => WEEKDAYS.filter((day) => list.includes(day)))
  .default([]);

/** The id of a record of another kind. */
export const recordId = z
  .string(REQUIRED_TEXT)
  .transform((id) => id.replaceAll('-', '').toLowerCase())
  .refine((id) => id !== '', { error: coded('required'), abort: true })
  .refine((id) => /^[0-9a-f]{32}$/.test(id), coded('not_record_id'));

/** The address of a page on the web; may be empty. */
export const webPage = shortText(2_000).refine(
  (text) => text === '' || ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
  coded('not_web_address'),
);

/** The ids of tenders, both the club's own and those from the workspace. */
export const tenders = listOf(
  z
    .string(coded('not_tender_id'))
    .transform((id) => id.replaceAll('-', '').toLowerCase())
    .refine((id) => /^[0-9a-f]{32}$/.test(id), coded('not_tender_id')),
  20,
).transform((ids) => [...new Set(ids)]);

/** The id of an uploaded picture. */
export const picture = z.string(coded('not_picture_id')).max(64).nullable().default(null);

const opening = { opens: time, closes: time };

/** Opening hours; a closing that is not after the opening is on the next day. */
export const range = z.strictObject(opening).refine(({ opens, closes }) => opens !== closes, {
  path: ['closes'],
  message: coded('closes_at_opening'),
});

/** Opening hours with the minutes that the shift begins before and ends after them, and its tenders. */
export const crewedRange = z
  .strictObject({
    ...opening,
    before: minutes(720).default(0),
    after: minutes(720).default(0),
    tenders: tenders.default([]),
  })
  .refine(({ opens, closes }) => opens !== closes, {
    path: ['closes'],
    message: coded('closes_at_opening'),
  });

/** Returns the index of the first range that begins before an earlier range of the day has ended. */
export function overlapOf(ranges: readonly { opens: string; closes: string }[]): number | undefined {
  const at = ranges.findIndex((later, index) =>
    ranges.some(
      (other, place) =>
        place !== index &&
        (other.opens < later.opens || (other.opens === later.opens && place < index)) &&
        endOf(other) > later.opens,
    ),
  );
  return at < 0 ? undefined : at;
}

/** Returns the end as a time that may be after 24:00, so that it can be compared with other times of the day. */
const endOf = ({ opens, closes }: { opens: string; closes: string }): string =>
  closes > opens ? closes : `${Number(closes.slice(0, 2)) + 24}${closes.slice(2)}`;
