import { sql } from 'kysely';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { requiredText } from '#kernel/validation.ts';
import { pubDayOf } from '../pub-day.ts';
import { blockOf, heardLately, isOpen, requestsOfDay } from './request-rules.ts';
import { nameKey } from './track-key.ts';

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

/** Songs that were heard here whose artist and title hold every word typed so far, the most played first. */
export async function suggestSongs(ctx: Context, q: string): Promise<Suggestion[]> {
  const words = q.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0) return [];
  const match = words.map((word) => `"${word}"*`).join(' ');
  const { rows: found } = await sql<{ track_key: string }>`
    SELECT song_index.track_key FROM song_words JOIN song_index ON song_index.id = song_words.rowid
    WHERE song_words MATCH ${match} ORDER BY song_index.heard DESC, song_index.id LIMIT ${LOOKED_AT}`.execute(
    ctx.db,
  );
  if (found.length === 0) return [];

  const now = ctx.now();
  const songs = await playedSongs(
    ctx,
    found.map((song) => song.track_key),
  );
  const [heard, today] = await Promise.all([
    ctx.db.executeQuery(heardLately(now)),
    ctx.db.executeQuery(requestsOfDay(pubDayOf(now, ctx.config.TIME_ZONE))),
  ]);
  const state = { heard: heard.rows, open: today.rows.filter(isOpen), now };
  return songs.slice(0, SHOWN).map(({ track_key, artist, title, album_art_url, plays, last }) => ({
    key: track_key,
    artist,
    title,
    albumArtUrl: album_art_url,
    plays,
    lastPlayedAt: isoTime(last),
    blocked: blockOf({ track_key, name_key: nameKey(artist, title), artist, title }, state)?.why ?? null,
  }));
}

/** Those of the songs that the public history still has, as they were called when last heard. */
function playedSongs(ctx: Context, keys: string[]) {
  return (
    ctx.db
      .selectFrom('plays')
      .select(['track_key', 'artist', 'title', 'album_art_url'])
      // SQLite takes the bare columns from the row that has the maximum.
      .select((of) => [of.fn.max('started_at').as('last'), of.fn.countAll<number>().as('plays')])
      .where('track_key', 'in', keys)
      .where('silent', '=', 0)
      .where('kind', '=', 'music')
      .where('hidden', '=', 0)
      .groupBy('track_key')
      .orderBy('plays', 'desc')
      .orderBy('last', 'desc')
      .execute()
  );
}
