import { type Message, t } from '#kernel/language/message.ts';
import { allOf, anyOf, formatDate } from '#kernel/language/times.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { formatLocal } from '#kernel/local-time.ts';
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

/** Describes a series in a sentence without a full stop: `Every second Tuesday at 8:00 PM, until June 30, 2027`. */
export function describeSeries(series: Described): Words {
  const { rule, date, time, until, extra = [] } = series;
  let when =
    rule === null
      ? t('content-admin.repeats.once', { date: longDate(date) })
      : sentenceOf(parseRule(rule), date);
  when =
    time === null
      ? t('content-admin.repeats.all_day', { when })
      : t('content-admin.repeats.at', { when, time: wallTimeInWords(time) });
  if (rule !== null && until !== null)
    when = t('content-admin.repeats.until', { when, date: longDate(until) });
  if (extra.length === 1) return t('content-admin.repeats.and_on', { when, date: longDate(extra[0]!) });
  return extra.length > 1 ? t('content-admin.repeats.and_more', { when, n: extra.length }) : when;
}

/** The rule of a series without its time and its end: `Every second Tuesday`. */
export const describeRepeat = ({ rule, date }: Pick<Described, 'rule' | 'date'>): Words =>
  rule === null ? t('content-admin.repeats.several_dates') : sentenceOf(parseRule(rule), date);

/** Formats a wall-clock time `20:00` for reading: `8:00 PM`. */
export function wallTimeInWords(time: string): Words {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const at = Date.UTC(2024, 0, 1, hour, minute);
  return formatted(() => formatLocal(at, 'UTC', { hour: 'numeric', minute: '2-digit' }));
}

function sentenceOf(rule: Rule, date: string): Message {
  switch (rule.freq) {
    case 'DAILY':
      return daily(rule);
    case 'WEEKLY':
      return inMonths(weekly(rule, date), rule);
    case 'MONTHLY':
      return monthly(rule, date);
    case 'YEARLY':
      return yearly(rule, date);
  }
}

function daily(rule: Rule): Message {
  let when = t('content-admin.repeats.daily', { n: rule.interval });
  if (rule.byDay.length > 0)
    when = t('content-admin.repeats.if_weekdays', { when, days: anyOf(weekdays(rule.byDay)) });
  if (rule.byMonthDay.length > 0)
    when = t('content-admin.repeats.if_numbers', { when, dates: dayNumbers(rule.byMonthDay, anyOf) });
  return inMonths(when, rule);
}

function weekly({ byDay, interval: n }: Rule, date: string): Message {
  const names = byDay.length > 0 ? weekdays(byDay) : [weekday(weekdayOf(date))];
  const days = allOf(names);
  if (n === 1) return t('content-admin.repeats.weekly', { days });
  return n === 2 && names.length === 1
    ? t('content-admin.repeats.weekly_second', { day: days })
    : t('content-admin.repeats.weekly_interval', { n, days });
}

function monthly(rule: Rule, date: string): Message {
  const { byMonth, interval: n } = rule;
  const days = daysOf(rule, date);
  if (byMonth.length > 0 && n === 1) {
    const months = allOf(byMonth.map(monthName));
    switch (days.as) {
      case 'numbers':
        return t('content-admin.repeats.months_numbers', { ...days, months });
      case 'nth':
        return t('content-admin.repeats.months_nth', { ...days, months });
      case 'every':
        return t('content-admin.repeats.months_every', { ...days, months });
      case 'several':
        return t('content-admin.repeats.months_several', { ...days, months });
    }
  }
  const when = everyMonths(days, n);
  return byMonth.length === 0
    ? when
    : t('content-admin.repeats.if_months', { when, months: anyOf(byMonth.map(monthName)) });
}

function everyMonths(days: Days, n: number): Message {
  switch (days.as) {
    case 'numbers':
      return t('content-admin.repeats.monthly_numbers', { ...days, n });
    case 'nth':
      return t('content-admin.repeats.monthly_nth', { ...days, n });
    case 'every':
      return t('content-admin.repeats.monthly_every', { ...days, n });
    case 'several':
      return t('content-admin.repeats.monthly_several', { ...days, n });
  }
}

function yearly(rule: Rule, date: string): Message {
  const { byMonth, byMonthDay, byDay, interval: n } = rule;
  if (byMonth.length > 0) return yearlyInMonths(rule, date);
  if (byMonthDay.length > 0) {
    const when = everyMonths(daysOf(rule, date), 1);
    return n === 1 ? when : t('content-admin.repeats.in_years', { n, when });
  }
  if (byDay.length === 0) {
    const day = formatDate(date, { month: 'long', day: 'numeric' });
    return t('content-admin.repeats.yearly_date', { n, date: day });
  }
  const days = daysOf(rule, date);
  switch (days.as) {
    case 'nth':
      return t('content-admin.repeats.yearly_nth', { ...days, n });
    case 'every':
      return t('content-admin.repeats.yearly_every', { ...days, n });
    case 'several':
    case 'numbers':
      return t('content-admin.repeats.yearly_several', {
        several: days.as === 'several' ? days.several : days.dates,
        n,
      });
  }
}

function yearlyInMonths(rule: Rule, date: string): Message {
  const days = daysOf(rule, date);
  const period = { n: rule.interval, months: allOf(rule.byMonth.map(monthName)) };
  switch (days.as) {
    case 'numbers':
      return t('content-admin.repeats.yearly_months_numbers', { ...days, ...period });
    case 'nth':
      return t('content-admin.repeats.yearly_months_nth', { ...days, ...period });
    case 'every':
      return t('content-admin.repeats.yearly_months_every', { ...days, ...period });
    case 'several':
      return t('content-admin.repeats.yearly_months_several', { ...days, ...period });
  }
}

/** The days of a month or of a year, by how they are said. */
type Days =
  /** `day 1 and the last day` */
  | { as: 'numbers'; dates: Words }
  /** `the first and third Tuesday`, `the last Monday or Thursday` */
  | { as: 'nth'; ordinals: Words; days: Words }
  /** `every Tuesday and Friday` */
  | { as: 'every'; days: Words }
  /** `the first Monday and the second Tuesday`, `every Friday that is day 13` */
  | { as: 'several'; several: Words };

function daysOf(rule: Rule, date: string): Days {
  const { byDay, byMonthDay, bySetPos } = rule;
  if (bySetPos.length > 0) return daysByPosition(rule);
  if (byDay.length === 0)
    return {
      as: 'numbers',
      dates: dayNumbers(byMonthDay.length > 0 ? byMonthDay : [Number(date.slice(8))]),
    };
  const days = byNumber(byDay);
  if (byMonthDay.length === 0) return days;
  const several = t('content-admin.repeats.several_if', {
    days: severalOf(days),
    dates: dayNumbers(byMonthDay),
  });
  return { as: 'several', several };
}

/** Days of which only the ones at some positions count. */
function daysByPosition({ byDay, byMonthDay, bySetPos }: Rule): Days {
  const ordinals = allOf(bySetPos.map(ordinal));
  const names = anyOf(weekdays(byDay));
  if (byMonthDay.length === 0)
    return byDay.length === 0
      ? { as: 'numbers', dates: allOf(bySetPos.map(nthDay)) }
      : { as: 'nth', ordinals, days: names };
  const dates = dayNumbers(byMonthDay, anyOf);
  const days = byDay.length === 0 ? dates : t('content-admin.repeats.several_if', { days: names, dates });
  return { as: 'several', several: t('content-admin.repeats.several_nth', { ordinals, days }) };
}

function byNumber(byDay: Rule['byDay']): Days {
  const nths = Map.groupBy(byDay, ({ nth }) => nth);
  const numbers = inReadingOrder([...nths.keys()]);
  const of = (nth: number): Days => {
    const days = allOf(weekdays(nths.get(nth)!));
    return nth === 0 ? { as: 'every', days } : { as: 'nth', ordinals: ordinal(nth), days };
  };
  if (numbers.length === 1) return of(numbers[0]!);
  const [first] = byDay;
  if (byDay.every(({ nth, day }) => nth !== 0 && day === first?.day))
    return { as: 'nth', ordinals: allOf(numbers.map(ordinal)), days: weekday(first!.day) };
  return { as: 'several', several: allOf(numbers.map((nth) => severalOf(of(nth)))) };
}

/** Days as one item of a list. */
function severalOf(days: Days): Words {
  switch (days.as) {
    case 'numbers':
      return days.dates;
    case 'nth':
      return t('content-admin.repeats.several_nth', days);
    case 'every':
      return t('content-admin.repeats.several_every', days);
    case 'several':
      return days.several;
  }
}

const inMonths = (when: Message, { byMonth }: Rule): Message =>
  byMonth.length === 0
    ? when
    : t('content-admin.repeats.in_months', { when, months: allOf(byMonth.map(monthName)) });

const inReadingOrder = (numbers: readonly number[]): number[] =>
  numbers.toSorted((a, b) => Number(a < 0) - Number(b < 0) || a - b);

/** `day 1, day 15 and the second last day`. */
const dayNumbers = (numbers: readonly number[], list = allOf): Words =>
  list(
    inReadingOrder(numbers).map((n) => (n > 0 ? t('content-admin.repeats.day_number', { n }) : nthDay(n))),
  );

const nthDay = (number: number): Words => t('content-admin.repeats.day_nth', { ordinal: ordinal(number) });

const FROM_START = ['first', 'second', 'third', 'fourth', 'fifth'] as const;
const FROM_END = ['last', 'second_last', 'third_last'] as const;

/** `second`, `last`, `second last`, `12th`. */
function ordinal(number: number): Words {
  const n = Math.abs(number);
  const which = number > 0 ? (FROM_START[n - 1] ?? 'other') : (FROM_END[n - 1] ?? 'from_end');
  return t('content-admin.repeats.ordinal', { which, n });
}

const weekdayOf = (date: string): Weekday => WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1]!;

/** January 1, 2024 was a Monday. */
const weekday = (day: Weekday): Words =>
  formatDate(`2024-01-0${1 + WEEKDAYS.indexOf(day)}`, { weekday: 'long' });

const weekdays = (days: Rule['byDay']): Words[] => [...new Set(days.map(({ day }) => day))].map(weekday);

const monthName = (month: number): Words =>
  formatDate(`2024-${String(month).padStart(2, '0')}-01`, { month: 'long' });

const longDate = (date: string): Words =>
  formatDate(date, { year: 'numeric', month: 'long', day: 'numeric' });
