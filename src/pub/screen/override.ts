import type { Selectable } from 'kysely';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { NowShowingTable } from '#kernel/db/schema.ts';
import { addDays, localDate, parseTimestamp } from '#kernel/local-time.ts';

/** What the staff decided is on the screen; `automatic` leaves it to the device. Times are ISO. */
export interface Override {
  mode: NowShowingTable['mode'];
  label: string | null;
  gameId: string | null;
  setBy: string | null;
  setAt: string | null;
  /** When it lapses by itself: a forgotten one does not outlive the night. */
  expiresAt: string | null;
}

/** The override in force now. */
export function findOverride(ctx: Context): Override {
  return inForce(ctx.db.first(build.selectFrom('now_showing').selectAll()), ctx.now());
}

/** The same inside a write transaction. */
export function readOverride(tx: Tx, now: number): Override {
  return inForce(tx.first(storedOverride), now);
}

/** Puts another one in its place. @returns what is in force from now on */
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
  return readOverride(tx, now);
}

/** Deletes what has lapsed. @returns whether something had */
export function dropLapsed(tx: Tx, now: number): boolean {
  return tx.run(build.deleteFrom('now_showing').where('expires_at', '<=', now)) > 0;
}

/** A game that is final stays on the card for a quarter of an hour more. @returns whether that is news */
export function lapseAfterGame(tx: Tx, gameId: string, now: number): boolean {
  const lapses = lapseOfFinal(now);
  const shorten = build
    .updateTable('now_showing')
    .set({ expires_at: lapses })
    .where('game_id', '=', gameId)
    .where('expires_at', '>', lapses);
  return tx.run(shorten) > 0;
}

/** When the override of a game lapses that is seen to be final now. */
export const lapseOfFinal = (now: number): number => now + 15 * MINUTE;

/** The next time that it is five in the morning, when every night is over. */
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

function inForce(row: Selectable<NowShowingTable> | undefined, now: number): Override {
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

const storedOverride = build.selectFrom('now_showing').selectAll().compile();
