import { sql } from 'kysely';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { requiredText } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { nameKey } from '#pub/now-playing/track-key.ts';
import { pubDayOf } from '#pub/pub-day.ts';
import { publicPlays } from '#pub/setlist/setlist.ts';
import { findBlock, isOpen, latestPublicPlay, listHeardLately, requestsOfDay } from './rules.ts';

export const SuggestQuery = z.object({
  q: requiredText(80).refine((text) => text.length >= 2, coded('too_short', { min: 2 })),
});

/** A song that was played here. */
export interface Suggestion {
  key: string;
  artist: string;
  title: string;
  albumArtUrl: string;
  plays: number;
  lastPlayedAt: string;
  /** Why it cannot be requested now. A `pending` song can be voted for. */
  blocked: 'recent' | 'pending' | 'artist' | null;
}

const SHOWN = 8;
/** More than are shown: some may have been hidden since they were heard. */
const CANDIDATES = 24;

/**
 * Suggests songs that were played here and contain every typed piece in artist or title, ignoring case and accents:
 * first songs where each piece begins a word, then those where it is any part of a word; in each group the most played
 * first. Characters other than letters and digits only separate the pieces.
 */
export function suggestSongs(ctx: Context, q: string): Suggestion[] {
  const pieces = q.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (pieces.length === 0) return [];
  const match = pieces.map((piece) => `"${piece}"*`).join(' ');
  const beginnings = findMatching(ctx.db, 'song_words', match);
  const parts = beginnings.length < CANDIDATES ? findMatching(ctx.db, 'song_suffixes', match) : [];
  const found = new Set([...beginnings, ...parts]);
  if (found.size === 0) return [];

  const now = ctx.now();
  const played = listPlayedSongs(ctx.db, [...found]);
  const begins = new Set(beginnings);
  const songs = played.toSorted((a, b) => Number(begins.has(b.track_key)) - Number(begins.has(a.track_key)));
  const today = ctx.db.all(requestsOfDay({ day: pubDayOf(now, ctx.config.TIME_ZONE) }));
  const state = { heard: listHeardLately(ctx.db, now), open: today.filter(isOpen), now };
  const suggestions = new Map<string, Suggestion>();
  for (const { track_key, plays, last } of songs) {
    const play = ctx.db.first(latestPublicPlay({ track_key }));
    if (!play) continue;
    const song = { ...play, track_key, name_key: nameKey(play.artist, play.title) };
    // Recordings of one song have different codes: the most played one represents them all.
    const shown = suggestions.get(song.name_key);
    if (shown) {
      shown.plays += plays;
      if (isoTime(last) > shown.lastPlayedAt) shown.lastPlayedAt = isoTime(last);
      continue;
    }
    if (suggestions.size === SHOWN) continue;
    suggestions.set(song.name_key, {
      key: track_key,
      artist: play.artist,
      title: play.title,
      albumArtUrl: play.album_art_url,
      plays,
      lastPlayedAt: isoTime(last),
      blocked: findBlock(song, state)?.why ?? null,
    });
  }
  return [...suggestions.values()];
}

/** Keys of the songs that a full-text table finds, the most heard first. */
function findMatching(db: Reader, table: 'song_words' | 'song_suffixes', match: string): string[] {
  const words = sql.raw(table);
  const query = sql<{ track_key: string }>`
    SELECT song_index.track_key FROM ${words} JOIN song_index ON song_index.id = ${words}.rowid
    WHERE ${words} MATCH ${match} ORDER BY song_index.heard DESC, song_index.id LIMIT ${CANDIDATES}`;
  return db.all(query.compile(build)).map(({ track_key }) => track_key);
}

/** Lists which of these songs have public plays, with the number of plays, most played first. */
function listPlayedSongs(db: Reader, keys: readonly string[]) {
  const plays = publicPlays()
    .select('track_key')
    .select((of) => [of.fn.max('started_at').as('last'), of.fn.countAll<number>().as('plays')])
    .where('track_key', 'in', keys)
    .groupBy('track_key')
    .orderBy('plays', 'desc')
    .orderBy('last', 'desc');
  return db.all(plays);
}
