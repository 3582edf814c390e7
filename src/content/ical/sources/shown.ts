import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { addDays, localDate } from '#kernel/local-time.ts';
import { sha256 } from '#kernel/secrets.ts';
import type { CalendarEntry } from '../../events/shown.ts';
import { EVENT } from '../../kinds/event.ts';
import { listPublished } from '../../records/published.ts';
import type { IcalDate, IcalTexts } from '../content.ts';
import { keptContent } from './content-of.ts';
import type { GOES_TO, IcalFilter } from './input.ts';
import { filterOf, goesToOf, listRows, type SourceRow } from './rows.ts';

/** A date of a source. Its id stays the same for as long as the date exists, moved or not; `end` is always after `start`. */
export type IcalEvent = CalendarEntry;

/** A holiday that the club may want other hours for. */
export interface Holiday {
  /** `2026-12-25` */
  date: string;
  title: string;
}

const HOLIDAYS_LISTED = 12;

/**
 * The dates of all sources that go there, by their start, but for those of which the club shows a copy of its own: the
 * same list until one of these changes.
 */
export function listIcalEvents(ctx: Context, goesTo: (typeof GOES_TO)[number]): readonly IcalEvent[] {
  const sources = sourcesOf(ctx);
  const copied = copiedIds(ctx);
  return ctx.derived.get(`calendars for ${goesTo}`, [sources, copied], () =>
    sources
      .filter((source) => goesToOf(source).includes(goesTo))
      .flatMap((source) => eventsOf(ctx, source))
      .filter(({ id }) => !copied.has(id))
      .sort((a, b) => a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : 1)),
  );
}

/** What the origin of a copy begins with; the id of the date follows. */
export const COPY_OF = 'ical:';

function copiedIds(ctx: Context): ReadonlySet<string> {
  const own = listPublished(ctx, EVENT);
  return ctx.derived.get('copies of calendars', [own], () => {
    const origins = own.flatMap(({ origin }) => (origin?.startsWith(COPY_OF) ? origin : []));
    return new Set(origins.map((origin) => origin.slice(COPY_OF.length)));
  });
}

/** The dates of one source that its filter lets through, by their start. */
export const listSourceEvents = (ctx: Context, id: string): IcalEvent[] =>
  sourcesOf(ctx)
    .filter((source) => source.id === id)
    .flatMap((source) => eventsOf(ctx, source))
    .sort((a, b) => a.start - b.start);

/** The next twelve days that the sources of holidays name, today included. They close nothing by themselves. */
export function listHolidays(ctx: Context): Holiday[] {
  const { TIME_ZONE: zone } = ctx.config;
  const now = ctx.now();
  const holidays = sourcesOf(ctx)
    .filter((source) => goesToOf(source) === 'holidays')
    .flatMap((source) => eventsOf(ctx, source))
    .filter(({ end, cancelled }) => end > now && !cancelled)
    .flatMap((event) => daysOf(event, zone));
  const today = localDate(now, zone);
  const byDay = Map.groupBy(holidays, ({ date }) => date);
  return [...byDay]
    .filter(([date]) => date >= today)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, HOLIDAYS_LISTED)
    .map(([date, same]) => ({ date, title: [...new Set(same.map(({ title }) => title))].join(', ') }));
}

function daysOf({ start, end, title }: IcalEvent, zone: string): Holiday[] {
  const days: Holiday[] = [];
  for (let at = start; at < end && days.length < 60; at = addDays(at, 1, zone))
    days.push({ date: localDate(at, zone), title });
  return days;
}

const sourcesOf = (ctx: Context): readonly SourceRow[] =>
  ctx.derived.get('content of ical', [], () => listRows(ctx.db));

function eventsOf(ctx: Context, source: SourceRow): IcalEvent[] {
  const { texts = [], dates = [] } = keptContent(ctx, source.id) ?? {};
  const filter = filterOf(source);
  return dates.flatMap((date) => {
    const text = texts[date.of];
    return text && passes(filter, text) ? [toEvent(source, date, text)] : [];
  });
}

function passes(filter: IcalFilter | null, { title, place, categories }: IcalTexts): boolean {
  if (!filter) return true;
  const values = { title: [title], place: [place], category: categories }[filter.field];
  const wanted = filter.contains.toLowerCase();
  return values.some((value) => value.toLowerCase().includes(wanted));
}

function toEvent({ id, place, prefix }: SourceRow, date: IcalDate, texts: IcalTexts): IcalEvent {
  const { start, end, allDay, cancelled, changedAt } = date;
  return {
    id: sha256(`${id} ${date.key}`).slice(0, 32),
    title: prefix ? `${prefix} ${texts.title}` : texts.title,
    start,
    end: Math.max(end, start + MINUTE),
    allDay,
    location: texts.place || (place ?? ''),
    description: texts.description,
    url: texts.url,
    cancelled,
    editedAt: changedAt,
  };
}
