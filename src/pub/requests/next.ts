import type { Context } from '#kernel/context.ts';
import { pubDayOf } from '#pub/pub-day.ts';
import { requestHours } from './hours.ts';
import { inPlayOrder, isOpen, latestPublicPlay, requestsOfDay } from './rules.ts';

/** What a screen shows about requests. */
export interface NextSong {
  /** Whether songs can be requested now. */
  open: boolean;
  next: { artist: string; title: string } | null;
}

/**
 * Finds the next song of the queue that may be named on a screen: staff approved it, or it was heard here before. The
 * words of a stranger are read by staff first.
 */
export function findNextSong(ctx: Context): NextSong {
  const rows = ctx.db.all(requestsOfDay({ day: pubDayOf(ctx.now(), ctx.config.TIME_ZONE) }));
  const next = inPlayOrder(rows.filter(isOpen)).find(
    ({ status, track_key }) =>
      status === 'approved' || ctx.db.first(latestPublicPlay({ track_key })) !== undefined,
  );
  return {
    open: requestHours(ctx).open,
    next: next ? { artist: next.artist, title: next.title } : null,
  };
}
