import { sql } from 'kysely';
import { untilStored } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build, prepare, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { closeDueElections } from '#voting/elections/lifecycle.ts';
import { getTurnout } from '#voting/elections/turnout.ts';
import { keepLateCards } from './door/late-cards.ts';
import { mixDoor } from './door/mix.ts';
import { getItem, type Item } from './items.ts';
import { getMeeting } from './meetings.ts';
import { storeClose } from './room/base.ts';

export type ItemState = Item['state'];

/** An act that moves an item from one state to another. */
export type ItemStep = 'open' | 'close' | 'declare' | 'void' | 'count' | 'take_back';

/**
 * From which states each step leads where. An item that was counted by hand was never open; one that is void stays so.
 */
const STEPS: Record<ItemStep, { from: readonly ItemState[]; to: ItemState; at?: keyof Item }> = {
  open: { from: ['prepared'], to: 'open', at: 'opened_at' },
  close: { from: ['open'], to: 'closed', at: 'closed_at' },
  /** By hand, or without opposition: closed without having been open. */
  count: { from: ['prepared'], to: 'closed', at: 'closed_at' },
  declare: { from: ['closed'], to: 'declared', at: 'declared_at' },
  void: { from: ['open', 'closed', 'declared'], to: 'void' },
  /** An opening before anybody voted or came. */
  take_back: { from: ['open'], to: 'prepared' },
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
      })
      .where('id', '=', itemId)
      .where('state', 'in', from),
  );
  if (moved === 1 && (step === 'close' || step === 'void')) keepLateCards(tx, itemId);
  if (moved === 1) return true;
  const { state } = getItem(tx, itemId);
  if (state === to) return false;
  throw conflict('item_state', { state });
}

/** Whether ballots or hands were counted on it, or are being counted. */
const isVotedOn = ({ state }: Pick<Item, 'state'>): boolean => state !== 'prepared';

/** @throws 409 once the item was voted on */
export function ensurePrepared(item: Pick<Item, 'state'>): void {
  if (isVotedOn(item)) throw conflict('item_voted_on', { state: item.state });
}

/** An item whose voting the clock has closed, or an officer who closed all questions. */
const overdueItems = prepare((p: { now: number }) =>
  build
    .selectFrom('meeting_items')
    .innerJoin('elections', 'elections.id', 'election_id')
    .select(['meeting_items.id', 'meeting_id', 'election_id', 'elections.closed_at', 'close_at'])
    .where('state', '=', 'open')
    .where((is) => is.or([is('elections.closed_at', 'is not', null), is('close_at', '<=', p.now)])),
);

/** Closes the items whose timer has ended, at the time when it did. Acts and pages call it before they look at states. */
export function closeDueItems(tx: Tx, now: number): void {
  closeDueElections(tx, now);
  const due = tx.all(overdueItems({ now }));
  for (const { id, meeting_id, election_id, closed_at, close_at } of due) {
    tx.run(
      build
        .updateTable('meeting_items')
        .set({ state: 'closed', closed_at: closed_at ?? close_at })
        .where('id', '=', id)
        .where('state', '=', 'open'),
    );
    const metadata = {
      meeting: meeting_id,
      item: id,
      question: election_id,
      by: 'clock',
      turnout: getTurnout(tx, election_id ?? ''),
      voters: storeClose(tx, getMeeting(tx, meeting_id), id),
    };
    recordAudit(tx, { ip: SERVICE, at: now }, { action: 'meeting.item_closed', metadata });
  }
  for (const { id } of due) keepLateCards(tx, id);
  for (const meeting of new Set(due.map(({ meeting_id }) => meeting_id))) mixDoor(tx, meeting);
}

const nextDue = build
  .selectFrom('meeting_items')
  .innerJoin('elections', 'elections.id', 'election_id')
  .select(sql<number | null>`min(iif(elections.closed_at IS NULL, close_at, 0))`.as('at'))
  .where('state', '=', 'open')
  .compile();

const nextDueNow = untilStored((db) => db.first(nextDue)?.at ?? Number.POSITIVE_INFINITY);

/** Whether a timer has ended and its item is still open. */
export const isItemDue = (ctx: Context): boolean => nextDueNow(ctx, '') <= ctx.now();
