import { sql } from 'kysely';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { RESTORABLE } from './reading.ts';

/** All revisions are kept for this time; after it only the newest ones and the published one. */
const ALL_KEPT = 400 * DAY;
const NEWEST_KEPT = 20;

/** Deletes old revisions, and records that were removed a month ago; called by a job. */
export async function deleteOldContent({ write, now }: Pick<Context, 'write' | 'now'>): Promise<void> {
  const gone = build
    .selectFrom('content_records')
    .select('id')
    .where('removed_at', '<=', now() - RESTORABLE);
  await write((tx) => {
    tx.run(build.deleteFrom('content_revisions').where('record_id', 'in', gone));
    // The row of an imported page stays: without it the page itself would be shown again.
    tx.run(
      build
        .deleteFrom('content_records')
        .where('id', 'in', gone)
        .where(sql<boolean>`coalesce(origin, '') NOT LIKE 'workspace:%'`),
    );
  });
  const old = build
    .selectFrom('content_revisions as revision')
    .innerJoin('content_records as record', 'record.id', 'revision.record_id')
    .select(['revision.record_id', 'revision.version'])
    .where('revision.at', '<', now() - ALL_KEPT)
    .where(
      sql<boolean>`revision.version <= record.version - ${sql.lit(NEWEST_KEPT)}
        AND revision.version IS NOT record.published_version`,
    );
  await write((tx) =>
    tx.run(
      build
        .deleteFrom('content_revisions')
        .where((is) => is(is.refTuple('record_id', 'version'), 'in', old.$asTuple('record_id', 'version'))),
    ),
  );
}
