import type { Context } from '#kernel/context.ts';
import { addDays, localDate, startOfDate } from '#kernel/local-time.ts';
import { type Program, programsOn, readProgramme } from './programme.ts';

/** Of a series, the dates of so many days are on the page of the programme; further ones are counted. */
const SERIES_DAYS = 60;
/** Maximum number of programs on the page of the programme. */
const SHOWN_AT_MOST = 100;

/** The programme from now on. */
export interface ProgrammeAhead {
  /** Today's local date, `2026-12-05`. */
  today: string;
  /** By local date; programs that started earlier are listed under today. */
  days: readonly { day: string; programs: readonly Program[] }[];
  /** Series with further dates, after those in `days`: the first and the last of these, and how many they are. */
  later: readonly { first: Program; last: Program; count: number }[];
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
  const { listed, further } = foldSeries(ahead, addDays(from, SERIES_DAYS, zone));
  const shown = listed.slice(0, SHOWN_AT_MOST);
  const places = placesOf(shown);
  const place = places.includes(wanted) ? wanted : '';
  const isChosen = ({ location }: Program) => place === '' || location.trim() === place;
  const chosen = shown.filter(isChosen);
  const byDay = Map.groupBy(chosen, ({ start }) => localDate(Math.max(start, from), zone));
  const days = [...byDay].map(([day, programs]) => ({ day, programs }));
  const later = [...Map.groupBy(further.filter(isChosen), seriesOf).values()].flatMap((dates) => {
    const [first, last] = [dates[0], dates.at(-1)];
    return first && last ? { first, last, count: dates.length } : [];
  });
  const more = listed.length - shown.length;
  return { today, days, later, more, asOf: stale ? readAt : null, zone, places, place };
}

/** Divides programs: those to list, and the dates of series from `until` on, but for the next date of each series. */
function foldSeries(ahead: readonly Program[], until: number) {
  const known = new Set<string | undefined>();
  const isFurther = (program: Program): boolean => {
    const series = seriesOf(program);
    const isKnown = known.has(series);
    known.add(series);
    return series !== undefined && isKnown && program.start >= until;
  };
  const { listed = [], further = [] } = Object.groupBy(ahead, (program) =>
    isFurther(program) ? 'further' : 'listed',
  );
  return { listed, further };
}

/** What the ids of all dates of a series begin with; undefined for a program without a series. */
const seriesOf = ({ id }: Pick<Program, 'id'>): string | undefined => /^(.+-)\d{8}$/.exec(id)?.[1];

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
export function listOtherDates(ctx: Context, { id }: Program): Program[] {
  const series = seriesOf({ id });
  if (series === undefined) return [];
  return listPublic(ctx)
    .filter((other) => other.id !== id && seriesOf(other) === series && other.start > ctx.now())
    .slice(0, DATES_AT_MOST);
}

function listPublic(ctx: Context): Program[] {
  const now = ctx.now();
  const { TIME_ZONE: zone } = ctx.config;
  const [over, ahead] = [
    listPrograms(ctx).filter(({ end }) => end <= now),
    listPrograms(ctx).filter(({ end }) => end > now),
  ];
  const from = startOfDate(localDate(now, zone), zone) ?? now;
  const { listed } = foldSeries(ahead, addDays(from, SERIES_DAYS, zone));
  const shown = new Set(listed.slice(0, SHOWN_AT_MOST));
  return [...over, ...ahead.filter((program, index) => index < SHOWN_AT_MOST || shown.has(program))];
}

function listPrograms(ctx: Context): Program[] {
  const { TIME_ZONE: zone } = ctx.config;
  return programsOn(readProgramme(ctx).content ?? [], localDate(ctx.now(), zone), zone);
}
