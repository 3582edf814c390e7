import type { Context } from '#kernel/context.ts';
import { outcomeSentence } from '#views/voting/outcome.ts';
import { wallBars } from '#views/voting/wall.ts';
import { getResults, settleClosedElections } from '#voting/counting/results.ts';
import { sealElections } from '#voting/counting/sealing.ts';
import type { ShownFigures } from '#voting/elections/deletion.ts';
import { type Election, electionStatus } from '#voting/elections/elections.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';

/**
 * Deletes an election or a ballot paper. Closed questions leave the totals that everybody could see.
 * @param list its questions, read again after those that are due were settled
 * @param remove deletes it, given these totals by the id of the question
 */
export async function deleteWithFigures(
  ctx: Context,
  list: () => readonly Election[],
  remove: (figures: ReadonlyMap<string, ShownFigures>) => Promise<void>,
): Promise<void> {
  await settleClosedElections(ctx);
  const figures = new Map<string, ShownFigures>();
  for (const question of list()) {
    if (electionStatus(question, ctx.now()) !== 'closed' || areResultsHidden(question, ctx.now())) continue;
    const results = await getResults(ctx, question);
    const totals = wallBars(results)?.bars.map(({ label, votes }) => ({ label, votes })) ?? [];
    figures.set(question.id, { outcome: outcomeSentence(results), totals });
  }
  await remove(figures);
  // The deletion is committed; if this step fails, the job repeats it.
  await sealElections(ctx).catch((err: unknown) =>
    ctx.log.error({ err }, 'the log of a deleted election is erased later'),
  );
}
