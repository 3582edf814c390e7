import { MINUTE, SECOND } from '#kernel/clock.ts';
import { trackKey } from '#pub/now-playing/track-key.ts';

/** A row of the table of plays, as counting reads it. */
export interface HeardRow {
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

/** One play of a song, made of one or several rows, because the device may report it again. */
export interface Play {
  /** The id of its first row, from which the names come too. */
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

/** The same song heard again within this time is the same play. */
export const SAME_PLAY = 10 * MINUTE;
/** A row counts for at most this long. */
const LONGEST = 600 * SECOND;
/** The assumed length of the newest row, whose end is not known. */
const UNKNOWN = 180 * SECOND;
/** Shorter plays are skipped songs. */
const SHORTEST = 30 * SECOND;

/**
 * Combines rows into plays, oldest first. A row lasts until the next one of any kind; rows of the same song within ten
 * minutes of each other are one play, also with silence or another song between; less than 30 s is no play.
 * @param rows in the order of their times
 * @param nextAt when the row after them starts, if there is one
 */
export function combineRows(rows: readonly HeardRow[], nextAt: number | undefined): Play[] {
  const plays: Play[] = [];
  const open = new Map<string, { play: Play; seenAt: number }>();
  for (const [index, row] of rows.entries()) {
    if (!isEligible(row)) continue;
    const end = rows[index + 1]?.started_at ?? nextAt;
    const dwellMs = end === undefined ? UNKNOWN : Math.min(LONGEST, end - row.started_at);
    const key = row.track_key || trackKey(row);
    const current = open.get(key);
    if (current && row.started_at - current.seenAt <= SAME_PLAY) {
      current.seenAt = row.started_at;
      current.play.dwellMs += dwellMs;
      current.play.endsAt = row.started_at + dwellMs;
      current.play.requestId ??= row.request_id;
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

/** Whether a row is music with names, and not hidden. */
function isEligible({ silent, hidden, kind, artist, title }: HeardRow): boolean {
  return silent === 0 && hidden === 0 && kind === 'music' && artist !== '' && title !== '';
}
