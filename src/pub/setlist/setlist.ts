import { sql } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { TRACK_COLUMNS, type TrackRow, toTrackRow } from '#pub/now-playing/tracks.ts';
import { pubDayOf } from '#pub/pub-day.ts';

/** Plays on a page of the history. */
const HISTORY_PAGE = 30;

/** A position in the setlist. Plays in the same millisecond count as a nanosecond apart, in the order of their ids. */
export interface Cursor {
  ms: number;
  /** 0 to 999,999. */
  ns: number;
}

export interface Setlist {
  items: TrackRow[];
  /** Where the next page begins; null when this one is not full. */
  nextBefore: string | null;
  limit: number;
}

/** Reads the public history, newest first: no silence, no film or game, nothing hidden. `before` is exclusive. */
export function readSetlist(ctx: Context, limit: number, before?: Cursor): Setlist {
  const shared = before?.ns ? listPlaysAt(ctx.db, before.ms, before.ns) : [];
  let earlier = publicPlays().select(TRACK_COLUMNS);
  if (before) earlier = earlier.where('started_at', '<', before.ms);
  const rows = ctx.db.all(earlier.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit));
  const page = [...shared.reverse(), ...rows].slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(toTrackRow),
    nextBefore: last && page.length === limit ? formatCursor(ctx.db, last) : null,
    limit,
  };
}

/** Reads a timestamp as `parseTimestamp` does, with up to nine decimals; undefined when it is none. */
export function readCursor(text: string, zone: string): Cursor | undefined {
  const ms = parseTimestamp(text, zone);
  const [, beyond = ''] = /\.\d{3}(\d{1,6})/.exec(text) ?? [];
  return ms === undefined ? undefined : { ms, ns: Number(beyond.padEnd(6, '0')) };
}

/** The millisecond of a play; if several share it, with its position among them as nanoseconds. */
function formatCursor(db: Reader, play: { id: number; started_at: number }): string {
  const { before } = db.first(
    publicPlays()
      .select((of) => of.fn.countAll<number>().as('before'))
      .where('started_at', '=', play.started_at)
      .where('id', '<', play.id),
  )!;
  const moment = isoTime(play.started_at);
  return before === 0 ? moment : moment.replace('Z', `${String(before).padStart(6, '0')}Z`);
}

/** The first `count` plays of one millisecond, oldest first. */
function listPlaysAt(db: Reader, ms: number, count: number) {
  return db.all(publicPlays().select(TRACK_COLUMNS).where('started_at', '=', ms).orderBy('id').limit(count));
}

/**
 * The plays that everyone may see. The conditions are literals, not bound: SQLite uses its partial indexes of these
 * plays only when it sees the values.
 */
export function publicPlays() {
  return build
    .selectFrom('plays')
    .where('silent', '=', sql.lit(0))
    .where('kind', '=', sql.lit('music'))
    .where('hidden', '=', sql.lit(0));
}

/** The public plays of an evening, newest first. */
export interface Evening {
  /** Its pub day, `2026-11-21`. */
  day: string;
  tracks: readonly TrackRow[];
}

/** Reads a page of the public history by evenings, newest first, without the play `playing`. */
export function readHistory(
  ctx: Context,
  { before, playing }: { before?: Cursor | undefined; playing?: number | undefined },
): { evenings: Evening[]; nextBefore: string | null } {
  const zone = ctx.config.TIME_ZONE;
  const { items, nextBefore } = readSetlist(ctx, HISTORY_PAGE, before);
  const days = Map.groupBy(
    items.filter(({ id }) => id !== playing),
    ({ startedAt }) => pubDayOf(Date.parse(startedAt), zone),
  );
  return { evenings: [...days].map(([day, tracks]) => ({ day, tracks })), nextBefore };
}
