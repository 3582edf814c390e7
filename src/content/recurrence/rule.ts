import { badFields, fieldErrorOf } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { anyOf } from '#kernel/language/times.ts';
import { type Args, type Code, type Message, say, sentenceOf } from '#kernel/messages/messages.ts';

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;

/** A rule that can be saved: the part of RFC 5545 3.3.10 about whole days. */
export interface Rule {
  freq: (typeof FREQUENCIES)[number];
  /** 1 to 366. */
  interval: number;
  /** 1 to 12. */
  byMonth: number[];
  /** 1 to 31, or −1 to −31 from the end. */
  byMonthDay: number[];
  /** With `nth` 0 every such weekday, else the nth of the month or year; negative ones count from the end. */
  byDay: { nth: number; day: Weekday }[];
  /** Positions in the list of dates of a month or year; only these dates count. */
  bySetPos: number[];
  /** The first day of the week; null means Monday. */
  wkst: Weekday | null;
}

/** The maximum length of a rule's text. */
export const RULE_LENGTH = 500;

const PARTS = ['FREQ', 'INTERVAL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', 'BYSETPOS', 'WKST'];

class Refusal extends Error {
  readonly said: Message;

  constructor(said: Message) {
    super(sentenceOf(said));
    this.said = said;
  }
}

const refuse = <C extends Code>(code: C, ...params: Args<C>) => new Refusal(say(code, ...params));

/**
 * Parses a rule: parts in any order and case, FREQ required, no part twice. COUNT, UNTIL and parts finer than a day are
 * refused.
 * @throws AppError 400 that names `rule` and the part
 */
export function parseRule(text: string): Rule {
  const read = readRule(text);
  if ('problem' in read) throw badFields([fieldErrorOf('rule', read.problem)]);
  return read.rule;
}

/** Parses a rule without throwing: returns the rule, or the problem. */
export function readRule(text: string): { rule: Rule } | { problem: Message } {
  try {
    return { rule: read(text) };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.said };
    throw error;
  }
}

/** Formats a rule for storing: FREQ first, the other parts in a fixed order, defaults left out. */
export function formatRule(rule: Rule): string {
  const list = (name: string, values: readonly (number | string)[]) =>
    values.length > 0 ? [`${name}=${values.join(',')}`] : [];
  return [
    `FREQ=${rule.freq}`,
    ...list('INTERVAL', rule.interval > 1 ? [rule.interval] : []),
    ...list('BYMONTH', rule.byMonth),
    ...list('BYMONTHDAY', rule.byMonthDay),
    ...list(
      'BYDAY',
      rule.byDay.map(({ nth, day }) => `${nth || ''}${day}`),
    ),
    ...list('BYSETPOS', rule.bySetPos),
    ...list('WKST', rule.wkst === null ? [] : [rule.wkst]),
  ].join(';');
}

/** Returns a rule with only a frequency and an interval, for building others. */
export function plainRule(freq: Rule['freq'], interval = 1): Rule {
  return { freq, interval, byMonth: [], byMonthDay: [], byDay: [], bySetPos: [], wkst: null };
}

function read(text: string): Rule {
  if (text.length > RULE_LENGTH) throw refuse('rule_too_long', { max: RULE_LENGTH });
  const parts = partsOf(text);
  const freq = FREQUENCIES.find((one) => one === parts.get('FREQ'));
  if (!freq) throw refuse('rule_part_must_be', { part: 'FREQ', values: anyOf(FREQUENCIES) });
  const inMonths = freq === 'MONTHLY' || freq === 'YEARLY';
  const rule: Rule = {
    freq,
    interval: numbersOf(parts, 'INTERVAL', 1, 366)[0] ?? 1,
    byMonth: numbersOf(parts, 'BYMONTH', 1, 12),
    byMonthDay: numbersOf(parts, 'BYMONTHDAY', -31, 31),
    byDay: weekdaysOf(parts, !inMonths ? 0 : freq === 'YEARLY' && !parts.has('BYMONTH') ? 53 : 5),
    bySetPos: numbersOf(parts, 'BYSETPOS', -366, 366),
    wkst: weekStartOf(parts),
  };
  if (freq === 'WEEKLY' && rule.byMonthDay.length > 0) throw refuse('rule_month_day_weekly');
  if (rule.bySetPos.length > 0 && !inMonths) throw refuse('rule_position_frequency');
  if (rule.bySetPos.length > 0 && rule.byDay.length + rule.byMonthDay.length + rule.byMonth.length === 0)
    throw refuse('rule_position_alone');
  return rule;
}

function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  const bare = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .replace(/;$/, '');
  for (const part of bare.split(';')) {
    const [, name = '', value = ''] = /^\s*([A-Z-]+)\s*=\s*(\S(?:.*\S)?)\s*$/.exec(part) ?? [];
    if (!name) throw refuse('rule_form');
    if (!PARTS.includes(name)) throw refuse('rule_part_unknown', { part: name, parts: anyOf(PARTS) });
    if (parts.has(name)) throw refuse('rule_part_twice', { part: name });
    parts.set(name, value);
  }
  return parts;
}

/** Zero is never allowed, even if `least` is negative. */
function numbersOf(parts: Map<string, string>, name: string, least: number, most: number): number[] {
  const values = (parts.get(name)?.split(',') ?? []).map((value) => {
    const number = /^[+-]?\d{1,3}$/.test(value.trim()) ? Number(value) : 0;
    if (number !== 0 && number >= least && number <= most) return number;
    const values =
      least < 0
        ? t('errors-admin.rule_part_must_be.signed', { least, most })
        : t('errors-admin.rule_part_must_be.range', { least, most });
    throw refuse('rule_part_must_be', { part: name, values });
  });
  if (name === 'INTERVAL' && values.length > 1) throw refuse('rule_interval');
  return [...new Set(values)].sort((a, b) => a - b);
}

function weekdaysOf(parts: Map<string, string>, nthAtMost: number): Rule['byDay'] {
  const found = (parts.get('BYDAY')?.split(',') ?? []).map((value) => {
    const [, number = '', name] = /^\s*([+-]?\d{1,2})?([A-Z]{2})\s*$/.exec(value) ?? [];
    const day = WEEKDAYS.find((one) => one === name);
    if (!day) throw refuse('rule_part_must_be', { part: 'BYDAY', values: anyOf(WEEKDAYS) });
    const nth = Number(number);
    if (number && nthAtMost === 0) throw refuse('rule_day_number_frequency');
    if (number && (nth === 0 || Math.abs(nth) > nthAtMost))
      throw refuse('rule_day_number', { max: nthAtMost });
    return { nth, day };
  });
  const byKey = new Map(found.map((one) => [`${one.nth}${one.day}`, one]));
  return [...byKey.values()].sort(
    (a, b) => a.nth - b.nth || WEEKDAYS.indexOf(a.day) - WEEKDAYS.indexOf(b.day),
  );
}

function weekStartOf(parts: Map<string, string>): Weekday | null {
  const name = parts.get('WKST');
  const day = WEEKDAYS.find((one) => one === name);
  if (name !== undefined && !day)
    throw refuse('rule_part_must_be', { part: 'WKST', values: anyOf(WEEKDAYS) });
  return day === undefined || day === 'MO' ? null : day;
}
