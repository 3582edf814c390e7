import { sql } from 'kysely';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { requiredText } from '#kernel/http/validation.ts';
import { nameKey } from '#pub/now-playing/track-key.ts';
import { pubDayOf } from '#pub/pub-day.ts';
import { publicPlays } from '#pub/setlist/setlist.ts';
import { blockOf, heardLately, isOpen, latestPlay, requestsOfDay } from './rules.ts';

export const SuggestQuery = z.object({
  q: requiredText(80).refine((text) => text.length >= 2, 'must have at least 2 characters'),
});

/** A song of the house's own history. */
export interface Suggestion {
  key: string;
  artist: string;
  title: string;
  albumArtUrl: string;
  plays: number;
  lastPlayedAt: string;
  /** Why it cannot be asked for now. A `pending` one can be voted for. */
  blocked: 'recent' | 'pending' | 'artist' | null;
}

const SHOWN = 8;
/** Songs looked at closely: some may have been hidden since they were heard. */
const LOOKED_AT = 24;

/**
 * Songs that were heard here whose artist and title hold every piece of text typed so far, in any case and without
 * accents. First those where each piece begins a word, then those where it is any part of one; of each the most played
 * first. Whatever is no letter or digit only separates the pieces.
 */
export async function suggestSongs(ctx: Context, q: string): Promise<Suggestion[]> {
  const pieces = q.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (pieces.length === 0) return [];
  const match = pieces.map((piece) => `"${piece}"*`).join(' ');
  const beginnings = await matchingSongs(ctx, 'song_words', match);
  const parts = beginnings.length < LOOKED_AT ? await matchingSongs(ctx, 'song_suffixes', match) : [];
  const found = new Set([...beginnings, ...parts]);
  if (found.size === 0) return [];

  const now = ctx.now();
  const played = await playedSongs(ctx, [...found]);
  const begins = new Set(beginnings);
  const songs = played.toSorted((a, b) => Number(begins.has(b.track_key)) - Number(begins.has(a.track_key)));
  const [heard, today] = await Promise.all([
    ctx.db.executeQuery(heardLately(now)),
    ctx.db.executeQuery(requestsOfDay(pubDayOf(now, ctx.config.TIME_ZONE))),
  ]);
  const state = { heard: heard.rows, open: today.rows.filter(isOpen), now };
  const suggestions: Suggestion[] = [];
  for (const { track_key, plays, last } of songs.slice(0, SHOWN)) {
    const [play] = (await ctx.db.executeQuery(latestPlay(track_key))).rows;
    if (!play) continue;
    const song = { ...play, track_key, name_key: nameKey(play.artist, play.title) };
    suggestions.push({
      key: track_key,
      artist: play.artist,
      title: play.title,
      albumArtUrl: play.album_art_url,
      plays,
      lastPlayedAt: isoTime(last),
      blocked: blockOf(song, state)?.why ?? null,
    });
  }
  return suggestions;
}

/** Keys of the songs that a full-text table finds, the most heard first. */
async function matchingSongs(
  ctx: Context,
  table: 'song_words' | 'song_suffixes',
  match: string,
): Promise<string[]> {
  const words = sql.raw(table);
  const { rows } = await sql<{ track_key: string }>`
    SELECT song_index.track_key FROM ${words} JOIN song_index ON song_index.id = ${words}.rowid
    WHERE ${words} MATCH ${match} ORDER BY song_index.heard DESC, song_index.id LIMIT ${LOOKED_AT}`.execute(
    ctx.db,
  );
  return rows.map(({ track_key }) => track_key);
}

/** Those of the songs that the public history still has, with how often it has them, the most played first. */
function playedSongs(ctx: Context, keys: string[]) {
  return publicPlays(ctx.db)
    .select('track_key')
    .select((of) => [of.fn.max('started_at').as('last'), of.fn.countAll<number>().as('plays')])
    .where('track_key', 'in', keys)
    .groupBy('track_key')
    .orderBy('plays', 'desc')
    .orderBy('last', 'desc')
    .execute();
}
