import { isDeepStrictEqual } from 'node:util';
import { daysAfter, daysBetween, firstHit, listDates } from '#content/recurrence/dates.ts';
import { formatRule, parseRule, readRule } from '#content/recurrence/rule.ts';
import { type FieldError, fieldError, fieldErrorOf } from '#kernel/http/errors.ts';
import { type EventBody, isSeries, spanOf, type WallSpan } from './body.ts';
import { stampEvent } from './stamp.ts';
import { minutesOf } from './times.ts';

export const LIMITS = {
  series: 1_000,
  /** How far ahead a series may end, counted from today. */
  years: 10,
  /** Dates of all series together, within the days around today that screens and calendars can request. */
  dates: 10_000,
  window: { back: 90, ahead: 460 },
} as const;

/** The gaps between a rule's dates repeat; looking further ahead than this finds no other gap. */
const GAPS_SEEN_DAYS = 800;

/** Returns the problems between fields that are each valid by themselves. */
export function checkEvent(body: EventBody): FieldError[] {
  const problems = [...spanProblems(body), ...ruleProblems(body), ...announcementProblems(body)];
  // The other checks need dates that can be computed.
  if (problems.length > 0) return problems;
  return [...gapProblems(body), ...changeProblems(body)];
}

/**
 * Returns the problems of an event that depend on today's date and on the other events.
 * @param others returns the newest version of every other event that is not removed; called only when needed
 */
export function checkEventAmong(
  body: EventBody,
  {
    before,
    others,
    today,
  }: { before: EventBody | undefined; others: () => readonly EventBody[]; today: string },
): FieldError[] {
  const furthest = Temporal.PlainDate.from(today).add({ years: LIMITS.years }).toString();
  if (body.until !== null && body.until > furthest)
    return [fieldError('until', 'too_far_ahead', { years: LIMITS.years, date: furthest })];
  if (!isSeries(body) || (before && isDeepStrictEqual(recurrenceOf(body), recurrenceOf(before)))) return [];
  return limitProblems([...others().filter(isSeries), body], today);
}

/**
 * Returns the event with the fields that the service sets: the zone, the normalized rule, the first date moved to the
 * first date of the rule, the stamps.
 */
export function completeEvent(
  body: EventBody,
  { before, at, zone }: { before: EventBody | undefined; at: number; zone: string },
): EventBody {
  const rule = body.rule === null ? null : formatRule(parseRule(body.rule));
  const date = rule === null ? body.date : (firstHit(rule, body.date) ?? body.date);
  const extra = [...new Set(body.extra)].filter((one) => one !== date).sort();
  return stampEvent({ ...body, zone: body.zone ?? before?.zone ?? zone, rule, date, extra }, before, at);
}

function limitProblems(series: readonly EventBody[], today: string): FieldError[] {
  if (series.length > LIMITS.series) return [fieldError('rule', 'too_many_series', { max: LIMITS.series })];
  const { back, ahead } = LIMITS.window;
  const [from, until] = [daysAfter(today, -back), daysAfter(today, ahead)];
  const dates = series.reduce((sum, body) => sum + listDates(body, from, until).length, 0);
  if (dates <= LIMITS.dates) return [];
  return [fieldError('rule', 'too_many_dates', { dates, max: LIMITS.dates })];
}

const recurrenceOf = ({ rule, date, until, extra }: EventBody) => ({ rule, date, until, extra });

function spanProblems({ time, end_time, end_days }: WallSpan): FieldError[] {
  if (time === null) return end_time === null ? [] : [fieldError('end_time', 'end_without_time')];
  if (end_time === null) return end_days === 0 ? [] : [fieldError('end_time', 'end_needed')];
  return end_days > 0 || end_time > time ? [] : [fieldError('end_time', 'end_before_start')];
}

function ruleProblems({ rule, until, date }: EventBody): FieldError[] {
  if (rule === null) return until === null ? [] : [fieldError('until', 'until_without_rule')];
  const read = readRule(rule);
  if ('problem' in read) return [fieldErrorOf('rule', read.problem)];
  const first = firstHit(rule, date);
  if (first === undefined) return [fieldError('rule', 'rule_without_dates')];
  return until !== null && until < first ? [fieldError('until', 'before_first_date', { date: first })] : [];
}

/** An announcement that begins after the only date would never be shown. */
function announcementProblems(body: EventBody): FieldError[] {
  const { announce_from: from, date } = body;
  if (from === null || isSeries(body) || from <= date) return [];
  return [fieldError('announce_from', 'announced_too_late', { date })];
}

function gapProblems(body: EventBody): FieldError[] {
  if (!isSeries(body)) return [];
  const extra = body.extra.toSorted();
  const [from, last] = [[body.date, ...extra].sort()[0]!, [body.date, ...extra].sort().at(-1)!];
  const seen = daysAfter(body.date, GAPS_SEEN_DAYS);
  const dates = listDates(body, from, last > seen ? last : seen);
  const gaps = dates.slice(1).map((date, i) => daysBetween(dates[i]!, date));
  const shortest = Math.min(...gaps);
  if (minutesOf(body) <= shortest * 1_440) return [];
  return [
    shortest === 1
      ? fieldError('end_days', 'longer_than_a_day')
      : fieldError('end_days', 'longer_than_gap', { days: shortest }),
  ];
}

function changeProblems(body: EventBody): FieldError[] {
  return Object.entries(body.changes).flatMap(([date, change]) =>
    spanProblems(spanOf(body, date, change)).map((problem) => ({
      ...problem,
      path: `changes.${date}.${problem.path}`,
    })),
  );
}
