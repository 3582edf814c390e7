import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { deleteUnconfirmed } from './nominations.ts';

/** How long after its meeting a nomination is kept; a candidate stays on the ballot. */
const KEPT = 365 * DAY;

/** Deletes nominations that nobody confirmed within a day, and those of meetings of more than a year ago; called by a job. */
export async function deleteOldNominations(ctx: Context): Promise<void> {
  const now = ctx.now();
  const oldItems = build
    .selectFrom('meeting_items')
    .innerJoin('meetings', 'meetings.id', 'meeting_id')
    .select('meeting_items.id')
    .where('held_at', '<=', now - KEPT);
  await ctx.write((tx) => {
    deleteUnconfirmed(tx, now);
    tx.run(build.deleteFrom('nominations').where('item_id', 'in', oldItems));
  });
}
