import { MINUTE, SECOND } from '#kernel/clock.ts';
import { trackKey } from '#pub/now-playing/track-key.ts';

/** A row of the setlist, as counting reads it. */
export interface Heard {
  id: number;
  started_at: number;
  artist: string;
  title: string;
  album: string | null;
  isrc: string;
  silent: 0 | 1;
  hidden: 0 | 1;
  kind: 'music' | 'video';
  track_key: string;
  genre: string | null;
  request_id: string | null;
}

/** A song that was played once, however many rows the device made of it. */
export interface Play {
  /** Of its first row, like the names. */
  id: number;
  key: string;
  artist: string;
  title: string;
  album: string | null;
  isrc: string;
  genre: string | null;
  at: number;
  /** How long it was heard, in all its rows. */
  dwellMs: number;
  /** When its last row ended. */
  endsAt: number;
  requestId: string | null;
}

/** The same song heard again so soon goes on. */
export const SAME_PLAY = 10 * MINUTE;
/** No row counts for more, and the newest, whose end is not known, for the length of a usual song. */
const LONGEST = 600 * SECOND;
const UNKNOWN = 180 * SECOND;
/** Less is somebody looking for a song. */
const SHORTEST = 30 * SECOND;

/**
 * The plays that rows make, oldest first. A row lasts until the next one of any kind; rows of the same song within ten
 * minutes of each other are one play, also with silence or another song between; what lasts less than 30 s is none.
 * @param rows in the order of their times
 * @param nextAt when the row after them starts, if there is one
 */
export function playsOf(rows: readonly Heard[], nextAt: number | undefined): Play[] {
  const plays: Play[] = [];
  const open = new Map<string, { play: Play; seenAt: number }>();
  for (const [index, row] of rows.entries()) {
    if (!isEligible(row)) continue;
    const end = rows[index + 1]?.started_at ?? nextAt;
    const dwellMs = end === undefined ? UNKNOWN : Math.min(LONGEST, end - row.started_at);
    const key = row.track_key || trackKey(row);
    const known = open.get(key);
    if (known && row.started_at - known.seenAt <= SAME_PLAY) {
      known.seenAt = row.started_at;
      known.play.dwellMs += dwellMs;
      known.play.endsAt = row.started_at + dwellMs;
      known.play.requestId ??= row.request_id;
      continue;
    }
    const { id, artist, title, album, isrc, genre, started_at: at, request_id: requestId } = row;
    const names = { id, key, artist, title, album: album || null, isrc, genre };
    const play = { ...names, at, dwellMs, endsAt: at + dwellMs, requestId };
    plays.push(play);
    open.set(key, { play, seenAt: at });
  }
  return plays.filter(({ dwellMs }) => dwellMs >= SHORTEST);
}

/** Music with names that nobody took out. */
function isEligible({ silent, hidden, kind, artist, title }: Heard): boolean {
  return silent === 0 && hidden === 0 && kind === 'music' && artist !== '' && title !== '';
}
