import { deleteEndedSessions } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { eraseOldClients } from '#kernel/db/audit-personal.ts';
import type { Tx } from '#kernel/db/queries.ts';
import { forgetOldImports } from './import/apply.ts';

/** What is deleted by its age, one function a table. Asks for codes go within the hour, see `deleteExpiredSignIns`. */
const TABLES: readonly ((tx: Tx, now: number) => void)[] = [deleteEndedSessions, forgetOldImports];

/** Deletes what is personal and old: ended sessions, the undo of imports, client addresses in the audit log. */
export async function deleteOldPersonalData(ctx: Pick<Context, 'write' | 'now'>): Promise<void> {
  await ctx.write((tx) => {
    for (const deleteOld of TABLES) deleteOld(tx, ctx.now());
  });
  // Short transactions: ballots wait for each.
  while (await ctx.write((tx) => eraseOldClients(tx, ctx.now())));
}
