import type { Context } from '#kernel/context.ts';
import { localDate, startOfDate } from '#kernel/local-time.ts';
import { type Program, programsOn, readProgramme } from './programme.ts';

/** Programs on the page of the programme. */
const SHOWN_AT_MOST = 100;

/** The programme from now on. */
export interface ProgrammeAhead {
  /** Today's local date, `2026-12-05`. */
  today: string;
  /** By the local date under which they are listed: what began earlier is listed today. */
  days: readonly { day: string; programs: readonly Program[] }[];
  /** How many there are beyond the 100 in `days`. */
  more: number;
  /** When the programme was read, in milliseconds, where that is long ago. */
  asOf: number | null;
  zone: string;
  /** Places that one may look at alone, the most frequent first; none while there is one place only. */
  places: readonly string[];
  /** The one of them that was chosen; empty for all. */
  place: string;
}

/** Lists what is on from now on, day by day. @param wanted a place to look at alone; one that is not known is none */
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
 * A program that anybody may look up: it is on the page of the programme, or was until it was over. Later dates are for
 * those who subscribe.
 */
export function findPublicProgram(ctx: Context, id: string): Program | undefined {
  return listPublic(ctx).find((program) => program.id === id);
}

const DATES_AT_MOST = 5;

/** The next dates of the same series without this one; none of a program that has no series. */
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
