import { sql } from 'kysely';
import { z } from 'zod';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { LyricsTable } from '#kernel/db/schema.ts';
import { badField } from '#kernel/http/errors.ts';
import { REQUIRED_TEXT, requiredText } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import type { Job } from '#kernel/scheduler.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { PAUSED, ThrottledClient } from '#kernel/throttled-client.ts';
import { findControls, showsLyrics } from './controls.ts';
import { currentTrack, findLatestPlay } from './current.ts';
import { formatLrc, parseLrc } from './lrc.ts';
import { askForLyrics, type LyricsAnswer } from './lyrics-source.ts';
import { nameKey } from './track-key.ts';

export const LyricsInput = z.object({
  artist: requiredText(300),
  title: requiredText(300),
  /** An empty text deletes lyrics that were entered before. */
  lrc: z.string(REQUIRED_TEXT),
});

export interface Lyrics {
  /** LRC text with one stamp per line, offset applied. */
  lrc: string;
  source: LyricsTable['source'];
}

/** How long an answer is valid: lyrics were found, there are none, or the source failed. */
const KEPT_MS = { found: 30 * DAY, nothing: 24 * HOUR, failed: 10 * MINUTE };

/**
 * The key of what a source said about a song. Times fit one recording, so a known length is part of it; lyrics that were set
 * by hand have the key of the names alone, and are for every length.
 */
const lookupKey = (name_key: string, durationMs: number | null): string =>
  durationMs === null ? name_key : `${name_key} ${Math.round(durationMs / SECOND)}`;

/** The lyrics of a song, if they are known: those that were set by hand, else those of a recording of its length. */
export function findLyrics(
  db: Reader,
  song: { artist: string; title: string; duration_ms: number | null },
): Lyrics | null {
  const row = findRow(db, nameKey(song.artist, song.title), song.duration_ms);
  return row?.lrc ? { lrc: row.lrc, source: row.source } : null;
}

function findRow(db: Reader, name_key: string, durationMs: number | null) {
  const key = lookupKey(name_key, durationMs);
  const rows = db.all(lyricsOf({ name_key, key }));
  return rows.find(({ source }) => source === 'manual') ?? rows.find((row) => row.name_key === key);
}

const lyricsOf = prepare((p: { name_key: string; key: string }) =>
  build
    .selectFrom('lyrics')
    .select(['name_key', 'lrc', 'source', 'expires_at'])
    .where('name_key', 'in', [p.name_key, p.key]),
);

/**
 * Sets lyrics by hand; no lookup replaces them. An empty text deletes them, so that they are looked up again.
 * @returns the number of timed lines. @throws 400 when no line has a time
 */
export async function setLyrics(
  ctx: Context,
  { artist, title, lrc }: z.output<typeof LyricsInput>,
  actor: Actor,
): Promise<number> {
  const lines = lrc.trim() === '' ? [] : parseLrc(lrc);
  if (!lines) throw badField('lrc', 'not_lyrics');
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
  ctx.hub.publish('lyrics');
  return lines.length;
}

/**
 * Makes the job that looks up the lyrics of the current track while a screen shows lyrics, and stores the answer. One
 * song at a time, and no request while the source asks to wait.
 */
export function lyricsLookup(
  ctx: Context,
  host = new ThrottledClient(ctx, { title: t('settings.check.lyrics') }),
): Job['run'] {
  return async (stopping) => {
    const { LYRICS_API_URL: source, NOW_PLAYING_STALE_MS: staleMs } = ctx.config;
    if (!isOn(ctx, 'lyrics') || host.paused || !showsLyrics(findControls(ctx.db))) return;
    const track = currentTrack(findLatestPlay(ctx), ctx.now(), staleMs);
    if (!track) return;
    const name_key = nameKey(track.artist, track.title);
    const row = findRow(ctx.db, name_key, track.durationMs);
    // Lyrics that were set by hand never expire.
    if (row && (row.expires_at === null || row.expires_at > ctx.now())) return;
    const answer = await askForLyrics((url, shape) => host.get(url, shape, stopping), source, track);
    // Without an answer nothing is stored, so the song is looked up again when the host is ready, or after a restart.
    if (host.paused) ctx.lookups.set('lyrics', { at: ctx.now(), error: PAUSED });
    if (host.paused || stopping?.aborted) return;
    ctx.lookups.set('lyrics', { at: ctx.now(), error: answer.state === 'failed' ? answer.reason : null });
    if (answer.state === 'failed')
      ctx.log.warn({ reason: answer.reason.for(ENGLISH) }, 'no answer from the lyrics source');
    await storeAnswer(ctx, lookupKey(name_key, track.durationMs), answer);
    ctx.hub.publish('lyrics');
  };
}

/** Lets songs without an answer of the source be looked up at once. */
export const forgetFailedLyrics = (ctx: Context): Promise<void> =>
  ctx.write((tx) => {
    tx.run(
      build
        .updateTable('lyrics')
        .set({ expires_at: ctx.now() })
        .where('fetched_at', '>', ctx.now() - KEPT_MS.failed)
        .where(({ eb, ref }) =>
          eb('expires_at', '<=', sql<number>`${ref('fetched_at')} + ${KEPT_MS.failed}`),
        ),
    );
  });

async function storeAnswer(ctx: Context, name_key: string, answer: LyricsAnswer): Promise<void> {
  const now = ctx.now();
  const row = {
    // When the source fails, lyrics that were found before are kept.
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
        // Lyrics may have been set by hand while the source was asked.
        .onConflict((conflict) =>
          conflict.column('name_key').doUpdateSet(row).where('lyrics.source', '!=', 'manual'),
        ),
    ),
  );
}
