import { type Body, parseBody } from '#content/records/kind.ts';
import { describeSeries, wallTimeInWords } from '#content/recurrence/sentence.ts';
import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { dateInWords, formatDate, formatShort, formatWeekday } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import { changeOf, type EventBody, isSeries } from './body.ts';
import { describeClockChange } from './clock-changes.ts';
import { listClosedDates } from './closed.ts';
import { type EventDate, isDateOf, toEventDate, unfitChanges } from './dates.ts';
import { EVENT } from './kind.ts';
import { getNewestEvent } from './reading.ts';
import { nextDates } from './shown.ts';

/** An event's dates as its pages show them, in words. */
export interface DatesAhead {
  /** Undefined until the event is saved: its dates cannot be opened before. */
  id?: string | undefined;
  /** `Every Tuesday at 8:00 PM`. */
  sentence: Words;
  /** `Until 1:30 AM the next day`; null if the event has no end. */
  ends: Words | null;
  isSeries: boolean;
  dates: DateLine[];
  /** Original dates with a change that the series no longer contains. */
  unfit: string[];
  /** Dates on which a special day closes the pub, in words. */
  closed: Words[];
}

export interface DateLine {
  /** The original date, which identifies it for changes: `2026-12-08`. */
  original: string;
  /** `Tue, Dec 8, 2026, 8:00 PM`. */
  when: Words;
  title: string;
  /** A note if the clocks change that night. */
  clocks: Words | undefined;
  state: 'as planned' | 'changed' | 'cancelled' | 'skipped';
}

const SHOWN = 10;

/** Returns the next ten dates of the newest version. @throws AppError 404 */
export const getDatesAhead = (ctx: Dated, id: string): DatesAhead => ({
  id,
  ...datesAheadOf(ctx, getNewestEvent(ctx, id)),
});

/**
 * Returns the same for a form that is not saved yet.
 * @param id the record's id, undefined for a new one
 * @throws AppError 400
 */
export function previewDates(ctx: Dated, input: Body, id: string | undefined): DatesAhead {
  const before = id === undefined ? undefined : getNewestEvent(ctx, id);
  const body = parseBody(EVENT, { ...before, ...input });
  return datesAheadOf(ctx, EVENT.complete!(body, { before, at: ctx.now(), config: ctx.config }));
}

type Dated = Pick<Context, 'db' | 'cache' | 'hub' | 'now' | 'config'>;

function datesAheadOf(ctx: Dated, body: EventBody): DatesAhead {
  const { TIME_ZONE: house } = ctx.config;
  const dates = nextDates(body, localDate(ctx.now(), house), SHOWN, house);
  return {
    sentence: describeSeries(body),
    ends: describeEnd(body),
    isSeries: isSeries(body),
    unfit: unfitChanges(body),
    closed: listClosedDates(ctx, body),
    dates: dates.map((date) => lineOf(body, date, house)),
  };
}

function describeEnd(body: EventBody): Words | null {
  const { date, time, end_time, end_days } = body;
  if (time === null) {
    if (end_days === 0) return null;
    return t('content-admin.dates.days_long', { days: end_days + 1 });
  }
  if (end_time === null) return null;
  const until = wallTimeInWords(end_time);
  if (end_days === 0) return t('content-admin.dates.until_time', { time: until });
  if (!isSeries(body)) {
    const day = Temporal.PlainDate.from(date).add({ days: end_days });
    const full = { year: 'numeric', month: 'long', day: 'numeric' } as const;
    return t('content-admin.dates.until_on', {
      time: until,
      day: end_days < 7 ? formatWeekday(day.dayOfWeek) : formatDate(day.toString(), full),
    });
  }
  return end_days === 1
    ? t('content-admin.dates.until_next_day', { time: until })
    : t('content-admin.dates.until_days_later', { time: until, days: end_days });
}

/** Returns one date of a series, even a skipped one. @throws AppError 404 */
export function getDateLine(
  ctx: Dated,
  id: string,
  original: string,
): { body: EventBody; date: EventDate; line: DateLine } {
  const body = getNewestEvent(ctx, id);
  if (!isSeries(body) || !isDateOf(body, original)) throw notFound('no_such_date', { date: original });
  const date = toEventDate(body, original, ctx.config.TIME_ZONE);
  return { body, date, line: lineOf(body, date, ctx.config.TIME_ZONE) };
}

function lineOf(
  body: EventBody,
  { original, start, title, allDay, cancelled, wall }: EventDate,
  house: string,
): DateLine {
  const as = changeOf(body, original)?.as;
  return {
    original,
    title,
    when: allDay
      ? t('content-admin.dates.all_day', { date: dateInWords(localDate(start, house)) })
      : formatShort(start, body.zone ?? house),
    clocks: describeClockChange(wall, body.zone ?? house),
    state: cancelled ? 'cancelled' : as === 'skipped' ? as : as === 'changed' ? as : 'as planned',
  };
}
