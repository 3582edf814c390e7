import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { countForQuorum, meetingFigures } from '#meetings/figures.ts';
import { getItem, type Item, listItems } from '#meetings/items.ts';
import type { Meeting } from '#meetings/meetings.ts';
import { countAgain } from '#voting/ballots/paper-count.ts';
import { noteHolders } from '#voting/elections/doubtful-cards.ts';
import { readElectorate } from '#voting/elections/electorate.ts';
import { countVoters, forgetHolders, type Voters, votesOn } from '#voting/elections/ways-to-vote.ts';
import { countedByHand } from './hand-count.ts';

/** An item that is voted on. */
interface Voted {
  meeting: Meeting;
  item: Item;
}

/**
 * At the opening of an item, or when hands are counted on it: stores the quorum that it needs, whether the meeting has
 * it, and whoever has a card.
 * @param present the votes in the room as the chair counted them, where the door checks nobody in
 */
export function storeOpening(
  tx: Tx,
  { meeting, item }: Voted,
  present: number | undefined,
  zone: string,
): { voters: Voters; quorate: boolean } {
  const { needed } = meetingFigures(tx, meeting, zone).quorum;
  set(tx, item.id, { counted_present: present ?? null, quorum_needed: needed, arrivals: 0 });
  const { voters } = countVoters(tx, getItem(tx, item.id));
  const quorate = isMet(tx, meeting, needed, present);
  set(tx, item.id, { shown_voters: voters.total, quorate: quorate ? 1 : 0 });
  noteHolders(tx, item);
  return { voters, quorate };
}

/** Whether enough people are there, or were counted by the chair where the door checks nobody in. */
const isMet = (
  reader: Reader,
  meeting: Meeting,
  needed: number,
  counted: number | null | undefined,
): boolean => Math.max(countForQuorum(reader, meeting), counted ?? 0) >= needed;

const set = (tx: Tx, id: string, to: Partial<Item>): number =>
  tx.run(build.updateTable('meeting_items').set(to).where('id', '=', id));

/** A quorum that was lacking at the opening may be met by now. To be called before somebody leaves. */
export function noteQuorum(tx: Tx, meeting: Meeting): void {
  for (const item of listItems(tx, meeting.id))
    if (item.state === 'open' && item.quorate === 0)
      if (isMet(tx, meeting, item.quorum_needed ?? 0, item.counted_present)) set(tx, item.id, { quorate: 1 });
}

/** Somebody has come while items are open: their votes are said anew, and a quorum that was lacking may be met. */
export function noteArrival(tx: Tx, meeting: Meeting): void {
  for (const item of listItems(tx, meeting.id).filter(({ state }) => state === 'open')) {
    const isQuorate = item.quorate === 1 || isMet(tx, meeting, item.quorum_needed ?? 0, item.counted_present);
    set(tx, item.id, {
      shown_voters: countVoters(tx, item).voters.total,
      arrivals: item.arrivals + 1,
      ...(isQuorate && { quorate: 1 as const }),
    });
  }
}

/**
 * A press that a door sends late counts in the questions that were open when it was made, until their result is
 * announced: they are counted again. Nothing of the time is stored.
 */
export function noteLate(
  tx: Tx,
  meeting: Meeting,
  { cards, since, by }: { cards: readonly string[]; since: number; by: 1 | -1 },
  actor: Actor,
): void {
  for (const item of listItems(tx, meeting.id)) {
    const more = by * cards.filter((own) => votesOn(item, own)).length;
    const isOver = item.state === 'closed' && item.voters !== null && (item.closed_at ?? 0) > since;
    if (!isOver || more === 0) continue;
    const before: Voters = JSON.parse(item.voters ?? '');
    const voters = { ...before, total: before.total + more, here: before.here + more };
    const isQuorate = item.quorate === 1 || isMet(tx, meeting, item.quorum_needed ?? 0, item.counted_present);
    set(tx, item.id, {
      voters: JSON.stringify(voters),
      electors: (item.electors ?? 0) + more,
      shown_voters: voters.total,
      ...(isQuorate && { quorate: 1 as const }),
    });
    const electionId = item.election_id ?? '';
    countAgain(tx, electionId);
    const hand = countedByHand(item);
    if (hand) {
      const counted = { ...hand, ...readElectorate(tx, { id: electionId }) };
      set(tx, item.id, { counted: JSON.stringify(counted) });
    }
    const metadata = { meeting: meeting.id, item: item.id, voters };
    recordAudit(tx, actor, { action: 'election.voters_corrected', election_id: electionId, metadata });
  }
}

/** At the close of an item: stores its votes in parts, and erases whoever had a card. */
export function storeClose(tx: Tx, meeting: Meeting, itemId: string): Voters {
  const item = getItem(tx, itemId);
  const { voters, electors } = countVoters(tx, item);
  const isQuorate = item.quorate === 1 || isMet(tx, meeting, item.quorum_needed ?? 0, item.counted_present);
  set(tx, itemId, {
    voters: JSON.stringify(voters),
    electors,
    shown_voters: voters.total,
    undone: '[]',
    ...(item.quorate !== null && isQuorate && { quorate: 1 as const }),
  });
  forgetHolders(tx, itemId);
  return voters;
}
