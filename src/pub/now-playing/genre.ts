import { sql } from 'kysely';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/writes.ts';
import type { Job } from '#kernel/scheduler.ts';
import { type HostAnswer, PoliteHost } from '#kernel/throttled-client.ts';
import type { Genre } from './genre-names.ts';
import { askForGenre } from './genre-source.ts';

/** How long an answer is kept: a genre, that there is none to be sure of, that the source failed. */
const KEPT_MS = { found: 30 * DAY, nothing: 24 * HOUR, failed: 10 * MINUTE };

/** What was heard longer ago is not asked about. */
const RECENT_MS = DAY;

/** Makes the job that looks up the genre of the newest song that has none; at most one request a second. */
export function genreLookup(ctx: Context, host = new PoliteHost(ctx)): Job['run'] {
  const { GENRE_API_URL: source } = ctx.config;
  return async (stopping) => {
    if (!source || host.paused) return;
    const song = await nextSong(ctx);
    if (!song) return;
    const answer = await askForGenre((url, shape) => host.get(url, shape, stopping), source, song);
    // Nothing was learnt about this song: it is asked about again when the host is ready, or after a restart.
    if (host.paused || stopping?.aborted) return;
    if (!answer.ok) ctx.log.warn({ reason: answer.reason }, 'no answer from the genre source');
    await remember(ctx, song.track_key, answer);
  };
}

/** The newest song of the last day about which nothing is known, or no longer. */
function nextSong(ctx: Context) {
  const now = ctx.now();
  return ctx.db
    .selectFrom('plays')
    .leftJoin('track_genres', 'track_genres.track_key', 'plays.track_key')
    .select(['plays.track_key', 'artist', 'title', 'isrc'])
    .where('silent', '=', sql.lit(0))
    .where('kind', '=', 'music')
    .where('started_at', '>', now - RECENT_MS)
    .where((song) => song.or([song('expires_at', 'is', null), song('expires_at', '<=', now)]))
    .orderBy('started_at', 'desc')
    .orderBy('plays.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Keeps the answer, and gives the genre to the plays that had none. */
async function remember(ctx: Context, track_key: string, answer: HostAnswer<Genre | null>): Promise<void> {
  const now = ctx.now();
  const state = answer.ok ? (answer.value ? 'found' : 'nothing') : 'failed';
  const genre = (answer.ok && answer.value) || null;
  const row = {
    // What was found before outlives a source that fails.
    ...(answer.ok && { genre }),
    fetched_at: now,
    expires_at: now + KEPT_MS[state],
  };
  await ctx.write((tx) => {
    tx.run(
      build
        .insertInto('track_genres')
        .values({ track_key, ...row })
        .onConflict((conflict) => conflict.column('track_key').doUpdateSet(row)),
    );
    if (!genre) return;
    tx.run(
      build
        .updateTable('plays')
        .set({ genre })
        .where('track_key', '=', track_key)
        .where('silent', '=', sql.lit(0))
        .where('genre', 'is', null),
    );
  });
}
