import { type SqlBool, sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';

/**
 * Seals the elections whose results are settled: their ballots are stored in the order of their ids, and the
 * write-ahead log, which held them as they came, is overwritten. While somebody reads the log nothing is sealed; the
 * job tries again.
 */
export async function sealElections(ctx: Context): Promise<void> {
  if (!ctx.db.first(unsealed)) return;
  if (!ctx.eraseLog()) {
    ctx.log.warn('somebody reads the write-ahead log: closed elections are sealed later');
    return;
  }
  await ctx.write((tx) => {
    const now = ctx.now();
    for (const { id } of tx.all(unsealed)) {
      tx.run(build.updateTable('elections').set({ sealed_at: now }).where('id', '=', id));
      recordAudit(tx, { ip: SERVICE, at: now }, { action: 'election.sealed', election_id: id });
    }
  });
}

const unsealed = build
  .selectFrom('elections')
  .innerJoin('results', 'results.election_id', 'elections.id')
  .select('elections.id')
  .where('closed_at', 'is not', null)
  .where('sealed_at', 'is', null)
  .where(sql<SqlBool>`result ->> 'anchor' IS NOT NULL`)
  .compile();
