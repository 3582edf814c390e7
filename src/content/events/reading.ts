import { readBody } from '#content/records/kind.ts';
import { getRevision, getRow } from '#content/records/reading.ts';
import { daysAfter, daysBetween } from '#content/recurrence/dates.ts';
import { describeSeries } from '#content/recurrence/sentence.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { badField } from '#kernel/http/errors.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import { locale } from '#kernel/locale.ts';
import type { EventBody } from './body.ts';
import { type EventDate, listEventDates, unfitChanges } from './dates.ts';
import { EVENT } from './kind.ts';
import type { Timed } from './times.ts';

const DAYS_AT_MOST = 800;
const DAYS = 366;

/** A date of an event in an API response. */
export interface EventDateJson {
  /** Its original local date, which identifies it for changes. */
  date: string;
  /** ISO 8601. */
  start: string;
  end: string;
  all_day: boolean;
  /** Present only when true: no end was entered, and `end` is the one that it is held to have. */
  open_ended?: true;
  title: string;
  place: string;
  note: string;
  cancelled: boolean;
  changed: boolean;
}

/** A date as far as its end depends on others. */
export type EventDateSpan = Timed & { place: string };

/**
 * Returns the dates of the newest version, and its rule in words.
 * @param ended gives a date without an end the one that it is held to have
 * @throws AppError 400, 404
 */
export function listDatesOf(
  ctx: Pick<Context, 'db' | 'now' | 'config'>,
  id: string,
  range: { from?: string | undefined; to?: string | undefined },
  ended: (date: EventDateSpan) => Timed,
): { dates: EventDateJson[]; sentence: string; unfit: string[] } {
  const { TIME_ZONE: house } = ctx.config;
  const from = range.from ?? localDate(ctx.now(), house);
  const to = range.to ?? daysAfter(from, DAYS);
  if (to < from) throw badField('to', 'before_from');
  if (daysBetween(from, to) > DAYS_AT_MOST) throw badField('to', 'too_many_days', { max: DAYS_AT_MOST });
  const body = getNewestEvent(ctx, id);
  const dates = listEventDates(body, from, to, house).map((date) => {
    const { openEnded, ...span } = date;
    const of = openEnded && (body.in_pub ? 'pub' : 'elsewhere');
    return dateJson(date, ended({ ...span, openEnded: of }).end);
  });
  return {
    dates,
    sentence: describeSeries(body).for({ ...ENGLISH, locale: locale() }),
    unfit: unfitChanges(body),
  };
}

/** Returns the newest version of an event. @throws AppError 404 */
export function getNewestEvent({ db, now }: Pick<Context, 'db' | 'now'>, id: string): EventBody {
  const row = getRow(db, EVENT, id, now());
  return readBody(EVENT, getRevision(db, row.id, row.version).body);
}

function dateJson(date: EventDate, end: number): EventDateJson {
  const { original, start, allDay, openEnded, title, place, note, cancelled, changed } = date;
  return {
    date: original,
    start: isoTime(start),
    end: isoTime(end),
    all_day: allDay,
    ...(openEnded && { open_ended: true }),
    title,
    place,
    note,
    cancelled,
    changed,
  };
}
