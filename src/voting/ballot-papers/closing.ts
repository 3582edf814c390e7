import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { endByOfficer } from '#voting/elections/changes.ts';
import { ensureNotLed, getPaper, listQuestions } from '#voting/elections/issuers.ts';

/** Closes every question of a paper at once. Does nothing to those that are closed. @throws 404 */
export async function closePaper(ctx: Context, id: string, actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    getPaper(tx, id);
    ensureNotLed(tx, { paper_id: id });
    for (const question of listQuestions(tx, id)) endByOfficer(tx, question, actor);
  });
}
