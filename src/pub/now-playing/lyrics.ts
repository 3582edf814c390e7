import { z } from 'zod';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import type { Db } from '#kernel/db/connection.ts';
import type { LyricsTable } from '#kernel/db/schema.ts';
import { build } from '#kernel/db/writes.ts';
import { badField } from '#kernel/http/errors.ts';
import { requiredText } from '#kernel/http/validation.ts';
import type { Job } from '#kernel/scheduler.ts';
import { PoliteHost } from '#kernel/throttled-client.ts';
import { findControls, showsLyrics } from './controls.ts';
import { currentTrack, findLatestPlay } from './current.ts';
import { formatLrc, parseLrc } from './lrc.ts';
import { askForLyrics } from './lyrics-source.ts';
import { nameKey } from './track-key.ts';

export const LyricsInput = z.object({
  artist: requiredText(300),
  title: requiredText(300),
  /** An empty text takes lyrics that were entered before away. */
  lrc: z.string({ error: 'is required' }),
});

export interface Lyrics {
  /** One stamp a line, offset applied. */
  lrc: string;
  source: LyricsTable['source'];
}

/** How long an answer is kept: what was found, that nothing was, that the source failed. */
const KEPT_MS = { found: 30 * DAY, nothing: 24 * HOUR, failed: 10 * MINUTE };

/** The lyrics of a song, if they are known. */
export async function findLyrics(db: Db, song: { artist: string; title: string }): Promise<Lyrics | null> {
  const row = await db
    .selectFrom('lyrics')
    .select(['lrc', 'source'])
    .where('name_key', '=', nameKey(song.artist, song.title))
    .executeTakeFirst();
  return row?.lrc ? { lrc: row.lrc, source: row.source } : null;
}

/**
 * Enters lyrics by hand; they stand until they are changed by hand. An empty text takes them away, so that they are
 * looked up again. @returns how many timed lines there are. @throws 400 when no line has a time
 */
export async function setLyrics(
  ctx: Context,
  { artist, title, lrc }: z.output<typeof LyricsInput>,
  actor: Actor,
): Promise<number> {
  const lines = lrc.trim() === '' ? [] : parseLrc(lrc);
  if (!lines) throw badField('lrc', 'must have lines with times such as [00:17.12], in at most 64 KB');
  const name_key = nameKey(artist, title);
  await ctx.write((tx) => {
    const row = { lrc: formatLrc(lines), source: 'manual', fetched_at: actor.at, expires_at: null } as const;
    if (lines.length === 0) tx.run(build.deleteFrom('lyrics').where('name_key', '=', name_key));
    else {
      tx.run(
        build
          .insertInto('lyrics')
          .values({ name_key, ...row })
          .onConflict((conflict) => conflict.column('name_key').doUpdateSet(row)),
      );
    }
    recordAudit(tx, actor, { action: 'lyrics.changed', metadata: { artist, title, lines: lines.length } });
  });
  ctx.hub.tell('lyrics');
  return lines.length;
}

/**
 * Makes the job that looks up the lyrics of the current track while a screen shows lyrics, and remembers the answer.
 * One song at a time, and no request to its source while that asks for patience.
 */
export function lyricsLookup(ctx: Context, host = new PoliteHost(ctx)): Job['run'] {
  const { LYRICS_API_URL: source, NOW_PLAYING_STALE_MS: staleMs } = ctx.config;
  return async (stopping) => {
    if (!source || host.paused || !showsLyrics(await findControls(ctx.db))) return;
    const track = currentTrack(await findLatestPlay(ctx), ctx.now(), staleMs);
    if (!track || (await isKnown(ctx, nameKey(track.artist, track.title)))) return;
    const answer = await askForLyrics((url, shape) => host.get(url, shape, stopping), source, track);
    // Nothing was learnt about this song: it is asked about again when the host is ready, or after a restart.
    if (host.paused || stopping?.aborted) return;
    if (answer.state === 'failed')
      ctx.log.warn({ reason: answer.reason }, 'no answer from the lyrics source');
    await remember(ctx, nameKey(track.artist, track.title), answer);
    ctx.hub.tell('lyrics');
  };
}

async function isKnown(ctx: Context, key: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('lyrics')
    .select('expires_at')
    .where('name_key', '=', key)
    .executeTakeFirst();
  return row !== undefined && (row.expires_at === null || row.expires_at > ctx.now());
}

async function remember(
  ctx: Context,
  name_key: string,
  answer: Awaited<ReturnType<typeof askForLyrics>>,
): Promise<void> {
  const now = ctx.now();
  const row = {
    // What was found before outlives a source that fails.
    ...(answer.state !== 'failed' && { lrc: answer.state === 'found' ? answer.lrc : null }),
    source: 'lrclib',
    fetched_at: now,
    expires_at: now + KEPT_MS[answer.state],
  } as const;
  await ctx.write((tx) =>
    tx.run(
      build
        .insertInto('lyrics')
        .values({ name_key, ...row })
        // Entered by hand while the source was asked: that stands.
        .onConflict((conflict) =>
          conflict.column('name_key').doUpdateSet(row).where('lyrics.source', '!=', 'manual'),
        ),
    ),
  );
}
