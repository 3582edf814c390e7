import { z } from 'zod';
import { date, longText, neededText, picture, shortText, tick, time } from '#content/records/fields.ts';
import { RULE_LENGTH } from '#content/recurrence/rule.ts';
import { isTimeZone } from '#kernel/environment/checks.ts';
import { listOf, oneOf } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';

/** The most days that the end can be after the start date. */
const END_DAYS = 60;
const CHANGES_AT_MOST = 400;
const EXTRA_AT_MOST = 100;

const endDays = z
  .int(coded('out_of_range', { min: 0, max: END_DAYS }))
  .min(0, coded('out_of_range', { min: 0, max: END_DAYS }))
  .max(END_DAYS, coded('out_of_range', { min: 0, max: END_DAYS }));

/** How one date of a series differs from it; missing fields are the same as in the series. */
export type DateChange = z.output<typeof DateChange>;
export const DateChange = z.strictObject({
  /** `skipped` dates are left out everywhere, `cancelled` dates are shown as cancelled. */
  as: oneOf(['changed', 'skipped', 'cancelled']),
  date: date.optional(),
  time: time.nullable().optional(),
  end_time: time.nullable().optional(),
  end_days: endDays.optional(),
  title: neededText(200).optional(),
  place: shortText(300).removeDefault().optional(),
  note: longText(1_000).removeDefault().optional(),
});

/** An event, or a series of them, as it is stored. */
export type EventBody = z.output<typeof EventBody>;
export const EventBody = z.strictObject({
  title: neededText(200),
  place: shortText(300),
  description: longText(8_000),
  url: shortText(2_000).refine((text) => text === '' || isWebAddress(text), coded('not_web_address')),
  tag: z
    .enum(
      ['rc-direct', 'rc-affiliate'],
      coded('not_either', { choices: ['rc-direct', 'rc-affiliate', 'null'] }),
    )
    .nullable()
    .default(null),
  picture,
  /** Shown on the screens. */
  in_pub: tick(true),
  /** In the members' calendar. */
  in_calendar: tick(true),
  /** IANA name; null before it is stored, meaning the club's zone. */
  zone: z.string(coded('not_zone')).refine(isTimeZone, coded('not_zone')).nullable().default(null),
  /** In a series: the date that its rule counts from. */
  date,
  /** Null: all day. */
  time: time.nullable().default(null),
  /** Null: its end is open. */
  end_time: time.nullable().default(null),
  /** The end day as a number of days after `date`; for an all-day event the last day, inclusive. */
  end_days: endDays.default(0),
  /** Null for a single event, or a series that only has `extra` dates. */
  rule: z
    .string(coded('not_rule'))
    .max(RULE_LENGTH, coded('too_long', { max: RULE_LENGTH }))
    .nullable()
    .default(null),
  /** The last date of the rule, inclusive. */
  until: date.nullable().default(null),
  /** Further dates. */
  extra: listOf(date, EXTRA_AT_MOST).default([]),
  /** Changes of single dates, keyed by original local date. */
  changes: z
    .record(date, DateChange, coded('not_object_of_dates'))
    .refine(
      (changes) => Object.keys(changes).length <= CHANGES_AT_MOST,
      coded('too_many_entries', { max: CHANGES_AT_MOST }),
    )
    .default({}),
  cancelled: tick(false),
  /** From this local date of the club on, screens announce the event until it is over; of a series the next date. */
  announce_from: date.nullable().default(null),
  /** When data that calendars show last changed, in milliseconds: for the event (`all`) and for each changed date. */
  stamps: z
    .strictObject({ all: z.int(), dates: z.record(z.string(), z.int()).default({}) })
    .nullable()
    .default(null),
});

/** A time span in local wall-clock time; dates `2026-12-08`, times `20:00`. */
export type WallSpan = Pick<EventBody, 'date' | 'time' | 'end_time' | 'end_days'>;

/** Whether the event is a series, whose dates are identified by their original dates. */
export const isSeries = ({ rule, extra }: Pick<EventBody, 'rule' | 'extra'>): boolean =>
  rule !== null || extra.length > 0;

/** Returns the change of a date, if it has one. */
export const changeOf = ({ changes }: Pick<EventBody, 'changes'>, date: string): DateChange | undefined =>
  Object.hasOwn(changes, date) ? changes[date] : undefined;

/** Returns the time span of a date of a series; `original` is its original local date. */
export function spanOf(
  body: WallSpan & Pick<EventBody, 'changes'>,
  original: string,
  change = changeOf(body, original),
): WallSpan {
  const time = change?.time === undefined ? body.time : change.time;
  const end_time = change?.end_time === undefined ? body.end_time : change.end_time;
  return {
    date: change?.date ?? original,
    time,
    // An all-day date has no end time; if the series is all-day and this date is not, `end_days` does not carry over.
    end_time: time === null ? null : end_time,
    end_days: change?.end_days ?? ((time === null) === (body.time === null) ? body.end_days : 0),
  };
}

const isWebAddress = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');
