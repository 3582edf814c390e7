import { sql } from 'kysely';
import { DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { build, ONE, prepare, type Reader } from '#kernel/db/queries.ts';
import { trackKey } from '#pub/now-playing/track-key.ts';
import { nightBounds } from './pub-days.ts';

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
const SAME_PLAY = 10 * MINUTE;
/** A row counts for at most this long. */
const LONGEST = 600 * SECOND;
/** The assumed length of the newest row, whose end is not known. */
const UNKNOWN = 180 * SECOND;
/** Shorter plays are skipped songs. */
const SHORTEST = 30 * SECOND;

/**
 * Lists the plays that began on an evening. If anything was heard around its start or end, the adjacent evening is read
 * too, so that a song that spans two evenings is counted once.
 * @param hiddenToo includes plays that a moderator hid
 */
export function listPlays(db: Reader, night: number, zone: string, hiddenToo = false): Play[] {
  const { from, to } = nightBounds(night, zone);
  const first = hasRows(db, from - SAME_PLAY, from) ? from - DAY : from;
  const end = hasRows(db, to, to + SAME_PLAY) ? to + DAY : to;
  const rows = db.all(rowsBetween({ from: first, to: end }));
  const last = rows.at(-1);
  const next = last && db.first(rowAfter({ started_at: last.started_at, id: last.id }));
  const counted = hiddenToo ? rows.map((row) => ({ ...row, hidden: 0 as const })) : rows;
  return combineRows(counted, next?.started_at).filter(({ at }) => at >= from && at < to);
}

/** Whether any row starts from `from` until before `to`. */
function hasRows(db: Reader, from: number, to: number): boolean {
  return db.first(anyBetween({ from, to })) !== undefined;
}

/**
 * Combines rows into plays, oldest first. A row lasts until the next one of any kind; rows of the same song within ten
 * minutes of each other are one play, also with silence or another song between; less than 30 s is not a play.
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

const COLUMNS = [
  'id',
  'started_at',
  'artist',
  'title',
  'album',
  'isrc',
  'silent',
  'hidden',
  'kind',
  'track_key',
  'genre',
  'request_id',
] as const;

const rowsBetween = prepare((p: { from: number; to: number }) =>
  build
    .selectFrom('plays')
    .select(COLUMNS)
    .where('started_at', '>=', p.from)
    .where('started_at', '<', p.to)
    .orderBy('started_at')
    .orderBy('id'),
);

const rowAfter = prepare((p: { started_at: number; id: number }) =>
  build
    .selectFrom('plays')
    .select('started_at')
    .where(sql<boolean>`(started_at, id) > (${p.started_at}, ${p.id})`)
    .orderBy('started_at')
    .orderBy('id')
    .limit(ONE),
);

const anyBetween = prepare((p: { from: number; to: number }) =>
  build
    .selectFrom('plays')
    .select('id')
    .where('started_at', '>=', p.from)
    .where('started_at', '<', p.to)
    .limit(ONE),
);
