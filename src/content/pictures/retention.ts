import { sql } from 'kysely';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { findSettings } from '#kernel/db/settings.ts';

/** How long an unused picture is kept. */
const UNUSED_KEPT = 30 * DAY;

/** Deletes pictures that no record version, election or setting uses, a month after the upload; called by a job. */
export async function deleteUnusedPictures(ctx: Context): Promise<void> {
  const old = build
    .selectFrom('pictures')
    .select('id')
    .where('added_at', '<=', ctx.now() - UNUSED_KEPT);
  const unused = new Set(ctx.db.all(old).map(({ id }) => id));
  if (unused.size === 0) return;
  unused.delete(findSettings(ctx.db).logo ?? '');
  // One record at a time: all versions together may be 50 MB of JSON.
  for (const { id } of ctx.db.all(build.selectFrom('content_records').select('id'))) {
    for (const { picture } of ctx.db.all(picturesOf(id))) if (picture !== null) unused.delete(picture);
    await ctx.queue.turn();
  }
  for (const { picture } of ctx.db.all(build.selectFrom('options').select('picture').distinct()))
    if (picture !== null) unused.delete(picture);
  for (const { picture } of ctx.db.all(build.selectFrom('nominations').select('picture').distinct()))
    if (picture !== null) unused.delete(picture);
  const deleted = await ctx.write((tx) => {
    let count = 0;
    for (const id of unused) {
      // It may have been used in a record or the settings meanwhile.
      if (findSettings(tx).logo === id) continue;
      const named = sql<boolean>`NOT EXISTS (SELECT 1 FROM content_records AS record
        JOIN content_revisions AS revision ON revision.record_id = record.id AND revision.version = record.version
        WHERE revision.body ->> '$.picture' = pictures.id)
        AND NOT EXISTS (SELECT 1 FROM options WHERE options.picture = pictures.id)
        AND NOT EXISTS (SELECT 1 FROM nominations WHERE nominations.picture = pictures.id)`;
      count += tx.run(
        build
          .deleteFrom('pictures')
          .where('id', '=', id)
          .where('added_at', '<=', ctx.now() - UNUSED_KEPT)
          .where(named),
      );
    }
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
