import type { Selectable } from 'kysely';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import type { SongRequestsTable } from '#kernel/db/schema.ts';
import { build, ONE, prepare } from '#kernel/db/writes.ts';
import { AppError } from '#kernel/http/errors.ts';
import { nameKey, normalized } from '#pub/now-playing/track-key.ts';
import { publicPlays } from '#pub/setlist/setlist.ts';

/** One new request of a browser in this time, while the last one is still open. */
const BETWEEN_REQUESTS = 10 * MINUTE;
export const REQUESTS_A_DAY = 3;
/** Of one address in an hour: a backstop, for a whole pub shares one. */
const REQUESTS_OF_ADDRESS = 60;
const SONG_RESTS = 90 * MINUTE;
const ARTIST_RESTS = 30 * MINUTE;

/** The states in which a request still waits to be heard. */
export const OPEN = ['pending', 'approved'] as const;
export const isOpen = ({ status }: { status: string }): boolean =>
  status === 'pending' || status === 'approved';

/** What rules look at of a song. */
export interface Song {
  track_key: string;
  name_key: string;
  artist: string;
  title: string;
}

export type RequestRow = Selectable<SongRequestsTable>;
type Heard = { track_key: string; artist: string; title: string; started_at: number };

/** Why a song cannot be asked for now; `until` in milliseconds where time heals it. */
export type Block =
  | { why: 'recent'; until: number }
  | { why: 'pending'; request: RequestRow }
  | { why: 'artist'; until: number | null };

/**
 * What stands in a song's way: it is asked for already, was heard in the last 90 minutes, or its artist was heard in
 * the last 30 or is asked for already.
 */
export function blockOf(
  song: Song,
  { heard, open, now }: { heard: readonly Heard[]; open: readonly RequestRow[]; now: number },
): Block | undefined {
  const request = open.find((one) => isSameSong(one, song));
  if (request) return { why: 'pending', request };
  const artist = normalized(song.artist);
  // The newest plays come first.
  const same = heard.find((play) =>
    isSameSong({ ...play, name_key: nameKey(play.artist, play.title) }, song),
  );
  if (same && same.started_at + SONG_RESTS > now)
    return { why: 'recent', until: same.started_at + SONG_RESTS };
  const byArtist = heard.find((play) => normalized(play.artist) === artist);
  if (byArtist && byArtist.started_at + ARTIST_RESTS > now)
    return { why: 'artist', until: byArtist.started_at + ARTIST_RESTS };
  return open.some((one) => normalized(one.artist) === artist) ? { why: 'artist', until: null } : undefined;
}

/** When a browser may ask for the next song: null for now. `own` are its requests of this pub day. */
export function nextRequestAt(own: readonly RequestRow[], now: number, dayEnd: number): number | null {
  if (own.length >= REQUESTS_A_DAY) return dayEnd;
  const waiting = own.filter(isOpen).map((one) => one.created_at + BETWEEN_REQUESTS);
  const at = Math.max(...waiting, 0);
  return at > now ? at : null;
}

/** When an address may ask again: null for now. `times` are those of its requests of this pub day, ascending. */
export function nextOfAddressAt(times: readonly number[], now: number): number | null {
  const lately = times.filter((at) => at > now - HOUR);
  const first = lately.at(-REQUESTS_OF_ADDRESS);
  return first === undefined ? null : first + HOUR;
}

/** The order in which songs are to be played: a browser's second open request after all firsts, then by votes, then by age. */
export function inOrder(open: readonly RequestRow[]): RequestRow[] {
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

/** 429 for one who asks too often. */
export function tooSoon(until: number, now: number, message: string): AppError {
  const retryAfter = Math.max(1, Math.ceil((until - now) / 1_000));
  return new AppError(429, 'rate_limited', { extra: { message, retryAfter, availableAt: isoTime(until) } });
}

/** What was heard lately enough to matter, the newest first. */
export const heardLately = prepare(
  build
    .selectFrom('plays')
    .select(['track_key', 'artist', 'title', 'started_at'])
    .where('silent', '=', 0)
    .where('kind', '=', 'music')
    .where('started_at', '>', 0)
    .orderBy('started_at', 'desc'),
  (now: number) => [0, 'music', now - SONG_RESTS],
);

/** A song as it was called when it was last heard. */
export const latestPlay = prepare(
  publicPlays(build)
    .select(['artist', 'title', 'album_art_url'])
    .where('track_key', '=', '')
    .orderBy('started_at', 'desc')
    .limit(ONE),
  (key: string) => [key],
);

/** Every request of an evening, the oldest first. */
export const requestsOfDay = prepare(
  build.selectFrom('song_requests').selectAll().where('pub_day', '=', '').orderBy('created_at').orderBy('id'),
  (day: string) => [day],
);

function isSameSong(one: Pick<Song, 'track_key' | 'name_key'>, other: Pick<Song, 'track_key' | 'name_key'>) {
  return one.track_key === other.track_key || one.name_key === other.name_key;
}
