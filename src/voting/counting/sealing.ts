import { type SqlBool, sql } from 'kysely';
import { kept } from '#kernel/cache.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { rewriteInKeyOrder } from '#voting/ballots/id-order.ts';
import { deleteClosedLinks } from '#voting/invitations/invites.ts';

const SEALING = kept<Promise<void>>({ age: 0 });
/** By the head of the audit log at the settling. */
const REWRITTEN = kept<Promise<boolean>>({ age: DAY });

/**
 * Seals the elections whose results are settled: deletes the stored voting links, rewrites the ballots and codes in the
 * order of their keys, and overwrites the write-ahead log, which had both in their original order; deleted elections leave the
 * log with it. While another reader uses the log nothing is sealed; the job and the next start try again.
 */
export async function sealElections(ctx: Context): Promise<void> {
  if (!ctx.db.first(unsealed) && !ctx.db.first(deletedInLog)) return;
  await ctx.cache.get(SEALING, '', () => seal(ctx));
}

async function seal(ctx: Context): Promise<void> {
  const settled = ctx.db.all(unsealed);
  const deleted = ctx.db.all(deletedInLog);
  await deleteClosedLinks(ctx);
  await ctx.moveLog();
  for (const { id, paper_id, head } of settled) {
    // At most once a day, however often erasing the log is tried.
    await ctx.cache.get(REWRITTEN, head, async () => {
      await rewriteInKeyOrder(ctx, { electionId: id, paperId: paper_id });
      return true;
    });
  }
  if (!(await ctx.eraseLog())) {
    ctx.log.warn('another process holds the write-ahead log: sealing is postponed');
    return;
  }
  const rewritten = new Set(settled.map(({ head }) => head));
  await ctx.write((tx) => {
    const now = ctx.now();
    for (const { id } of deleted)
      tx.run(build.updateTable('deleted_elections').set({ log_erased_at: now }).where('id', '=', id));
    // Without codes it was a trial.
    tx.run(
      build
        .deleteFrom('deleted_elections')
        .where('log_erased_at', 'is not', null)
        .where('id', 'not in', build.selectFrom('deleted_codes').select('election_id')),
    );
    // Elections that were settled meanwhile, perhaps after a reopening, are sealed next time.
    const same = tx.all(unsealed).filter(({ head }) => rewritten.has(head));
    for (const { id } of same) {
      tx.run(build.updateTable('elections').set({ sealed_at: now }).where('id', '=', id));
      recordAudit(tx, { ip: SERVICE, at: now }, { action: 'election.sealed', election_id: id });
    }
  });
}

/** Closed elections that are not sealed, with the head of the audit log at their settling, which identifies it. */
const unsealed = build
  .selectFrom('elections')
  .innerJoin('results', 'results.election_id', 'elections.id')
  .select(['elections.id', 'paper_id', sql<string>`result ->> '$.anchor.head'`.as('head')])
  .where('closed_at', 'is not', null)
  .where('sealed_at', 'is', null)
  .where(sql<SqlBool>`result ->> 'anchor' IS NOT NULL`)
  .compile();

/** Deleted elections whose ballots may still be in the write-ahead log. */
const deletedInLog = build
  .selectFrom('deleted_elections')
  .select('id')
  .where('log_erased_at', 'is', null)
  .compile();
