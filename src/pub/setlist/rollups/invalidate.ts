import { sql } from 'kysely';
import { build, ONE, type Tx } from '#kernel/db/queries.ts';

/**
 * Marks the evenings of plays that were changed (hidden, corrected, turned from video into music or back), so that
 * the next run counts them again. Call it in the transaction of the change.
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
  // min() of no rows is null.
  if (typeof changed?.first !== 'number') return;
  // A song that plays past the end of an evening affects both evenings.
  tx.run(
    build
      .updateTable('rollup_nights')
      .set({ stale: 1 })
      .where('night', '>=', sql<number>`${nightBegunBy(changed.first)} - 1`)
      .where('night', '<=', sql<number>`${nightBegunBy(changed.last)} + 1`),
  );
}

/** The last counted evening that had begun at this moment. */
function nightBegunBy(at: number) {
  const found = build
    .selectFrom('rollup_nights')
    .select('night')
    .where('starts_at', '<=', at)
    .orderBy('starts_at', 'desc')
    .limit(ONE);
  return sql<number>`coalesce((${found}), 0)`;
}
