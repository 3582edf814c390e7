import { sql } from 'kysely';
import { build, type Tx } from '#kernel/db/writes.ts';

/**
 * Says that stored plays were changed (hidden, corrected, turned from video into music or back), so that their
 * evenings are counted again by the next run. Call it in the transaction of the change.
 * @param fromPlayId the first play that was changed
 * @param toPlayId the last one; without it every later play may have been changed
 */
export function markSetlistRewritten(tx: Tx, fromPlayId: number, toPlayId?: number): void {
  const changed = tx.first(
    build
      .selectFrom('plays')
      .select((of) => [of.fn.min('started_at').as('first'), of.fn.max('started_at').as('last')])
      .where('id', '>=', fromPlayId)
      .where('id', '<=', toPlayId ?? Number.MAX_SAFE_INTEGER),
  );
  // The least of no rows is null.
  if (typeof changed?.first !== 'number') return;
  // A song that plays over the end of an evening belongs to both of its neighbours.
  tx.run(
    build
      .updateTable('rollup_nights')
      .set({ stale: 1 })
      .where('night', '>=', sql<number>`${nightAt(changed.first)} - 1`)
      .where('night', '<=', sql<number>`${nightAt(changed.last)} + 1`),
  );
}

/** The counted evening that a moment falls into, or the one before it. */
function nightAt(at: number) {
  const found = build
    .selectFrom('rollup_nights')
    .select('night')
    .where('starts_at', '<=', at)
    .orderBy('starts_at', 'desc')
    .limit(1);
  return sql<number>`coalesce((${found}), 0)`;
}
