import { badField, badFields, fieldErrorOf } from '#kernel/http/errors.ts';
import { nthDate } from './dates.ts';
import { formatRule, parseRule, plainRule, type Rule, readRule, WEEKDAYS, type Weekday } from './rule.ts';

/** The form fields of a repetition. Fields that `repeat` does not use are ignored. */
export interface RepeatForm {
  repeat: RepeatKind;
  /** The interval in days, weeks, months or years. */
  every: string;
  /** The weekdays of a weekly repetition. */
  weekdays: Weekday[];
  /** Day of the month; empty for the day of the start date. */
  month_day: string;
  /** Which weekdays of the month: 1 to 4, or -1 for the last. */
  nths: string[];
  /** The weekday that `nths` count. */
  nth_weekday: Weekday;
  /** Further dates, one per line. */
  dates: string;
  /** A rule as text. */
  own: string;
  ends: 'never' | 'on' | 'after';
  /** A date, for `on`. */
  until: string;
  /** For `after`. */
  times: string;
}

export const REPEAT_KINDS = [
  'none',
  'daily',
  'weekly',
  'month_day',
  'month_last',
  'month_weekday',
  'yearly',
  'dates',
  'own',
] as const;
export type RepeatKind = (typeof REPEAT_KINDS)[number];

/** The stored fields of a repetition. */
export interface Repeat {
  rule: string | null;
  until: string | null;
  extra: string[];
}

const NTHS = [1, 2, 3, 4, -1];
/** The most times that fit into ten years. */
const TIMES_AT_MOST = 3_660;

/**
 * Reads the fields of a series that starts on `date`. "After N times" is converted to the date of the Nth time.
 * @throws AppError 400 that names the field
 */
export function repeatOfForm(form: RepeatForm, date: string): Repeat {
  if (form.repeat === 'none') return { rule: null, until: null, extra: [] };
  if (form.repeat === 'dates') return { rule: null, until: null, extra: readDates(form.dates) };
  const rule = formatRule(form.repeat === 'own' ? ownRule(form.own) : ruleOfForm(form));
  return { rule, until: endOfForm(form, rule, date), extra: readDates(form.dates) };
}

/** Returns the form fields of a stored repetition; a rule that the fields cannot express is shown as text. */
export function formOfRepeat({ rule, until, extra }: Repeat, date: string): RepeatForm {
  const day = Temporal.PlainDate.from(date);
  const form: RepeatForm = {
    repeat: rule !== null ? 'own' : extra.length > 0 ? 'dates' : 'none',
    every: '1',
    // Empty: the weekday of the start date, even if that changes.
    weekdays: [],
    month_day: '',
    nths: [],
    nth_weekday: WEEKDAYS[day.dayOfWeek - 1]!,
    dates: extra.join('\n'),
    own: rule ?? '',
    ends: until === null ? 'never' : 'on',
    until: until ?? '',
    times: '',
  };
  if (rule === null) return form;
  const parsed = parseRule(rule);
  const filled = { ...form, every: String(parsed.interval), ...fieldsOf(parsed) };
  // The fields are used only if they express exactly the same rule.
  const same = filled.repeat !== 'own' && formatRule(ruleOfForm(filled)) === rule;
  return same ? filled : form;
}

function fieldsOf(rule: Rule): Partial<RepeatForm> {
  if (rule.freq === 'DAILY') return { repeat: 'daily' };
  if (rule.freq === 'WEEKLY') {
    return { repeat: 'weekly', weekdays: rule.byDay.map(({ day }) => day) };
  }
  if (rule.freq === 'YEARLY') return { repeat: 'yearly' };
  const [monthDay] = rule.byMonthDay;
  const [first] = rule.byDay;
  if (first) {
    if (rule.byDay.some(({ nth }) => !NTHS.includes(nth))) return { repeat: 'own' };
    const nths = rule.byDay.map(({ nth }) => String(nth));
    return { repeat: 'month_weekday', nths, nth_weekday: first.day };
  }
  if (monthDay === -1) return { repeat: 'month_last' };
  return { repeat: 'month_day', month_day: monthDay === undefined ? '' : String(monthDay) };
}

function ruleOfForm(form: RepeatForm): Rule {
  const interval = readNumber('every', form.every, 366);
  switch (form.repeat) {
    case 'daily':
      return plainRule('DAILY', interval);
    case 'weekly':
      return { ...plainRule('WEEKLY', interval), byDay: inWeek(form.weekdays) };
    case 'month_day':
      return {
        ...plainRule('MONTHLY', interval),
        byMonthDay: form.month_day.trim() === '' ? [] : [readNumber('month_day', form.month_day, 31)],
      };
    case 'month_last':
      return { ...plainRule('MONTHLY', interval), byMonthDay: [-1] };
    case 'month_weekday':
      return { ...plainRule('MONTHLY', interval), byDay: nthsOf(form) };
    default:
      return plainRule('YEARLY', interval);
  }
}

function ownRule(text: string): Rule {
  const read = readRule(text);
  if ('problem' in read) throw badFields([fieldErrorOf('own', read.problem)]);
  return read.rule;
}

const inWeek = (days: Weekday[]) =>
  WEEKDAYS.filter((day) => days.includes(day)).map((day) => ({ nth: 0, day }));

function nthsOf({ nths, nth_weekday }: RepeatForm): Rule['byDay'] {
  const numbers = [...new Set(nths.map(Number))].sort((a, b) => a - b);
  if (numbers.length === 0) throw badField('nths', 'choose_nth');
  if (numbers.some((nth) => !NTHS.includes(nth))) throw badField('nths', 'not_nth');
  return numbers.map((nth) => ({ nth, day: nth_weekday }));
}

function endOfForm({ ends, until, times }: RepeatForm, rule: string, date: string): string | null {
  if (ends === 'never') return null;
  if (ends === 'on') return readDate('until', until);
  const last = nthDate(rule, date, readNumber('times', times, TIMES_AT_MOST));
  if (last === undefined) throw badField('times', 'over_ten_years');
  return last;
}

function readNumber(field: string, text: string, most: number): number {
  const number = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most) throw badField(field, 'not_number_up_to', { max: most });
  return number;
}

/** Reads dates separated by line breaks, spaces, commas or semicolons. */
function readDates(text: string): string[] {
  const dates = text.split(/[\s,;]+/).filter(Boolean);
  return [...new Set(dates.map((date) => readDate('dates', date)))].sort();
}

function readDate(field: string, text: string): string {
  try {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text.trim())) throw new RangeError(text);
    return Temporal.PlainDate.from(text.trim(), { overflow: 'reject' }).toString();
  } catch {
    throw badField(field, 'not_typed_date', { text: JSON.stringify(text.slice(0, 20)) });
  }
}
