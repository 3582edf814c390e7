import type { Context } from '#kernel/context.ts';
import { localDate, startOfDate } from '#kernel/local-time.ts';
import { type Program, programsOn, readProgramme } from './programme.ts';

/** A series is listed once, with so many of its further dates; the others are counted. */
const NEXT_DATES = 3;
/** Maximum number of entries on the page of the programme. */
const SHOWN_AT_MOST = 100;

/** A program without a series, or the next date of a series. */
export interface ProgrammeEntry {
  program: Program;
  /** The dates of the series that follow. */
  next: readonly Program[];
  /** How many dates the series has after `next`. */
  further: number;
}

/** The programme from now on. */
export interface ProgrammeAhead {
  /** Today's local date, `2026-12-05`. */
  today: string;
  /** By local date; programs that started earlier are listed under today. */
  days: readonly { day: string; entries: readonly ProgrammeEntry[] }[];
  /** Number of entries beyond the 100 in `days`. */
  more: number;
  /** The time at which the programme was read, in milliseconds, if it is stale; else null. */
  asOf: number | null;
  zone: string;
  /** Places to filter by, the most frequent first; none if there is only one place. */
  places: readonly string[];
  /** The chosen place; empty for all. */
  place: string;
}

/** Lists the programs from now on, day by day. @param wanted a place to filter by; unknown places are ignored */
export function listProgrammeAhead(ctx: Context, wanted = ''): ProgrammeAhead {
  const zone = ctx.config.TIME_ZONE;
  const now = ctx.now();
  const today = localDate(now, zone);
  const { readAt, stale } = readProgramme(ctx);
  const entries = foldSeries(listPrograms(ctx).filter(({ end }) => end > now));
  const shown = entries.slice(0, SHOWN_AT_MOST);
  const places = placesOf(shown.map(({ program }) => program));
  const place = places.includes(wanted) ? wanted : '';
  const chosen = shown.filter(
    ({ program, next }) =>
      place === '' || [program, ...next].some(({ location }) => location.trim() === place),
  );
  const from = startOfDate(today, zone) ?? now;
  const byDay = Map.groupBy(chosen, ({ program }) => localDate(Math.max(program.start, from), zone));
  return {
    today,
    days: [...byDay].map(([day, entries]) => ({ day, entries })),
    more: entries.length - shown.length,
    asOf: stale ? readAt : null,
    zone,
    places,
    place,
  };
}

/** One entry for each series and each program without one, in the order of their next dates. */
function foldSeries(ahead: readonly Program[]): ProgrammeEntry[] {
  const bySeries = Map.groupBy(ahead, (program) => seriesOf(program) ?? program);
  return [...bySeries.values()].flatMap(([program, ...others]) => {
    const next = others.slice(0, NEXT_DATES);
    return program ? { program, next, further: others.length - next.length } : [];
  });
}

/** The same for all dates of a series: what the ids of ours begin with. Undefined for a program without a series. */
const seriesOf = ({ id, series }: Pick<Program, 'id' | 'series'>): string | undefined =>
  series ?? /^(.+-)\d{8}$/.exec(id)?.[1];

const PLACES_AT_MOST = 8;

function placesOf(programs: readonly Program[]): string[] {
  const byPlace = Map.groupBy(programs, ({ location }) => location.trim());
  byPlace.delete('');
  if (byPlace.size < 2) return [];
  const often = [...byPlace].sort(([, a], [, b]) => b.length - a.length);
  return often.slice(0, PLACES_AT_MOST).map(([place]) => place);
}

/**
 * Finds a program that is public: it is on the page of the programme or among the next 100, or was until it was over.
 * Later dates are only for subscribers.
 */
export function findPublicProgram(ctx: Context, id: string): Program | undefined {
  return listPublic(ctx).find((program) => program.id === id);
}

const DATES_AT_MOST = 5;

/** Lists the next dates of the same series without this one; none for a program without a series. */
export function listOtherDates(ctx: Context, program: Program): Program[] {
  const { id } = program;
  const series = seriesOf(program);
  if (series === undefined) return [];
  return listPublic(ctx)
    .filter((other) => other.id !== id && seriesOf(other) === series && other.start > ctx.now())
    .slice(0, DATES_AT_MOST);
}

function listPublic(ctx: Context): Program[] {
  const now = ctx.now();
  const [over, ahead] = [
    listPrograms(ctx).filter(({ end }) => end <= now),
    listPrograms(ctx).filter(({ end }) => end > now),
  ];
  const entries = foldSeries(ahead).slice(0, SHOWN_AT_MOST);
  const shown = new Set(entries.flatMap(({ program, next }) => [program, ...next]));
  return [...over, ...ahead.filter((program, index) => index < SHOWN_AT_MOST || shown.has(program))];
}

function listPrograms(ctx: Context): Program[] {
  const { TIME_ZONE: zone } = ctx.config;
  return programsOn(readProgramme(ctx).content ?? [], localDate(ctx.now(), zone), zone);
}
