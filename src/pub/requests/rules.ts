import { type Selectable, sql } from 'kysely';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build, ONE, prepare, type Reader } from '#kernel/db/queries.ts';
import type { SongRequestsTable } from '#kernel/db/schema.ts';
import { type AppError, tooManyRequests } from '#kernel/http/errors.ts';
import { nameKey, normalizeName } from '#pub/now-playing/track-key.ts';
import { publicPlays } from '#pub/setlist/setlist.ts';

/** A browser whose last request is still open waits this long before its next one. */
const BETWEEN_REQUESTS = 10 * MINUTE;
export const REQUESTS_A_DAY = 3;
/** Per hour and address. High, because everybody in the pub shares one address. */
const REQUESTS_OF_ADDRESS = 60;
const SONG_BLOCKED_FOR = 90 * MINUTE;
const ARTIST_BLOCKED_FOR = 30 * MINUTE;

/** The states of a request whose song has still to be played. */
export const OPEN = ['pending', 'approved'] as const;
export const isOpen = ({ status }: { status: string }): boolean =>
  status === 'pending' || status === 'approved';

/** The part of a song that the rules compare. */
export interface Song {
  track_key: string;
  name_key: string;
  artist: string;
  title: string;
}

export type RequestRow = Selectable<SongRequestsTable>;
type Heard = { track_key: string; artist: string; title: string; started_at: number };

/** Why a song cannot be requested now; `until` in milliseconds, null if the block has no fixed end. */
export type Block =
  | { why: 'recent'; until: number }
  | { why: 'pending'; request: RequestRow }
  | { why: 'artist'; until: number | null };

/**
 * Finds why a song cannot be requested: it is already requested, was heard in the last 90 minutes, or its artist was
 * heard in the last 30 or is already requested.
 */
export function findBlock(
  song: Song,
  { heard, open, now }: { heard: readonly Heard[]; open: readonly RequestRow[]; now: number },
): Block | undefined {
  const request = open.find((one) => isSameSong(one, song));
  if (request) return { why: 'pending', request };
  const artist = normalizeName(song.artist);
  // The newest plays come first.
  const same = heard.find((play) =>
    isSameSong({ ...play, name_key: nameKey(play.artist, play.title) }, song),
  );
  if (same && same.started_at + SONG_BLOCKED_FOR > now)
    return { why: 'recent', until: same.started_at + SONG_BLOCKED_FOR };
  const byArtist = heard.find((play) => normalizeName(play.artist) === artist);
  if (byArtist && byArtist.started_at + ARTIST_BLOCKED_FOR > now)
    return { why: 'artist', until: byArtist.started_at + ARTIST_BLOCKED_FOR };
  return open.some((one) => normalizeName(one.artist) === artist)
    ? { why: 'artist', until: null }
    : undefined;
}

/** When a browser may request the next song; null means now. `own` are its requests of this pub day. */
export function nextRequestAt(own: readonly RequestRow[], now: number, dayEnd: number): number | null {
  if (own.length >= REQUESTS_A_DAY) return dayEnd;
  const waiting = own.filter(isOpen).map((one) => one.created_at + BETWEEN_REQUESTS);
  const at = Math.max(...waiting, 0);
  return at > now ? at : null;
}

/** When an address may request again; null means now. `times` are those of its requests of this pub day, ascending. */
export function nextRequestOfAddressAt(times: readonly number[], now: number): number | null {
  const lastHour = times.filter((at) => at > now - HOUR);
  const first = lastHour.at(-REQUESTS_OF_ADDRESS);
  return first === undefined ? null : first + HOUR;
}

/** Sorts open requests into play order: every browser's first before any second one, then by votes, then by age. */
export function inPlayOrder(open: readonly RequestRow[]): RequestRow[] {
  const asked = new Map<string, number>();
  const oldestFirst = open.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  const turns = oldestFirst.map((request) => {
    const turn = (asked.get(request.browser_hash) ?? 0) + 1;
    asked.set(request.browser_hash, turn);
    return { request, turn };
  });
  return turns
    .sort((a, b) => a.turn - b.turn || b.request.votes - a.request.votes)
    .map(({ request }) => request);
}

/** The 429 error with the time from which the next request is accepted. */
export function tooSoon(
  code: 'request_limit_of_evening' | 'request_limit_of_place' | 'requests_limit',
  until: number,
  now: number,
): AppError {
  return tooManyRequests(code, until - now, {}, { availableAt: isoTime(until) });
}

/** Lists the music that was heard recently enough to block a request, newest first. */
export function listHeardLately(db: Reader, now: number): Heard[] {
  return db.all(playsSince({ since: now - SONG_BLOCKED_FOR }));
}

const playsSince = prepare((p: { since: number }) =>
  build
    .selectFrom('plays')
    .select(['track_key', 'artist', 'title', 'started_at'])
    .where('silent', '=', sql.lit(0))
    .where('kind', '=', sql.lit('music'))
    .where('started_at', '>', p.since)
    .orderBy('started_at', 'desc'),
);

/** The newest public play of a song. */
export const latestPublicPlay = prepare((p: { track_key: string }) =>
  publicPlays()
    .select(['artist', 'title', 'album_art_url'])
    .where('track_key', '=', p.track_key)
    .orderBy('started_at', 'desc')
    .limit(ONE),
);

/** Every request of an evening, the oldest first. */
export const requestsOfDay = prepare((p: { day: string }) =>
  build
    .selectFrom('song_requests')
    .selectAll()
    .where('pub_day', '=', p.day)
    .orderBy('created_at')
    .orderBy('id'),
);

function isSameSong(one: Pick<Song, 'track_key' | 'name_key'>, other: Pick<Song, 'track_key' | 'name_key'>) {
  return one.track_key === other.track_key || one.name_key === other.name_key;
}
