import type { Actor } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { countPresent } from './door/attendance.ts';
import { getItem, type Item } from './items.ts';

export type ItemState = Item['state'];

/** An act that moves an item from one state to another. */
export type ItemStep = 'open' | 'close' | 'declare' | 'void' | 'count';

/**
 * From which states each step leads where. An item that was counted by hand was never open; one that is void stays so.
 */
const STEPS: Record<ItemStep, { from: readonly ItemState[]; to: ItemState; at?: keyof Item }> = {
  open: { from: ['prepared'], to: 'open', at: 'opened_at' },
  close: { from: ['open'], to: 'closed', at: 'closed_at' },
  /** By hand, or without opposition: closed without having been open. */
  count: { from: ['prepared'], to: 'closed', at: 'closed_at' },
  declare: { from: ['closed'], to: 'declared', at: 'declared_at' },
  void: { from: ['open', 'closed'], to: 'void' },
};

/**
 * Takes a step of an item, once: two people who press at the same time do it once.
 * @returns whether the item was moved; false if it was in that state already
 * @throws 404; 409 that names the state if the step does not lead on from it
 */
export function takeStep(tx: Tx, itemId: string, step: ItemStep, actor: Actor): boolean {
  const { from, to, at } = STEPS[step];
  const moved = tx.run(
    build
      .updateTable('meeting_items')
      .set({
        state: to,
        ...(at && { [at]: actor.at }),
        ...(step === 'open' && { present: countPresent(tx, getItem(tx, itemId).meeting_id) }),
      })
      .where('id', '=', itemId)
      .where('state', 'in', from),
  );
  if (moved === 1) return true;
  const { state } = getItem(tx, itemId);
  if (state === to) return false;
  throw conflict('item_state', { state });
}

/** Whether ballots or hands were counted on it, or are being counted. */
export const isVotedOn = ({ state }: Pick<Item, 'state'>): boolean => state !== 'prepared';

/** @throws 409 once the item was voted on */
export function ensurePrepared(item: Pick<Item, 'state'>): void {
  if (isVotedOn(item)) throw conflict('item_voted_on', { state: item.state });
}
