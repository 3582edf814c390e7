import { build, type Reader, type Tx } from '#kernel/db/queries.ts';

/** How many cards of each class were returned by people who had left. Which of them returned one is not known. */
function returnedOf(reader: Reader, meetingId: string): Record<string, number> {
  const row = reader.first(build.selectFrom('meetings').select('leaver_cards').where('id', '=', meetingId));
  return JSON.parse(row?.leaver_cards ?? '{}');
}

/** People of a class who have left with their card: they count in the base of a vote until it is returned. */
export function countLeavers(reader: Reader, meetingId: string, classes: readonly string[] | null): number {
  const returned = returnedOf(reader, meetingId);
  const out = reader.all(
    build
      .selectFrom('attendance')
      .select((of) => ['class', of.fn.countAll<number>().as('count')])
      .where('meeting_id', '=', meetingId)
      .where('state', '=', 'out')
      .where('class', 'is not', null)
      .groupBy('class'),
  );
  return out
    .filter((row) => classes === null || classes.includes(row.class ?? ''))
    .reduce((sum, row) => sum + Math.max(0, row.count - (returned[row.class ?? ''] ?? 0)), 0);
}

/** Whether somebody of a class who has left can have returned their card, and whether they can have it still. */
export const leaverOf = (reader: Reader, meetingId: string, own: string) => ({
  hasReturned: (returnedOf(reader, meetingId)[own] ?? 0) > 0,
  hasCard: countLeavers(reader, meetingId, [own]) > 0,
});

/**
 * Notes that somebody who left has returned a card of this class, or is back with another one.
 * @returns false if nobody of the class who left has a card, or had returned one: then it is a card of the pile, or the
 * one that they kept
 */
export function noteLeaver(tx: Tx, meetingId: string, own: string, is: 'returned' | 'back'): boolean {
  const returned = returnedOf(tx, meetingId);
  const count = returned[own] ?? 0;
  if (is === 'returned' ? countLeavers(tx, meetingId, [own]) === 0 : count === 0) return false;
  const leaver_cards = JSON.stringify({ ...returned, [own]: count + (is === 'returned' ? 1 : -1) });
  tx.run(build.updateTable('meetings').set({ leaver_cards }).where('id', '=', meetingId));
  return true;
}
