import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import { outcomeSentence } from '#views/voting/results/outcome.ts';
import { wallBars } from '#views/voting/wall.ts';
import {
  computedJson,
  getResults,
  loadResult,
  type ResultsJson,
  settleClosedElections,
} from '#voting/counting/results.ts';
import { sealElections } from '#voting/counting/sealing.ts';
import type { Figures, ShownFigures } from '#voting/elections/deletion.ts';
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
    const isCertified = results.results_mode === 'manual';
    figures.set(question.id, {
      ...figuresIn(results),
      ...(isCertified && { counted: figuresIn(computedJson(await loadResult(ctx, question))) }),
    });
  }
  await remove(figures);
  // The deletion is committed; if this step fails, the job repeats it.
  await sealElections(ctx).catch((err: unknown) =>
    ctx.log.error({ err }, 'the log of a deleted election is erased later'),
  );
}

function figuresIn(results: ResultsJson): Figures {
  return { outcome: outcomeSentence(results).for(clubReader()), totals: totalsOf(results) };
}

/** The bars of a result; of several certified contests each of their rows. */
function totalsOf(results: ResultsJson): Figures['totals'] {
  if (results.results_mode === 'manual' && results.display.contests.length > 1)
    return results.display.contests.flatMap((contest) =>
      contest.items.map(({ label, votes }) => ({
        label: t('common.named', { name: contest.label, value: label }).for(clubReader()),
        votes,
      })),
    );
  return (
    wallBars(results)?.bars.map(({ label, votes }) => ({
      label: label instanceof Words ? label.for(clubReader()) : label,
      votes,
    })) ?? []
  );
}
