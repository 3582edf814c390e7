import { sql } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Db } from '#kernel/db/connection.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { TRACK_COLUMNS, type TrackRow, trackRow } from '#pub/now-playing/tracks.ts';

/** A moment in the setlist. Plays of one millisecond count as a nanosecond apart, in the order of their ids. */
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

/** The public history, newest first: no silence, no film or game, nothing hidden. `before` excludes its own moment. */
export async function readSetlist(ctx: Context, limit: number, before?: Cursor): Promise<Setlist> {
  const shared = before?.ns ? await playsWithin(ctx.db, before.ms, before.ns) : [];
  let earlier = publicPlays(ctx.db).select(TRACK_COLUMNS);
  if (before) earlier = earlier.where('started_at', '<', before.ms);
  const rows = await earlier.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  const page = [...shared.reverse(), ...rows].slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(trackRow),
    nextBefore: last && page.length === limit ? await cursorAt(ctx.db, last) : null,
    limit,
  };
}

/** Reads a timestamp as `parseTimestamp` does, with up to nine decimals; undefined when it is none. */
export function readCursor(text: string, zone: string): Cursor | undefined {
  const ms = parseTimestamp(text, zone);
  const [, beyond = ''] = /\.\d{3}(\d{1,6})/.exec(text) ?? [];
  return ms === undefined ? undefined : { ms, ns: Number(beyond.padEnd(6, '0')) };
}

/** The moment of a play: its millisecond, and only when others share that one the place among them. */
async function cursorAt(db: Db, play: { id: number; started_at: number }): Promise<string> {
  const { before } = await publicPlays(db)
    .select((of) => of.fn.countAll<number>().as('before'))
    .where('started_at', '=', play.started_at)
    .where('id', '<', play.id)
    .executeTakeFirstOrThrow();
  const moment = isoTime(play.started_at);
  return before === 0 ? moment : moment.replace('Z', `${String(before).padStart(6, '0')}Z`);
}

/** The first plays of one millisecond, oldest first. */
function playsWithin(db: Db, ms: number, count: number) {
  return publicPlays(db)
    .select(TRACK_COLUMNS)
    .where('started_at', '=', ms)
    .orderBy('id')
    .limit(count)
    .execute();
}

/**
 * What everyone may see of the plays. The conditions are written out, not bound: only so does SQLite know that its
 * indexes of just these plays hold all that is asked for.
 */
export function publicPlays(db: Pick<Db, 'selectFrom'>) {
  return db
    .selectFrom('plays')
    .where('silent', '=', sql.lit(0))
    .where('kind', '=', sql.lit('music'))
    .where('hidden', '=', sql.lit(0));
}
