import { type Kept, kept, oncePerObject } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import { localDate } from '#kernel/local-time.ts';
import { findContent } from '#kernel/workspace/stored-source.ts';
import { LIMITS } from './events/check.ts';
import { EVENT } from './events/kind.ts';
import { datesOf, type EventRecord } from './events/shown.ts';
import { type Closers, closedBy, startsByPlace, type Timed } from './events/times.ts';
import { listIcalEvents } from './ical/sources/shown.ts';
import { HOURS } from './kinds/hours.ts';
import { SPECIAL } from './kinds/special.ts';
import { shiftsOn } from './opening-hours.ts';
import { listPublished } from './records/published.ts';
import { daysAfter } from './recurrence/dates.ts';
import { mergeOpenings, readShiftContent } from './shifts.ts';

/** The dates of each record, until the day changes. */
const EXPAND = kept<(record: EventRecord) => ReturnType<typeof datesOf>>();
const STARTS = kept<ReturnType<typeof startsByPlace>>();
const CLOSINGS = kept<Closers['closingAfter']>();

/**
 * Returns what ends events that have no end: the published events of the club, those of external calendars, and the hours
 * of the pub. Each part is the same object until what it is made of changes.
 */
function findClosers(ctx: Context): Closers {
  const { TIME_ZONE: zone } = ctx.config;
  const today = localDate(ctx.now(), zone);
  const own = listPublished(ctx, EVENT);
  const foreign = [listIcalEvents(ctx, 'screens'), listIcalEvents(ctx, 'calendar')] as const;
  const { back, ahead } = LIMITS.window;
  const makeExpand = () => {
    const window = { from: daysAfter(today, -back), until: daysAfter(today, ahead) };
    return oncePerObject((record: EventRecord) => datesOf(record.body, window, zone));
  };
  const expand = ctx.cache.get(EXPAND, '', makeExpand, [today, zone]);
  const makeStarts = () =>
    startsByPlace([
      ...own
        .filter(({ body }) => body.in_pub || body.in_calendar)
        .flatMap(expand)
        .map((event) => ({ event, place: event.place })),
      ...foreign.flat().map((event) => ({ event, place: event.location })),
    ]);
  return {
    starts: ctx.cache.get(STARTS, '', makeStarts, [own, ...foreign, expand]),
    closingAfter: closingsOf(ctx),
  };
}

/** The closings of the pub: as the shifts have them where these reach, else by the club's own hours. */
function closingsOf(ctx: Context): Closers['closingAfter'] {
  const { TIME_ZONE: zone } = ctx.config;
  const { content } = readShiftContent(ctx, findContent);
  const [hours, specials] = [listPublished(ctx, HOURS), listPublished(ctx, SPECIAL)];
  const make = (): Closers['closingAfter'] => {
    const near = mergeOpenings(content ?? []);
    const reach = near.at(-1)?.opens ?? Number.NEGATIVE_INFINITY;
    const byDate = new Map<string, number[]>();
    const ofDate = (date: string) =>
      byDate.getOrInsertComputed(date, () =>
        mergeOpenings(shiftsOn({ hours, specials, rosters: [] }, date, zone)).map(({ closes }) => closes),
      );
    return (at) => {
      const date = localDate(at, zone);
      const closings =
        at < reach ? near.map(({ closes }) => closes) : [daysAfter(date, -1), date].flatMap(ofDate);
      return closings.find((closes) => closes > at);
    };
  };
  return ctx.cache.get(CLOSINGS, '', make, [content, hours, specials, zone]);
}

/** Gives an event without an end the one that it is held to have; any other is returned as it is. */
export type Ends<E extends Timed> = (event: E) => E;

/** By who asks. */
const ENDS = kept<unknown>();

/**
 * Returns a function that gives events without an end the one that they are held to have by what is published now. It is
 * the same function until that changes.
 * @param pages further events that can end one, of the workspace
 */
export function endsOf<E extends Timed>(
  ctx: Context,
  { of, pages, placeOf }: { of: string; pages?: readonly E[] | undefined; placeOf: (event: E) => string },
): Ends<E> {
  const { starts, closingAfter } = findClosers(ctx);
  const make = (): Ends<E> => {
    const all = new Map(starts);
    const further = startsByPlace((pages ?? []).map((event) => ({ event, place: placeOf(event) })));
    for (const [place, times] of further)
      all.set(
        place,
        [...(starts.get(place) ?? []), ...times].sort((a, b) => a - b),
      );
    return (event) => closedBy({ starts: all, closingAfter }, event, placeOf(event));
  };
  return ctx.cache.get(ENDS as Kept<Ends<E>>, of, make, [starts, closingAfter, pages]);
}
