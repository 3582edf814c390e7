import type { EventBody } from '#content/events/body.ts';
import {
  formOfRepeat,
  REPEAT_KINDS,
  type Repeat,
  type RepeatForm,
  repeatOfForm,
} from '#content/recurrence/form.ts';
import { WEEKDAYS, type Weekday } from '#content/recurrence/rule.ts';
import { readTypedSpan, type TypedSpan } from '#content/times.ts';
import { AppError, type FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { forClub } from '#kernel/locale.ts';
import { type ContentForm, type FormValues, readNumber, readPicture, ticked, typed } from './form.ts';

const TEXTS = ['title', 'place', 'description', 'url'] as const;
const TICKS = ['in_pub', 'in_calendar', 'cancelled'] as const;

/**
 * The form of an event: its times as people type them, and its repetition as fields. An end later than the next day has
 * its own field.
 */
export const eventForm: ContentForm = {
  toForm(body) {
    const event = body as EventBody;
    const { date, time, end_time, end_days, tag, picture, announce_from } = event;
    const repeat = formOfRepeat(event, date);
    return {
      ...Object.fromEntries(TEXTS.map((name) => [name, event[name]])),
      ...Object.fromEntries(TICKS.map((name) => [name, String(event[name])])),
      tag: tag ?? '',
      date,
      time: time ?? '',
      end_time: end_time ?? '',
      end_days: daysInField({ time, end_time, end_days }),
      ...repeatValues(repeat),
      announce_from: announce_from ?? '',
      'picture.id': picture ?? '',
    };
  },
  fromForm(entered, base) {
    const problems: FieldError[] = [];
    const span = readSpan(entered, problems);
    const date = typed(entered, 'date');
    const repeat = readRepeat(entered, date, problems);
    if (problems.length > 0) throw AppError.of(400, problems[0]!, { errors: problems });
    const { zone } = (base as EventBody | undefined) ?? { zone: null };
    return {
      ...Object.fromEntries(TEXTS.map((name) => [name, typed(entered, name)])),
      ...Object.fromEntries(TICKS.map((name) => [name, typed(entered, name) === 'true'])),
      tag: typed(entered, 'tag') || null,
      announce_from: typed(entered, 'announce_from') || null,
      zone,
      date,
      ...span,
      ...repeat,
      ...readPicture(entered),
    };
  },
};

/** Returns the initial values of the form for a new event. */
export function beginEvent(date: string): FormValues {
  const repeat = formOfRepeat({ rule: null, until: null, extra: [] }, date);
  return {
    place: forClub(t('content-admin.fields.pub')),
    in_pub: 'true',
    in_calendar: 'true',
    date,
    ...repeatValues(repeat),
  };
}

/** Reads the typed times, and the number of days of a longer event. */
export function readSpan(
  entered: Readonly<Record<string, unknown>>,
  problems: FieldError[],
): Omit<TypedSpan, 'end_days'> & { end_days: unknown } {
  const days = readNumber(typed(entered, 'end_days'));
  const [from, until] = [typed(entered, 'time'), typed(entered, 'end_time')];
  const read = readTypedSpan(from, until);
  if ('span' in read) return { ...read.span, end_days: days ?? read.span.end_days };
  // If the end is on a later day, equal times of day are valid.
  const isLonger = typeof days === 'number' && days > 0;
  const again = isLonger ? readTypedSpan(from, '') : read;
  const end = isLonger ? readTypedSpan(until, '') : read;
  if ('span' in again && 'span' in end && again.span.time !== null && end.span.time !== null)
    return { time: again.span.time, end_time: end.span.time, end_days: days };
  problems.push(...('problems' in read ? read.problems : []));
  return { time: null, end_time: null, end_days: 0 };
}

/** Returns the value of the end-day field: empty if the times alone imply the end day. */
function daysInField({ time, end_time, end_days }: TypedSpan): string {
  const said = time !== null && end_time !== null && end_time <= time ? 1 : 0;
  return end_days === said && end_time !== time ? '' : end_days === 0 ? '' : String(end_days);
}

const repeatValues = ({ weekdays, nths, ...texts }: RepeatForm): FormValues => ({
  ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [fieldOf(name), value])),
  weekdays,
  nths,
});

/** Renames `until`, which could mean something else in the form. */
const fieldOf = (name: string) => (name === 'until' ? 'last_date' : name);

function readRepeat(
  entered: Readonly<Record<string, unknown>>,
  date: string,
  problems: FieldError[],
): Repeat | undefined {
  const one = <T extends string>(value: string, known: readonly T[], otherwise: T): T =>
    known.find((each) => each === value) ?? otherwise;
  const form: RepeatForm = {
    repeat: one(typed(entered, 'repeat'), REPEAT_KINDS, 'none'),
    every: typed(entered, 'every') || '1',
    weekdays: ticked(entered, 'weekdays').filter((day): day is Weekday =>
      WEEKDAYS.some((known) => known === day),
    ),
    month_day: typed(entered, 'month_day'),
    nths: ticked(entered, 'nths'),
    nth_weekday: one(typed(entered, 'nth_weekday'), WEEKDAYS, 'MO'),
    dates: ticked(entered, 'dates').join('\n'),
    own: typed(entered, 'own'),
    ends: one(typed(entered, 'ends'), ['never', 'on', 'after'], 'never'),
    until: typed(entered, 'last_date'),
    times: typed(entered, 'times'),
  };
  // A rule cannot be read without its start date; the missing date is refused later.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return { rule: null, until: null, extra: [] };
  try {
    return repeatOfForm(form, date);
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error;
    problems.push(...error.errors.map((problem) => ({ ...problem, path: fieldOf(problem.path) })));
    return undefined;
  }
}
