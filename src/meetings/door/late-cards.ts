import type { Selectable } from 'kysely';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { CardPacksTable } from '#kernel/db/schema.ts';
import { findItemOf } from '#meetings/items.ts';
import { countCardsOut, countGivenBack, votesOn } from '#voting/elections/ways-to-vote.ts';

/** Cards that were made valid while voting on an item was open: more than were handed out cast no lawful vote. */
export interface LateCards {
  made_valid: number;
  handed_out: number;
}

interface OfItem {
  meeting_id: string;
  /** JSON list of the classes that vote on it; null: all. */
  classes: string | null;
}

/** Notes the cards of a pack that is opened, in the items on which voting is open. Called before it is open. */
export function noteLateCards(tx: Tx, { meeting_id, class: own, cards }: Selectable<CardPacksTable>): void {
  const open = tx.all(
    build
      .selectFrom('meeting_items')
      .select(['id', 'meeting_id', 'classes', 'late_cards', 'cards_before'])
      .where('meeting_id', '=', meeting_id)
      .where('state', '=', 'open'),
  );
  for (const item of open) {
    if (!votesOn(item, own)) continue;
    const cards_before = item.late_cards === 0 ? countValid(tx, item) : item.cards_before;
    const set = { late_cards: item.late_cards + cards, cards_before };
    tx.run(build.updateTable('meeting_items').set(set).where('id', '=', item.id));
  }
}

/** The cards of opened packs whose classes vote on an item, also those that were returned. */
function countValid(reader: Reader, item: OfItem): number {
  return reader
    .all(
      build
        .selectFrom('card_packs')
        .select(['class', 'cards'])
        .where('meeting_id', '=', item.meeting_id)
        .where('state', '=', 'open'),
    )
    .filter((pack) => votesOn(item, pack.class))
    .reduce((sum, pack) => sum + pack.cards, 0);
}

/** How many cards the door has handed out for the classes of an item, with those that were given back. */
function countHandedOut(reader: Reader, item: OfItem): number {
  const { given_back } = countGivenBack(reader, item.meeting_id);
  const names = new Set([...listClasses(reader, item.meeting_id), ...Object.keys(given_back)]);
  return [...names]
    .filter((own) => votesOn(item, own))
    .reduce((sum, own) => sum + countCardsOut(reader, item.meeting_id, own) + (given_back[own] ?? 0), 0);
}

const listClasses = (reader: Reader, meetingId: string): string[] =>
  JSON.parse(
    reader.first(build.selectFrom('meetings').select('classes').where('id', '=', meetingId))?.classes ?? '[]',
  );

/**
 * The late cards of an item. Which card somebody has is not known: those that were valid before are handed out first.
 */
export function findLateCards(
  reader: Reader,
  item: OfItem & { late_cards: number; cards_before: number; late_cards_out: number | null },
): LateCards | undefined {
  const { late_cards: made_valid, cards_before, late_cards_out } = item;
  if (made_valid === 0) return undefined;
  const handed_out =
    late_cards_out ?? Math.min(made_valid, Math.max(0, countHandedOut(reader, item) - cards_before));
  return { made_valid, handed_out };
}

/** The late cards of a question, by its election; undefined without any, and outside of meetings. */
export function findLateCardsOf(reader: Reader, electionId: string): LateCards | undefined {
  const item = findItemOf(reader, electionId);
  return item && findLateCards(reader, item);
}

/** Keeps how many of the late cards were handed out, once voting is over. */
export function keepLateCards(tx: Tx, itemId: string): void {
  const item = tx.first(build.selectFrom('meeting_items').selectAll().where('id', '=', itemId));
  const late = item && findLateCards(tx, item);
  if (late)
    tx.run(
      build.updateTable('meeting_items').set({ late_cards_out: late.handed_out }).where('id', '=', itemId),
    );
}
