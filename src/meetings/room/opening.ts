import type { Context } from '#kernel/context.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { onItem, type Pressed, recordAct } from '#meetings/item-acts.ts';
import { takeStep } from '#meetings/item-states.ts';
import type { Item } from '#meetings/items.ts';
import type { Meeting } from '#meetings/meetings.ts';
import { takeBackByChair } from '#voting/elections/by-chair.ts';
import { hasUses } from '#voting/elections/turnout.ts';
import { forgetHolders } from '#voting/elections/ways-to-vote.ts';

/** Whether the door has checked somebody in who has a vote. */
export const isCountedByDoor = (reader: Reader, meetingId: string): boolean =>
  reader.first(
    build
      .selectFrom('attendance')
      .select('id')
      .where('meeting_id', '=', meetingId)
      .where('class', 'is not', null),
  ) !== undefined;

export const hasOpenPack = (reader: Reader, meetingId: string): boolean =>
  reader.first(
    build
      .selectFrom('card_packs')
      .select('id')
      .where('meeting_id', '=', meetingId)
      .where('state', '=', 'open'),
  ) !== undefined;

/**
 * Where the door checks nobody in, the chair counts the votes in the room, if a rule or the cards need their number.
 * @throws 409 with `needs: 'present'` without the number; 409 for a number beside that of the door
 */
export function ensureCounted(
  reader: Reader,
  meeting: Meeting,
  { present, isNeeded }: { present: number | undefined; isNeeded: boolean },
): void {
  const isByDoor = isCountedByDoor(reader, meeting.id);
  if (isByDoor && present !== undefined) throw conflict('door_counts');
  if (!isByDoor && present === undefined && isNeeded)
    throw conflict('present_needed', {}, { extra: { needs: 'present' } });
}

/**
 * Takes an opening back, before the first ballot, paper or arrival: the item is prepared again, and the log says so.
 * @throws 409 that names the state, or says what has happened since
 */
export function takeBackOpening(ctx: Context, pressed: Pressed): Promise<void> {
  return onItem(ctx, pressed, (tx, { item }) => {
    const { actor } = pressed;
    if (item.state === 'open') ensureUntouched(tx, item);
    if (!takeStep(tx, item.id, 'take_back', actor)) return;
    forgetOpening(tx, item);
    if (item.election_id !== null) takeBackByChair(tx, item.election_id, actor);
    recordAct(tx, item, 'meeting.item_taken_back', {}, actor);
  });
}

/** @throws 409 */
function ensureUntouched(tx: Tx, { election_id, arrivals }: Item): void {
  if (election_id !== null && hasUses(tx, election_id)) throw conflict('opening_has_votes');
  if (arrivals > 0) throw conflict('opening_has_arrivals');
}

function forgetOpening(tx: Tx, { id }: Item): void {
  forgetHolders(tx, id);
  const nothing = { quorate: null, quorum_needed: null, counted_present: null, shown_voters: null };
  tx.run(
    build
      .updateTable('meeting_items')
      .set({ ...nothing, opened_at: null, extended_at: null, undone: '[]' })
      .where('id', '=', id),
  );
}
