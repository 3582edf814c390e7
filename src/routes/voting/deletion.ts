import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { badField } from '#kernel/http/errors.ts';
import { type App, answerDone, isForm } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import type { ActDetail } from '#people/approvals/approvals.ts';
import { graveActs } from '#routes/people/grave-acts.ts';
import { outcomeSentence } from '#views/voting/outcome.ts';
import { wallBars } from '#views/voting/wall/bars.ts';
import { countBallots } from '#voting/ballots/ballot-store.ts';
import { getResults, settleClosedElections } from '#voting/counting/results.ts';
import { sealElections } from '#voting/counting/sealing.ts';
import { DeletionInput, deleteElection, type ShownFigures } from '#voting/elections/deletion.ts';
import { type Election, electionStatus, getElection } from '#voting/elections/elections.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';
import { refusedOnElectionPage } from './election-page.ts';

const params = z.object({ id: Id });

export function deletion(app: App, { ctx }: { ctx: Context }): void {
  const acts = graveActs(ctx);
  app.delete(
    '/admin/elections/:id',
    {
      config: { permission: 'elections:certify', sudo: true, ...refusedOnElectionPage(ctx, 'delete') },
      schema: { params, body: DeletionInput },
    },
    async (request, reply) => {
      const election = getElection(ctx.db, request.params.id);
      const { id, title } = election;
      const { confirm, reason } = request.body;
      if (isForm(request) && confirm !== title)
        throw badField('confirm', 'type the title exactly as it is shown');
      const act = `Delete “${title}” with everything in it`;
      const notifyOthers = await acts.about(request, act, detailsOf(ctx, election, reason));
      // A closed election leaves its totals.
      await settleClosedElections(ctx);
      const figures = await findFigures(ctx, getElection(ctx.db, id));
      await deleteElection(ctx, id, { reason, figures }, actorOf(request, ctx.now));
      notifyOthers();
      // The deletion is committed; if this step fails, the job repeats it.
      await sealElections(ctx).catch((err: unknown) =>
        ctx.log.error({ err }, 'the log of a deleted election is erased later'),
      );
      return answerDone(request, reply, { success: true }, '/admin?done=deleted');
    },
  );
}

/** What goes and why, for the person who confirms it. */
function detailsOf(ctx: Context, election: Election, reason: string | null): ActDetail[] {
  return [
    { label: 'Election', value: election.title },
    { label: 'State', value: electionStatus(election, ctx.now()) },
    { label: 'Ballots', value: String(countBallots(ctx.db, election.id)) },
    { label: 'Reason', value: reason ?? 'none given' },
  ];
}

/** The figures of a closed election that everybody can see. */
async function findFigures(ctx: Context, election: Election): Promise<ShownFigures | undefined> {
  if (electionStatus(election, ctx.now()) !== 'closed' || areResultsHidden(election, ctx.now()))
    return undefined;
  const results = await getResults(ctx, election);
  const totals = wallBars(results)?.bars.map(({ label, votes }) => ({ label, votes })) ?? [];
  return { outcome: outcomeSentence(results), totals };
}
