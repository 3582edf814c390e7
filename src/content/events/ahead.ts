import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import { formatDate, formatShort, localDate } from '#kernel/local-time.ts';
import { formatWeekday } from '#kernel/settings/locale.ts';
import { EVENT } from '../kinds/event.ts';
import { type Body, parseBody } from '../records/kind.ts';
import { describeSeries, wallTimeInWords } from '../recurrence/sentence.ts';
import { changeOf, type EventBody, isSeries } from './body.ts';
import { describeClockChange } from './clock-changes.ts';
import { type EventDate, isDateOf, toEventDate, unfitChanges } from './dates.ts';
import { getNewestEvent } from './reading.ts';
import { isInPub, nextDates } from './shown.ts';

/** What the pages of an event say of its dates, in words. */
export interface DatesAhead {
  /** Undefined before it was saved: no date can be opened yet. */
  id?: string | undefined;
  /** `Every Tuesday at 8:00 PM`. */
  sentence: string;
  /** `Until 1:30 AM the next day`; null where nothing says so. */
  ends: string | null;
  isSeries: boolean;
  dates: DateLine[];
  /** Dates whose change fits the series no more. */
  unfit: string[];
  /** Why it is not on the screens although it is ticked for them; null where it is. */
  notInPub: string | null;
}

export interface DateLine {
  /** By which it can be changed: `2026-12-08`. */
  original: string;
  /** `Tue, Dec 8, 2026, 8:00 PM`. */
  when: string;
  title: string;
  /** What to know where the clocks change that night. */
  clocks: string | undefined;
  state: 'as planned' | 'changed' | 'cancelled' | 'skipped';
}

const SHOWN = 10;

/** The next ten dates of the newest version. @throws AppError 404 */
export const getDatesAhead = (ctx: Dated, id: string): DatesAhead => ({
  id,
  ...datesAheadOf(ctx, getNewestEvent(ctx, id)),
});

/**
 * The same of what a form stands for, before it is saved.
 * @param id of the record, undefined for a new one
 * @throws AppError 400
 */
export function previewDates(ctx: Dated, input: Body, id: string | undefined): DatesAhead {
  const before = id === undefined ? undefined : getNewestEvent(ctx, id);
  const body = parseBody(EVENT, { ...before, ...input });
  return datesAheadOf(ctx, EVENT.complete!(body, { before, at: ctx.now(), config: ctx.config }));
}

type Dated = Pick<Context, 'db' | 'now' | 'config'>;

function datesAheadOf(ctx: Dated, body: EventBody): DatesAhead {
  const { TIME_ZONE: house } = ctx.config;
  const dates = nextDates(body, localDate(ctx.now(), house), SHOWN, house);
  const place = body.place === '' ? 'without a place' : `at “${body.place}”`;
  return {
    ...{
      sentence: describeSeries(body),
      ends: describeEnd(body),
      isSeries: isSeries(body),
      unfit: unfitChanges(body),
    },
    dates: dates.map((date) => lineOf(body, date, house)),
    notInPub:
      body.in_pub && !isInPub(body.place)
        ? `The screens leave it out: it is ${place}, not in the pub.`
        : null,
  };
}

function describeEnd(body: EventBody): string | null {
  const { date, time, end_time, end_days } = body;
  if (time === null) {
    if (end_days === 0) return null;
    return `${end_days + 1} days long`;
  }
  if (end_time === null) return null;
  const words = `Until ${wallTimeInWords(end_time)}`;
  if (end_days === 0) return words;
  if (!isSeries(body)) {
    const day = Temporal.PlainDate.from(date).add({ days: end_days });
    const full = { year: 'numeric', month: 'long', day: 'numeric' } as const;
    return `${words} on ${end_days < 7 ? formatWeekday(day.dayOfWeek) : formatDate(day.toString(), full)}`;
  }
  return end_days === 1 ? `${words} the next day` : `${words}, ${end_days} days later`;
}

/** One date of a series, skipped or not. @throws AppError 404 */
export function getDateLine(
  ctx: Dated,
  id: string,
  original: string,
): { body: EventBody; date: EventDate; line: DateLine } {
  const body = getNewestEvent(ctx, id);
  if (!isSeries(body) || !isDateOf(body, original)) throw notFound(`The series has no date ${original}`);
  const date = toEventDate(body, original, ctx.config.TIME_ZONE);
  return { body, date, line: lineOf(body, date, ctx.config.TIME_ZONE) };
}

function lineOf(
  body: EventBody,
  { original, start, title, allDay, cancelled, wall }: EventDate,
  house: string,
): DateLine {
  const as = changeOf(body, original)?.as;
  const when = formatShort(start, allDay ? house : (body.zone ?? house));
  return {
    ...{ original, title, when: allDay ? when.replace(/, [^,]+$/, ', all day') : when },
    clocks: describeClockChange(wall, body.zone ?? house),
    state: cancelled ? 'cancelled' : as === 'skipped' ? as : as === 'changed' ? as : 'as planned',
  };
}
