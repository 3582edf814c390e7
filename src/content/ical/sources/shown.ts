import { isDeepStrictEqual } from 'node:util';
import { EVENT } from '#content/events/kind.ts';
import type { CalendarEntry } from '#content/events/shown.ts';
import type { IcalDate, IcalTexts } from '#content/ical/content.ts';
import { listPublished } from '#content/records/published.ts';
import { kept } from '#kernel/cache.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { addDays, localDate } from '#kernel/local-time.ts';
import { sha256 } from '#kernel/secrets.ts';
import { keptContent } from './content-of.ts';
import type { GOES_TO, IcalFilter } from './input.ts';
import { filterOf, goesToOf, listRows, type SourceRow } from './rows.ts';

/** A date of a source. Its id is stable while the date exists, even if it is moved; `end` is always after `start`. */
export type IcalEvent = CalendarEntry & {
  /** The same for all dates of a series. */
  series?: string | undefined;
};

/** A holiday, for which the club may want different opening hours. */
export interface Holiday {
  /** `2026-12-25` */
  date: string;
  title: string;
}

const HOLIDAYS_LISTED = 12;

const SOURCES = kept<readonly SourceRow[]>();
const COPIED = kept<ReadonlySet<string>>();
/** By where they go. */
const EVENTS = kept<readonly IcalEvent[]>();

/**
 * Returns the dates of all sources shown there, ordered by start, without those of which the club shows its own copy.
 * The same array is returned until one of these changes.
 */
export function listIcalEvents(ctx: Context, goesTo: (typeof GOES_TO)[number]): readonly IcalEvent[] {
  const sources = sourcesOf(ctx);
  const copied = copiedIds(ctx);
  const make = () =>
    sources
      .filter((source) => goesToOf(source).includes(goesTo))
      .flatMap((source) => eventsOf(ctx, source))
      .filter(({ id }) => !copied.has(id))
      .sort((a, b) => a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : 1));
  return ctx.cache.get(EVENTS, goesTo, make, [sources, copied]);
}

/** Prefix of the origin of a copy; the id of the date follows. */
export const COPY_OF = 'ical:';

function copiedIds(ctx: Context): ReadonlySet<string> {
  const own = listPublished(ctx, EVENT);
  const make = () => {
    const origins = own.flatMap(({ origin }) => (origin?.startsWith(COPY_OF) ? origin : []));
    return new Set(origins.map((origin) => origin.slice(COPY_OF.length)));
  };
  return ctx.cache.get(COPIED, '', make, [own]);
}

/** Returns the dates of one source that pass its filter, ordered by start. */
export const listSourceEvents = (ctx: Context, id: string): IcalEvent[] =>
  sourcesOf(ctx)
    .filter((source) => source.id === id)
    .flatMap((source) => eventsOf(ctx, source))
    .sort((a, b) => a.start - b.start);

/** Returns the next twelve days named by holiday sources, including today. They do not change any hours themselves. */
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

/** Returns the same array until a source or its content is stored: each reading has its own times in the row. */
function sourcesOf(ctx: Context): readonly SourceRow[] {
  const make = (before?: readonly SourceRow[]) => {
    const rows = listRows(ctx.db);
    return isDeepStrictEqual(rows, before) ? before! : rows;
  };
  return ctx.cache.get(SOURCES, '', make, [ctx.hub.version('content')]);
}

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

function toEvent(source: SourceRow, date: IcalDate, texts: IcalTexts): IcalEvent {
  const { id, place, prefix } = source;
  const { start, end, openEnded, allDay, cancelled, changedAt, series } = date;
  return {
    id: sha256(`${id} ${date.key}`).slice(0, 32),
    title: prefix ? `${prefix} ${texts.title}` : texts.title,
    start,
    end: Math.max(end, start + MINUTE),
    allDay,
    ...(openEnded && { openEnded: goesToOf(source).includes('screens') ? 'pub' : 'elsewhere' }),
    location: texts.place || (place ?? ''),
    description: texts.description,
    url: texts.url,
    cancelled,
    editedAt: changedAt,
    ...(series !== undefined && { series: `${id} ${series}` }),
  };
}
