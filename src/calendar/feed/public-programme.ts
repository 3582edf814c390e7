import type { Context } from '#kernel/context.ts';
import { localDate, startOfDate } from '#kernel/local-time.ts';
import { type Program, programsOn, readProgramme } from './programme.ts';

/** Maximum number of programs on the page of the programme. */
const SHOWN_AT_MOST = 100;

/** The programme from now on. */
export interface ProgrammeAhead {
  /** Today's local date, `2026-12-05`. */
  today: string;
  /** By local date; programs that started earlier are listed under today. */
  days: readonly { day: string; programs: readonly Program[] }[];
  /** Number of programs beyond the 100 in `days`. */
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
  const ahead = listPrograms(ctx).filter(({ end }) => end > now);
  const from = startOfDate(today, zone) ?? now;
  const shown = ahead.slice(0, SHOWN_AT_MOST);
  const places = placesOf(shown);
  const place = places.includes(wanted) ? wanted : '';
  const chosen = shown.filter(({ location }) => place === '' || location.trim() === place);
  const byDay = Map.groupBy(chosen, ({ start }) => localDate(Math.max(start, from), zone));
  const days = [...byDay].map(([day, programs]) => ({ day, programs }));
  const more = ahead.length - shown.length;
  return { today, days, more, asOf: stale ? readAt : null, zone, places, place };
}

const PLACES_AT_MOST = 8;

function placesOf(programs: readonly Program[]): string[] {
  const byPlace = Map.groupBy(programs, ({ location }) => location.trim());
  byPlace.delete('');
  if (byPlace.size < 2) return [];
  const often = [...byPlace].sort(([, a], [, b]) => b.length - a.length);
  return often.slice(0, PLACES_AT_MOST).map(([place]) => place);
}

/**
 * Finds a program that is public: it is on the page of the programme, or was until it was over. Later dates are only
 * for subscribers.
 */
export function findPublicProgram(ctx: Context, id: string): Program | undefined {
  return listPublic(ctx).find((program) => program.id === id);
}

const DATES_AT_MOST = 5;

/** Lists the next dates of the same series without this one; none for a program without a series. */
export function listOtherDates(ctx: Context, { id }: Program): Program[] {
  const series = /^(.+-)\d{8}$/.exec(id)?.[1];
  if (series === undefined) return [];
  const isOther = (other: string) =>
    other !== id && other.startsWith(series) && /^\d{8}$/.test(other.slice(series.length));
  return listPublic(ctx)
    .filter((program) => isOther(program.id) && program.start > ctx.now())
    .slice(0, DATES_AT_MOST);
}

function listPublic(ctx: Context): Program[] {
  const now = ctx.now();
  const [over, ahead] = [
    listPrograms(ctx).filter(({ end }) => end <= now),
    listPrograms(ctx).filter(({ end }) => end > now),
  ];
  return [...over, ...ahead.slice(0, SHOWN_AT_MOST)];
}

function listPrograms(ctx: Context): Program[] {
  const { TIME_ZONE: zone } = ctx.config;
  return programsOn(readProgramme(ctx).content ?? [], localDate(ctx.now(), zone), zone);
}
