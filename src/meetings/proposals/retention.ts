import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { deleteUnconfirmed } from './proof.ts';

/** How long after its meeting a nomination or a motion is kept; candidates and items of the agenda stay. */
const KEPT = 365 * DAY;

/**
 * Deletes nominations and motions that nobody confirmed within a day, and those of meetings of more than a year ago; called
 * by a job.
 */
export async function deleteOldProposals(ctx: Context): Promise<void> {
  const now = ctx.now();
  const oldMeetings = build
    .selectFrom('meetings')
    .select('id')
    .where('held_at', '<=', now - KEPT);
  const oldItems = build.selectFrom('meeting_items').select('id').where('meeting_id', 'in', oldMeetings);
  await ctx.write((tx) => {
    deleteUnconfirmed(tx, 'nomination', now);
    deleteUnconfirmed(tx, 'motion', now);
    tx.run(build.deleteFrom('nominations').where('item_id', 'in', oldItems));
    tx.run(build.deleteFrom('motions').where('meeting_id', 'in', oldMeetings));
  });
}
