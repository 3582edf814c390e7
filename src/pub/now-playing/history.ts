import type { Context } from '#kernel/context.ts';
import { pubDayOf } from '#pub/pub-day.ts';
import { type Cursor, readSetlist } from '#pub/setlist/setlist.ts';
import type { TrackRow } from './tracks.ts';

const PAGE = 30;

/** The public plays of an evening, newest first. */
export interface Evening {
  /** Its pub day, `2026-11-21`. */
  day: string;
  tracks: readonly TrackRow[];
}

/** A page of the public history in evenings, newest first, without the play `playing`. */
export function readHistory(
  ctx: Context,
  { before, playing }: { before?: Cursor | undefined; playing?: number | undefined },
): { evenings: Evening[]; nextBefore: string | null } {
  const zone = ctx.config.TIME_ZONE;
  const { items, nextBefore } = readSetlist(ctx, PAGE, before);
  const days = Map.groupBy(
    items.filter(({ id }) => id !== playing),
    ({ startedAt }) => pubDayOf(Date.parse(startedAt), zone),
  );
  return { evenings: [...days].map(([day, tracks]) => ({ day, tracks })), nextBefore };
}
