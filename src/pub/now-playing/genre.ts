import { sql } from 'kysely';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, ONE, prepare, type Reader } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import type { Job } from '#kernel/scheduler.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { type HostAnswer, PAUSED, ThrottledClient } from '#kernel/throttled-client.ts';
import type { Genre } from './genre-names.ts';
import { askForGenre } from './genre-source.ts';

/** How long an answer is valid: a genre was found, there is no clear one, or the source failed. */
const KEPT_MS = { found: 30 * DAY, nothing: 24 * HOUR, failed: 10 * MINUTE };

/** Older plays are not looked up. */
const RECENT_MS = DAY;

/** Makes the job that looks up the genre of the newest song that has none; at most one request a second. */
export function genreLookup(
  ctx: Context,
  host = new ThrottledClient(ctx, { title: t('settings.check.genres') }),
): Job['run'] {
  return async (stopping) => {
    const { GENRE_API_URL: source } = ctx.config;
    if (!isOn(ctx, 'genres') || host.paused) return;
    const song = findNextSong(ctx.db, ctx.now());
    if (!song) return;
    const answer = await askForGenre((url, shape) => host.get(url, shape, stopping), source, song);
    // Without an answer nothing is stored, so the song is looked up again when the host is ready, or after a restart.
    if (host.paused) ctx.lookups.set('genres', { at: ctx.now(), error: PAUSED });
    if (host.paused || stopping?.aborted) return;
    ctx.lookups.set('genres', { at: ctx.now(), error: answer.ok ? null : answer.reason });
    if (!answer.ok) ctx.log.warn({ reason: answer.reason.for(ENGLISH) }, 'no answer from the genre source');
    await storeAnswer(ctx, song.track_key, answer);
  };
}

/** Lets songs without an answer of the source be looked up at once. */
export const forgetFailedGenres = (ctx: Context): Promise<void> =>
  ctx.write((tx) => {
    tx.run(
      build
        .updateTable('track_genres')
        .set({ expires_at: ctx.now() })
        .where('fetched_at', '>', ctx.now() - KEPT_MS.failed)
        .where(({ eb, ref }) =>
          eb('expires_at', '<=', sql<number>`${ref('fetched_at')} + ${KEPT_MS.failed}`),
        ),
    );
  });

/** The genre of a song; null while it is not known. */
export function findGenre(db: Reader, track_key: string): string | null {
  return db.first(genreByKey({ track_key }))?.genre ?? null;
}

/** The newest song of the last day that has no valid answer. */
function findNextSong(db: Reader, now: number) {
  return db.first(
    build
      .selectFrom('plays')
      .leftJoin('track_genres', 'track_genres.track_key', 'plays.track_key')
      .select(['plays.track_key', 'artist', 'title', 'isrc'])
      .where('silent', '=', sql.lit(0))
      .where('kind', '=', 'music')
      .where('started_at', '>', now - RECENT_MS)
      .where((song) => song.or([song('expires_at', 'is', null), song('expires_at', '<=', now)]))
      .orderBy('started_at', 'desc')
      .orderBy('plays.id', 'desc')
      .limit(ONE),
  );
}

/** Stores the answer, and sets the genre of the song's plays that had none. */
async function storeAnswer(ctx: Context, track_key: string, answer: HostAnswer<Genre | null>): Promise<void> {
  const now = ctx.now();
  const state = answer.ok ? (answer.value ? 'found' : 'nothing') : 'failed';
  const genre = (answer.ok && answer.value) || null;
  const row = {
    // When the source fails, a genre that was found before is kept.
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

const genreByKey = prepare((p: { track_key: string }) =>
  build.selectFrom('track_genres').select('genre').where('track_key', '=', p.track_key),
);
