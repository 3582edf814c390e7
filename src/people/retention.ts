import { deleteEndedSessions } from '#kernel/access/sessions.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { eraseOldClients } from '#kernel/db/audit-personal.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { forgetOldImports } from './import/apply.ts';

/** What is deleted by its age, one function a table. Asks for codes go within the hour, see `deleteExpiredSignIns`. */
const TABLES: readonly ((tx: Tx, now: number) => void)[] = [
  deleteEndedSessions,
  forgetOldImports,
  eraseOldElectors,
];

/** For how long after the close an election names its electors. */
const ELECTORS_NAMED = 365 * DAY;

function eraseOldElectors(tx: Tx, now: number): void {
  const old = build
    .selectFrom('elections')
    .select('id')
    .where('closed_at', '<=', now - ELECTORS_NAMED);
  tx.run(
    build
      .updateTable('electors')
      .set({ name: '', email: null })
      .where('election_id', 'in', old)
      .where((is) => is.or([is('name', '!=', ''), is('email', 'is not', null)])),
  );
}

/** Deletes what is personal and old: ended sessions, the undo of imports, electors’ names, client addresses in the audit log. */
export async function deleteOldPersonalData(ctx: Pick<Context, 'write' | 'now'>): Promise<void> {
  await ctx.write((tx) => {
    for (const deleteOld of TABLES) deleteOld(tx, ctx.now());
  });
  // Short transactions: ballots wait for each.
  while (await ctx.write((tx) => eraseOldClients(tx, ctx.now())));
}
