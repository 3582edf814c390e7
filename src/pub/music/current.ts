import type { Selectable } from 'kysely';
import type { Context } from '#kernel/context.ts';
import type { Db } from '#kernel/db.ts';
import type { PlaysTable } from '#kernel/schema.ts';
import type { Genre } from './house-genres.ts';
import { TRACK_COLUMNS, type TrackRow, trackRow } from './tracks.ts';

/** A play as far as it decides what is current. */
export type LatestPlay = Pick<
  Selectable<PlaysTable>,
  (typeof TRACK_COLUMNS)[number] | 'kind' | 'hidden' | 'track_key' | 'genre'
>;

/** The play that started last, silence included; one that is reported late does not become the latest. */
export async function findLatestPlay(db: Db): Promise<LatestPlay | undefined> {
  return db
    .selectFrom('plays')
    .select([...TRACK_COLUMNS, 'kind', 'hidden', 'track_key', 'genre'])
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
  const latest = await findLatestPlay(ctx.db);
  const track = currentTrack(latest, ctx.now(), ctx.config.NOW_PLAYING_STALE_MS);
  if (!latest || !track || latest.kind === 'video') return null;
  return { ...track, genre: latest.genre as Genre | null };
}
