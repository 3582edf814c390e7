import { expandWalls } from './expand.ts';

/** The fields that determine the dates of a series; dates are local, `2026-12-08`. */
export interface Recurrence {
  /** The rule counts from here. */
  date: string;
  /** Null if there are only single dates. */
  rule: string | null;
  /** The last date of the rule; null for no end. Extra dates are not limited by it. */
  until: string | null;
  extra: readonly string[];
}

/** How far ahead the first date of a rule is searched: February 29 on a Sunday occurs at least every 28 years or so. */
const YEARS_TO_FIRST = 41;

/** Lists the dates of a series from `from` to `until`, both inclusive, in order and without duplicates. */
export function listDates(series: Recurrence, from: string, until: string): string[] {
  const single = series.rule === null ? [series.date] : [];
  const explicit = [...single, ...series.extra].filter((date) => date >= from && date <= until);
  const dates = new Set([...datesOfRule(series, from, until), ...explicit]);
  return [...dates].sort();
}

/** Whether a date is a date of the series. */
export const hasDate = (series: Recurrence, date: string): boolean =>
  listDates(series, date, date).length > 0;

/** Returns the first date on or after `date` that a rule starting there hits; undefined if there is none. */
export function firstHit(rule: string, date: string): string | undefined {
  for (const years of [1, 9, YEARS_TO_FIRST]) {
    const until = Temporal.PlainDate.from(date).add({ years }).toString();
    const [first] = datesOfRule({ rule, date, until: null }, date, until);
    if (first !== undefined) return first;
  }
  return undefined;
}

/** Returns the nth date, counted from 1; undefined if the rule does not reach it within ten years. */
export function nthDate(rule: string, date: string, times: number): string | undefined {
  const until = Temporal.PlainDate.from(date).add({ years: 10 }).toString();
  return datesOfRule({ rule, date, until: null }, date, until)[times - 1];
}

/** Returns the date a number of days later. */
export const daysAfter = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString();

/** Returns the whole days from one date to another. */
export const daysBetween = (from: string, until: string): number =>
  Temporal.PlainDate.from(from).until(until).days;

function datesOfRule(
  { rule, date, until: last }: Pick<Recurrence, 'rule' | 'date' | 'until'>,
  from: string,
  until: string,
): string[] {
  if (rule === null) return [];
  const end = last !== null && last < until ? last : until;
  if (end < date || end < from) return [];
  // At midnight: rules only determine days, so the time of day does not matter.
  const walls = expandWalls({ rule, start: midnight(date) }, midnight(from), midnight(end));
  return walls.map((wall) => wall.toPlainDate().toString());
}

const midnight = (date: string) => Temporal.PlainDate.from(date).toPlainDateTime();
