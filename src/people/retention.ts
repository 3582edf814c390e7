import { deleteEndedSessions } from '#kernel/access/sessions.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { eraseOldClients } from '#kernel/db/audit-personal.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { forgetOldImports } from './import/apply.ts';

/** Functions that delete old rows, one per table. Requests for codes go within the hour, see `deleteExpiredSignIns`. */
const TABLES: readonly ((tx: Tx, now: number) => void)[] = [
  deleteEndedSessions,
  forgetOldImports,
  eraseOldElectors,
];

/** How long after the close of an election or a ballot paper the names of its electors are kept. */
const ELECTORS_NAMED = 365 * DAY;

function eraseOldElectors(tx: Tx, now: number): void {
  const closed = (table: 'elections' | 'papers') =>
    build
      .selectFrom(table)
      .select('id')
      .where('closed_at', '<=', now - ELECTORS_NAMED);
  const old = closed('elections').union(closed('papers'));
  tx.run(
    build
      .updateTable('electors')
      .set({ name: '', email: null })
      .where('election_id', 'in', old)
      .where((is) => is.or([is('name', '!=', ''), is('email', 'is not', null)])),
  );
}

/** Deletes old personal data: ended sessions, undo data of imports, names of electors, clients in the audit log. */
export async function deleteOldPersonalData(ctx: Pick<Context, 'write' | 'now'>): Promise<void> {
  await ctx.write((tx) => {
    for (const deleteOld of TABLES) deleteOld(tx, ctx.now());
  });
  // In short transactions, because ballots have to wait for each of them.
  while (await ctx.write((tx) => eraseOldClients(tx, ctx.now())));
}
