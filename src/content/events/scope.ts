import { daysAfter, daysBetween, listDates } from '#content/recurrence/dates.ts';
import { formatRule, parseRule, WEEKDAYS } from '#content/recurrence/rule.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { formatted } from '#kernel/language/words.ts';
import { dateInWords } from '#kernel/local-time.ts';
import { changeOf, type DateChange, type EventBody, isSeries, spanOf, type WallSpan } from './body.ts';
import { isDateOf, unfitChanges } from './dates.ts';

/** The fields that can be changed for the following or for all dates of a series. */
export type SeriesPatch = Partial<Omit<EventBody, 'changes' | 'stamps'>>;

/** How to handle changes whose date the series no longer has. */
export type Unfit = 'drop' | 'single';

/**
 * Changes one date, identified by its original local date. Once its date or times are changed, it keeps all of its own
 * times, even if those of the series change later.
 * @param change null removes the date's change
 * @throws AppError 400 for an event that is not a series, 404 for a date that it does not have
 */
export function changeDate(body: EventBody, date: string, change: DateChange | null): EventBody {
  ensureDate(body, date);
  const { [date]: before, ...others } = body.changes;
  if (change === null) return { ...body, changes: others };
  if (change.as === 'skipped') return { ...body, changes: { ...others, [date]: { as: 'skipped' } } };
  const merged = { ...(before?.as === 'skipped' ? {} : before), ...defined(change) };
  const changes = { ...others, [date]: { ...merged, ...settledSpan(body, date, merged) } };
  return { ...body, changes };
}

/**
 * Ends a series on the day before a date and continues it from there as a new one, changed by `patch`. Changes and
 * extra dates from then on move to the new series, so each date keeps its original date.
 * @returns `next` undefined when the rest is skipped (`as: skipped`); `body` undefined when no dates come before;
 * `unfit` as in `changeSeries`
 * @throws AppError 400, 404 as in `changeDate`
 */
export function splitSeries(
  body: EventBody,
  date: string,
  as: DateChange['as'],
  patch: SeriesPatch = {},
): { body: EventBody | undefined; next: EventBody | undefined; unfit: string[] } {
  ensureDate(body, date);
  const before = ending(body, daysAfter(date, -1));
  if (as === 'skipped') return { body: before, next: undefined, unfit: [] };
  const next = patched(startingAt(body, date), date, as, patch);
  return { body: before, next, unfit: unfitChanges(next) };
}

/**
 * Changes all dates of a series. Changes of single dates are kept.
 * @returns `unfit`: the dates of changes that are not dates of the series any more; they are still in the body
 */
export function changeSeries(
  body: EventBody,
  date: string,
  as: DateChange['as'],
  patch: SeriesPatch = {},
): { body: EventBody; unfit: string[] } {
  ensureDate(body, date);
  if (as === 'skipped') throw badField('as', 'every_date_skipped');
  const after = patched(body, date, as, patch);
  return { body: after, unfit: unfitChanges(after) };
}

/**
 * Removes the changes whose date the series no longer has: drops them, or turns those that were not skipped into single
 * events.
 * @param before the series that still had these dates
 * @throws AppError 409 that lists them, if there is no `choice`
 */
export function settleUnfit(
  body: EventBody,
  before: EventBody,
  choice: Unfit | undefined,
): { body: EventBody; singles: EventBody[] } {
  const unfit = unfitChanges(body);
  if (unfit.length > 0 && choice === undefined) throw unfitConflict(before, unfit);
  const changes = Object.fromEntries(Object.entries(body.changes).filter(([date]) => !unfit.includes(date)));
  const kept = unfit.filter((date) => changeOf(before, date)?.as !== 'skipped');
  const singles = choice === 'single' ? kept.map((date) => singleOf(before, date)) : [];
  return { body: { ...body, changes }, singles };
}

/** Returns one date of a series as a single event. */
function singleOf(body: EventBody, date: string): EventBody {
  const change = changeOf(body, date);
  return {
    ...body,
    ...spanOf(body, date, change),
    title: change?.title ?? body.title,
    place: change?.place ?? body.place,
    description: [change?.note, body.description].filter(Boolean).join('\n\n'),
    rule: null,
    until: null,
    extra: [],
    changes: {},
    stamps: null,
    cancelled: body.cancelled || change?.as === 'cancelled',
  };
}

const unfitConflict = (before: EventBody, dates: string[]) =>
  conflict(
    'dates_without_series',
    { dates: formatted(() => dates.map(dateInWords).join('; ')) },
    { extra: { unfit: dates.map((date) => ({ date, ...changeOf(before, date) })) } },
  );

function ensureDate(body: EventBody, date: string): void {
  if (!isSeries(body)) throw badField('date', 'not_repeating');
  if (!isDateOf(body, date)) throw notFound('no_such_date', { date });
}

/** Returns the part of a series up to a date; undefined if it has no dates. */
function ending(body: EventBody, last: string): EventBody | undefined {
  const extra = body.extra.filter((date) => date <= last);
  const changes = changesWhere(body, (date) => date <= last);
  if (body.date > last) {
    const [first, ...more] = extra;
    return first === undefined ? undefined : { ...body, ...noRule, date: first, extra: more, changes };
  }
  const until = body.rule === null ? null : body.until !== null && body.until < last ? body.until : last;
  return { ...body, until, extra, changes };
}

const noRule = { rule: null, until: null };

/** Returns the part of a series from one of its dates on. */
function startingAt(body: EventBody, date: string): EventBody {
  const changes = changesWhere(body, (original) => original >= date);
  const extra = body.extra.filter((one) => one >= date);
  const byRule = { ...body, extra: [] };
  // Keeps the rhythm of the rule: if `date` is an extra date, the rule continues at its own next date.
  const [next] = listDates(byRule, date, body.until ?? daysAfter(date, 4_000));
  if (next !== undefined) {
    return { ...body, date: next, extra: extra.filter((one) => one !== next), changes };
  }
  const [first = date, ...more] = extra;
  return { ...body, ...noRule, date: first, extra: more, changes };
}

/** Returns a patched series; if the patch moves `date`, all dates move by the same number of days. */
function patched(body: EventBody, date: string, as: DateChange['as'], patch: SeriesPatch): EventBody {
  const { date: to = date, ...rest } = defined(patch);
  const days = daysBetween(date, to);
  const rule = days === 0 || rest.rule !== undefined ? {} : { rule: ruleMovedBy(body.rule, days) };
  const cancelled = as === 'cancelled' ? { cancelled: true } : {};
  return { ...body, ...rest, ...rule, date: daysAfter(body.date, days), ...cancelled };
}

/** @throws AppError 400 for a rule that cannot be moved automatically */
function ruleMovedBy(text: string | null, days: number): string | null {
  if (text === null) return null;
  const rule = parseRule(text);
  if (rule.byDay.length + rule.byMonthDay.length + rule.byMonth.length === 0) return text;
  if (rule.freq !== 'WEEKLY' || rule.byMonth.length > 0) throw badField('rule', 'rule_needed');
  const byDay = rule.byDay.map(({ day }) => ({ nth: 0, day: weekdayAfter(WEEKDAYS.indexOf(day), days) }));
  return formatRule(parseRule(formatRule({ ...rule, byDay })));
}

const weekdayAfter = (weekday: number, days: number) => WEEKDAYS[(((weekday + days) % 7) + 7) % 7]!;

/** Returns the times that a changed date keeps: all of them once it changes one. */
function settledSpan(body: EventBody, date: string, change: DateChange): Partial<WallSpan> {
  const says = [change.date, change.time, change.end_time, change.end_days].some((one) => one !== undefined);
  return says ? spanOf(body, date, change) : {};
}

const changesWhere = ({ changes }: EventBody, keep: (date: string) => boolean) =>
  Object.fromEntries(Object.entries(changes).filter(([date]) => keep(date)));

/** Returns a copy without undefined values. */
function defined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
