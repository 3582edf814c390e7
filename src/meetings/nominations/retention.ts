import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';

/** How long a nomination waits for its nominee, at least; while candidates are called for, until the end. */
const UNCONFIRMED_KEPT = 14 * DAY;
/** How long after its meeting a nomination is kept; a candidate stays on the ballot. */
const KEPT = 365 * DAY;

/** Deletes nominations that nobody confirmed, and those of meetings of more than a year ago; called by a job. */
export async function deleteOldNominations(ctx: Context): Promise<void> {
  const now = ctx.now();
  const oldItems = build
    .selectFrom('meeting_items')
    .innerJoin('meetings', 'meetings.id', 'meeting_id')
    .select('meeting_items.id')
    .where('held_at', '<=', now - KEPT);
  const open = build.selectFrom('nomination_calls').select('item_id').where('closes_at', '>', now);
  const old = build
    .deleteFrom('nominations')
    .where((is) =>
      is.or([
        is.and([
          is('consented_at', 'is', null),
          is('created_at', '<=', now - UNCONFIRMED_KEPT),
          is('item_id', 'not in', open),
        ]),
        is('item_id', 'in', oldItems),
      ]),
    );
  await ctx.write((tx) => tx.run(old));
}
