import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { countPresent, countRemote } from '../door/attendance.ts';
import { countLeavers } from '../door/leavers.ts';
import { meetingFigures } from '../figures.ts';
import { type Item, listItems, namedClasses } from '../items.ts';
import type { Meeting } from '../meetings.ts';

/**
 * Who is present for an item: people whose class votes on it, those who left with their card, and members elsewhere who
 * have opened the page.
 */
export const presentFor = (reader: Reader, item: Pick<Item, 'meeting_id' | 'classes'>): number =>
  countPresent(reader, item.meeting_id, namedClasses(item)) +
  countLeavers(reader, item.meeting_id, namedClasses(item)) +
  countRemote(reader, item.meeting_id);

/** Whether the meeting has its quorum at this moment. */
const isQuorate = (reader: Reader, meeting: Meeting, zone: string): boolean =>
  meetingFigures(reader, meeting, zone).quorum.met;

/** Stores who is present for an item at its vote, and whether that is the quorum of the meeting. */
export function storePresence(
  tx: Tx,
  { meeting, item }: { meeting: Meeting; item: Item },
  zone: string,
): { present: number; quorate: boolean } {
  const present = presentFor(tx, item);
  const quorate = isQuorate(tx, meeting, zone);
  tx.run(
    build
      .updateTable('meeting_items')
      .set({ present, quorate: quorate ? 1 : 0 })
      .where('id', '=', item.id),
  );
  return { present, quorate };
}

/** A vote that was opened without the quorum has it once enough people have come while it is open. */
export function noteArrivals(tx: Tx, meeting: Meeting, zone: string): void {
  const lacking = listItems(tx, meeting.id).filter(({ state, quorate }) => state === 'open' && quorate === 0);
  if (lacking.length === 0 || !isQuorate(tx, meeting, zone)) return;
  for (const { id } of lacking)
    tx.run(build.updateTable('meeting_items').set({ quorate: 1 }).where('id', '=', id));
}
