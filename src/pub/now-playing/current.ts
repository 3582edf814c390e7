import { type Selectable, sql } from 'kysely';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare } from '#kernel/db/queries.ts';
import type { PlaysTable } from '#kernel/db/schema.ts';
import type { Genre } from './genre-names.ts';
import { TRACK_COLUMNS, type TrackRow, toTrackRow } from './tracks.ts';

/** The part of a play that decides what is current. */
export type LatestPlay = Pick<
  Selectable<PlaysTable>,
  (typeof TRACK_COLUMNS)[number] | 'kind' | 'hidden' | 'track_key' | 'genre'
>;

/**
 * Returns the play with the latest start, silence included; never one that was reported late, imported, or stored
 * while the clock was ahead.
 */
export function findLatestPlay(ctx: Pick<Context, 'db' | 'now'>): LatestPlay | undefined {
  return ctx.db.first(latestUntil({ until: ctx.now() + SECOND }));
}

const latestUntil = prepare((p: { until: number }) =>
  build
    .selectFrom('plays')
    .select([...TRACK_COLUMNS, 'kind', 'hidden', 'track_key', 'genre'])
    // A literal, so that the partial index plays_live is used.
    .where('origin', '<>', sql.lit('import'))
    .where('started_at', '<=', p.until)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(1)),
);

/** Returns the latest play as the current track: null for silence, a hidden play, and one older than `staleMs`. */
export function currentTrack(latest: LatestPlay | undefined, now: number, staleMs: number): TrackRow | null {
  if (!latest || latest.silent || latest.hidden || now - latest.started_at > staleMs) return null;
  return toTrackRow(latest);
}

/** The current track for the lights, with its genre when that is known; null also while a film or a game is on. */
export function findSnapshot(ctx: Context): (TrackRow & { genre: Genre | null }) | null {
  const latest = findLatestPlay(ctx);
  const track = currentTrack(latest, ctx.now(), ctx.config.NOW_PLAYING_STALE_MS);
  if (!latest || !track || latest.kind === 'video') return null;
  return { ...track, genre: latest.genre as Genre | null };
}
