import { sql } from 'kysely';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { listAllUses } from './uses.ts';

/** How long an unused picture is kept. */
const UNUSED_KEPT = 30 * DAY;

/**
 * Deletes pictures that nothing uses, and no version of a record that can be restored, a month after the upload; called
 * by a job.
 */
export async function deleteUnusedPictures(ctx: Context): Promise<void> {
  const old = build
    .selectFrom('pictures')
    .select('id')
    .where('added_at', '<=', ctx.now() - UNUSED_KEPT);
  const unused = new Set(ctx.db.all(old).map(({ id }) => id));
  if (unused.size === 0) return;
  // Earlier versions, one record at a time: all together may be 50 MB of JSON. A picture that a record gets meanwhile
  // is in its newest version, which is among the uses.
  for (const { id } of ctx.db.all(build.selectFrom('content_records').select('id'))) {
    for (const { picture } of ctx.db.all(picturesOf(id))) if (picture !== null) unused.delete(picture);
    await ctx.queue.turn();
  }
  if (unused.size === 0) return;
  const deleted = await ctx.write((tx) => {
    const uses = listAllUses(tx, ctx.now());
    let count = 0;
    for (const { id } of tx.all(old))
      if (unused.has(id) && !uses.has(id)) count += tx.run(build.deleteFrom('pictures').where('id', '=', id));
    return count;
  });
  if (deleted > 0) ctx.hub.publish('content');
}

const picturesOf = (record: string) =>
  build
    .selectFrom('content_revisions')
    .select(sql<string | null>`body ->> '$.picture'`.as('picture'))
    .distinct()
    .where('record_id', '=', record);
