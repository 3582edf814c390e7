import { locale } from '#kernel/locale.ts';
import { parseRule, type Rule, WEEKDAYS, type Weekday } from './rule.ts';

/** The fields that the sentence about a series describes; dates are local, times `20:00`. */
export interface Described {
  rule: string | null;
  date: string;
  /** Null for all day. */
  time: string | null;
  until: string | null;
  extra?: readonly string[];
}

const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth'];

/**
 * Describes a series in a sentence: `Every second Tuesday at 8:00 PM, until June 30, 2027`. Names of days and months,
 * and the format of times, follow the locale (BCP 47); the words are English.
 */
export function describeSeries(series: Described, tag = locale()): string {
  const { rule, date, time, until, extra = [] } = series;
  const words = new Words(tag);
  const when = rule === null ? `On ${words.date(date)}` : sentenceOf(parseRule(rule), date, words);
  const more =
    extra.length === 1 ? `, and on ${words.date(extra[0]!)}` : `, and on ${extra.length} more dates`;
  return [
    when,
    time === null ? ', all day' : ` at ${words.time(time)}`,
    rule !== null && until !== null && `, until ${words.date(until)}`,
    extra.length > 0 && more,
  ]
    .filter(Boolean)
    .join('');
}

/** The rule of a series below its next date, without its time and its end: `every second Tuesday`. */
export function describeRepeat({ rule, date }: Pick<Described, 'rule' | 'date'>): string {
  if (rule === null) return 'on several dates';
  const sentence = sentenceOf(parseRule(rule), date, new Words(locale()));
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

/** Formats a wall-clock time `20:00` for reading: `8:00 PM`. */
export const wallTimeInWords = (time: string): string => new Words(locale()).time(time);

function sentenceOf(rule: Rule, date: string, words: Words): string {
  switch (rule.freq) {
    case 'DAILY':
      return daily(rule, words);
    case 'WEEKLY':
      return weekly(rule, date, words);
    case 'MONTHLY':
      return `${daysOfPeriod(rule, date, words)} of ${months(rule, words)}`;
    case 'YEARLY':
      return yearly(rule, date, words);
  }
}

function daily(rule: Rule, words: Words): string {
  const on = [
    rule.byDay.length > 0 && ` that is a ${words.or(rule.byDay.map(({ day }) => words.weekday(day)))}`,
    rule.byMonthDay.length > 0 && ` that is ${dayNumbers(rule.byMonthDay, words)} of the month`,
    inMonths(rule, words),
  ].filter(Boolean);
  return every(rule.interval, 'day') + on.join('');
}

function weekly(rule: Rule, date: string, words: Words): string {
  const days = rule.byDay.length > 0 ? rule.byDay.map(({ day }) => day) : [weekdayOf(date)];
  const names = words.and(days.map((day) => words.weekday(day)));
  const single = days.length === 1 && rule.interval === 2;
  const sentence =
    rule.interval === 1 || single
      ? every(rule.interval, names)
      : `${every(rule.interval, 'week')} on ${names}`;
  return sentence + inMonths(rule, words);
}

function yearly(rule: Rule, date: string, words: Words): string {
  const year = every(rule.interval, 'year').toLowerCase();
  const [, month = 1, day = 1] = date.split('-').map(Number);
  if (rule.byMonth.length === 0 && rule.byMonthDay.length === 0) {
    if (rule.byDay.length === 0) return `On ${words.day(month, day)} of ${year}`;
    return `${daysOfPeriod(rule, date, words)} of ${year}`;
  }
  const chosen = rule.byMonth.length > 0 ? rule.byMonth : [];
  const names = chosen.length > 0 ? words.and(chosen.map((one) => words.month(one))) : 'every month';
  return `${daysOfPeriod(rule, date, words)} of ${names} of ${year}`;
}

/** Describes the days of a month or year: `On the first and third Tuesday`. */
function daysOfPeriod(rule: Rule, date: string, words: Words): string {
  const weekdays = rule.byDay.map(({ day }) => words.weekday(day));
  const numbers = rule.byMonthDay.length > 0 ? `${dayNumbers(rule.byMonthDay, words)}` : '';
  if (rule.bySetPos.length > 0) {
    const positions = words.and(rule.bySetPos.map(ordinal));
    const among = [weekdays.length > 0 && words.or([...new Set(weekdays)]), numbers].filter(Boolean);
    return `On the ${positions} ${among.join(' that is ') || 'day'}`;
  }
  if (rule.byDay.length === 0) return `On ${numbers || dayNumbers([Number(date.slice(8))], words)}`;
  const nths = Map.groupBy(rule.byDay, ({ nth }) => nth);
  const byDays = Map.groupBy(rule.byDay, ({ day }) => day);
  const parts =
    nths.size > 1 && byDays.size === 1
      ? [`the ${words.and(inReadingOrder([...nths.keys()]).map(ordinal))} ${weekdays[0]}`]
      : inReadingOrder([...nths.keys()]).map((nth) => {
          const names = words.and(nths.get(nth)!.map(({ day }) => words.weekday(day)));
          return nth === 0 ? `every ${names}` : `the ${ordinal(nth)} ${names}`;
        });
  return `On ${words.and(parts)}${numbers && ` that is ${numbers}`}`;
}

const inReadingOrder = (numbers: number[]) =>
  numbers.toSorted((a, b) => Number(a < 0) - Number(b < 0) || a - b);

function dayNumbers(numbers: readonly number[], words: Words): string {
  const named = inReadingOrder([...numbers]).map((number) =>
    number > 0 ? `day ${number}` : number === -1 ? 'the last day' : `the ${ordinal(number)} day`,
  );
  return words.and(named);
}

function months({ interval, byMonth }: Rule, words: Words): string {
  const month = every(interval, 'month').toLowerCase();
  if (byMonth.length === 0) return month;
  const names = words.and(byMonth.map((one) => words.month(one)));
  return interval === 1
    ? `each ${names}`
    : `${month}, if it is ${words.or(byMonth.map((one) => words.month(one)))}`;
}

const inMonths = ({ byMonth }: Rule, words: Words) =>
  byMonth.length > 0 ? ` in ${words.and(byMonth.map((one) => words.month(one)))}` : '';

function every(interval: number, unit: string): string {
  if (interval === 1) return `Every ${unit}`;
  return interval === 2 ? `Every second ${unit}` : `Every ${interval} ${unit}s`;
}

/** `second`, `last`, `second last`, `12th`. */
function ordinal(number: number): string {
  if (number === -1) return 'last';
  if (number < 0) return `${ordinal(-number)} last`;
  const suffixes: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' };
  const suffix = suffixes[new Intl.PluralRules('en-US', { type: 'ordinal' }).select(number)] ?? 'th';
  return ORDINALS[number] ?? `${number}${suffix}`;
}

const weekdayOf = (date: string): Weekday => WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1]!;

/** Formats names and times in a locale, and lists in English. */
class Words {
  readonly #locale: string;

  constructor(locale: string) {
    this.#locale = locale;
  }

  and = (items: string[]) => new Intl.ListFormat('en-US', { type: 'conjunction' }).format(items);
  or = (items: string[]) => new Intl.ListFormat('en-US', { type: 'disjunction' }).format(items);
  weekday = (day: Weekday) => this.#format(2024, 1, 1 + WEEKDAYS.indexOf(day), { weekday: 'long' });
  month = (month: number) => this.#format(2024, month, 1, { month: 'long' });
  day = (month: number, day: number) => this.#format(2024, month, day, { month: 'long', day: 'numeric' });

  date(date: string): string {
    const [year = 1, month = 1, day = 1] = date.split('-').map(Number);
    return this.#format(year, month, day, { year: 'numeric', month: 'long', day: 'numeric' });
  }

  time(time: string): string {
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    const at = Date.UTC(2024, 0, 1, hour, minute);
    const options = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;
    return new Intl.DateTimeFormat(this.#locale, options).format(at).replaceAll('\u202f', ' ');
  }

  #format(year: number, month: number, day: number, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.#locale, { ...options, timeZone: 'UTC' }).format(
      Date.UTC(year, month - 1, day),
    );
  }
}
