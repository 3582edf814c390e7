import { expandWalls } from './expand.ts';

/** What says on which dates a series takes place; dates are local, `2026-12-08`. */
export interface Recurrence {
  /** The rule counts from here. */
  date: string;
  /** Null where there are single dates alone. */
  rule: string | null;
  /** The last date that counts; null for no end. Extra dates do not look at it. */
  until: string | null;
  extra: readonly string[];
}

/** So far ahead the first date of a rule is looked for: the 29th of February on a Sunday comes every 28 years at least. */
const YEARS_TO_FIRST = 41;

/** The dates of a series from `from` to `until`, both inclusive, in order, each once. */
export function listDates(series: Recurrence, from: string, until: string): string[] {
  const single = series.rule === null ? [series.date] : [];
  const explicit = [...single, ...series.extra].filter((date) => date >= from && date <= until);
  const dates = new Set([...datesOfRule(series, from, until), ...explicit]);
  return [...dates].sort();
}

/** Whether a series takes place on a date. */
export const hasDate = (series: Recurrence, date: string): boolean =>
  listDates(series, date, date).length > 0;

/** The first date on or after `date` that a rule hits when it counts from there; undefined if there is none. */
export function firstHit(rule: string, date: string): string | undefined {
  for (const years of [1, 9, YEARS_TO_FIRST]) {
    const until = Temporal.PlainDate.from(date).add({ years }).toString();
    const [first] = datesOfRule({ rule, date, until: null }, date, until);
    if (first !== undefined) return first;
  }
  return undefined;
}

/** The date of the nth time, 1 the first; undefined where the rule does not get there within ten years. */
export function nthDate(rule: string, date: string, times: number): string | undefined {
  const until = Temporal.PlainDate.from(date).add({ years: 10 }).toString();
  return datesOfRule({ rule, date, until: null }, date, until)[times - 1];
}

/** The date so many days later. */
export const daysAfter = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString();

/** Whole days from one date to another. */
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
  // At midnight: the rules are about days, so the time of day changes nothing.
  const walls = expandWalls({ rule, start: midnight(date) }, midnight(from), midnight(end));
  return walls.map((wall) => wall.toPlainDate().toString());
}

const midnight = (date: string) => Temporal.PlainDate.from(date).toPlainDateTime();
