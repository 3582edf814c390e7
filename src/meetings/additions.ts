import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { getElection } from '#voting/elections/elections.ts';
import { type Item, isAddedLater, listItems } from './items.ts';
import { getMeeting, type Meeting } from './meetings.ts';

/** Whether an item was put on the agenda after the invitation went out. A vote that is repeated is no new item. */
export function isAddition(reader: Reader, item: Item): boolean {
  if (!isAddedLater(item) || getMeeting(reader, item.meeting_id).invited_at === null) return false;
  return item.election_id === null || getElection(reader, item.election_id).follow_up_of === null;
}

/** What was added and is not mailed yet to those who were invited. Once the meeting has begun, the room says it. */
export function listUntold(reader: Reader, { id, state }: Pick<Meeting, 'id' | 'state'>): Item[] {
  if (state !== 'prepared') return [];
  return listItems(reader, id).filter((item) => item.told_at === null && isAddition(reader, item));
}

/** Notes that what was added is mailed. */
export function noteTold(tx: Tx, items: readonly Item[], at: number): void {
  const ids = items.map(({ id }) => id);
  if (ids.length > 0) tx.run(build.updateTable('meeting_items').set({ told_at: at }).where('id', 'in', ids));
}
