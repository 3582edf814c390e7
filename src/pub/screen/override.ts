import { isoTime, MINUTE } from '#kernel/clock.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { NowShowingTable } from '#kernel/db/schema.ts';
import { addDays, localDate, parseTimestamp } from '#kernel/local-time.ts';

/** What staff chose for the screen; `automatic` leaves it to the device. Times are ISO. */
export interface Override {
  mode: NowShowingTable['mode'];
  label: string | null;
  gameId: string | null;
  setBy: string | null;
  setAt: string | null;
  /** When it expires, so that a forgotten override ends with the night. */
  expiresAt: string | null;
}

/** Returns the override that is valid at `now`. */
export function findOverride(db: Reader, now: number): Override {
  const row = db.first(storedOverride);
  if (!row || (row.expires_at !== null && row.expires_at <= now)) return AUTOMATIC;
  return {
    mode: row.mode,
    label: row.label,
    gameId: row.game_id,
    setBy: row.set_by,
    setAt: isoTime(row.set_at),
    expiresAt: row.expires_at === null ? null : isoTime(row.expires_at),
  };
}

/** Replaces the override. @returns the one that is valid from now on */
export function storeOverride(
  tx: Tx,
  now: number,
  row: Pick<NowShowingTable, 'mode' | 'label' | 'game_id' | 'set_by' | 'expires_at'>,
): Override {
  const stored = { ...row, set_at: now };
  tx.run(
    build
      .insertInto('now_showing')
      .values({ id: 1, ...stored })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(stored)),
  );
  return findOverride(tx, now);
}

/** @returns whether one had expired */
export function deleteExpiredOverride(tx: Tx, now: number): boolean {
  return tx.run(build.deleteFrom('now_showing').where('expires_at', '<=', now)) > 0;
}

/** Lets the override of a finished game expire in a quarter of an hour. @returns whether that changed anything */
export function expireAfterGame(tx: Tx, gameId: string, now: number): boolean {
  const expires_at = expiryAfterFinal(now);
  const shorten = build
    .updateTable('now_showing')
    .set({ expires_at })
    .where('game_id', '=', gameId)
    .where('expires_at', '>', expires_at);
  return tx.run(shorten) > 0;
}

/** When the override of a game that has just ended expires. */
export const expiryAfterFinal = (now: number): number => now + 15 * MINUTE;

/** The next five o'clock in the morning, when every evening is over. */
export function nextMorning(now: number, zone: string): number {
  const five = (at: number) => parseTimestamp(`${localDate(at, zone)}T05:00`, zone) ?? at;
  return five(now) > now ? five(now) : five(addDays(now, 1, zone));
}

const AUTOMATIC: Override = {
  mode: 'automatic',
  label: null,
  gameId: null,
  setBy: null,
  setAt: null,
  expiresAt: null,
};

const storedOverride = build.selectFrom('now_showing').selectAll().compile();
