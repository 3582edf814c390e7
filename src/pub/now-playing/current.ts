import type { Selectable } from 'kysely';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { PlaysTable } from '#kernel/db/schema.ts';
import type { Genre } from './genre-names.ts';
import { TRACK_COLUMNS, type TrackRow, trackRow } from './tracks.ts';

/** A play as far as it decides what is current. */
export type LatestPlay = Pick<
  Selectable<PlaysTable>,
  (typeof TRACK_COLUMNS)[number] | 'kind' | 'hidden' | 'track_key' | 'genre'
>;

/**
 * The play that started last, silence included; one that is reported late does not become the latest, and neither
 * does one that was stored while the clock was ahead.
 */
export async function findLatestPlay(ctx: Pick<Context, 'db' | 'now'>): Promise<LatestPlay | undefined> {
  return ctx.db
    .selectFrom('plays')
    .select([...TRACK_COLUMNS, 'kind', 'hidden', 'track_key', 'genre'])
    .where('started_at', '<=', ctx.now() + SECOND)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The latest play as the current track: null for silence, a hidden play, and one older than `staleMs`. */
export function currentTrack(latest: LatestPlay | undefined, now: number, staleMs: number): TrackRow | null {
  if (!latest || latest.silent || latest.hidden || now - latest.started_at > staleMs) return null;
  return trackRow(latest);
}

/** The current track for the lights, with its genre when that is known; null also while a film or a game is on. */
export async function findSnapshot(ctx: Context): Promise<(TrackRow & { genre: Genre | null }) | null> {
  const latest = await findLatestPlay(ctx);
  const track = currentTrack(latest, ctx.now(), ctx.config.NOW_PLAYING_STALE_MS);
  if (!latest || !track || latest.kind === 'video') return null;
  return { ...track, genre: latest.genre as Genre | null };
}
