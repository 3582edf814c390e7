import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { badField } from '#kernel/http/errors.ts';
import { type App, isForm } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort } from '#kernel/local-time.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import { sealElections } from '#voting/counting/sealing.ts';
import { readWindow } from '#voting/elections/changes.ts';
import { DeletionInput, type ShownFigures } from '#voting/elections/deletion.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { getPaper, listPapers, listQuestions, type Paper } from '#voting/elections/issuers.ts';
import { countBallots, getPaperTurnout } from '#voting/elections/turnout.ts';
import { deletePaper } from '#voting/papers/deletion.ts';
import { changePaper, createPaper, PaperInput, PaperPatch, paperJson } from '#voting/papers/papers.ts';
import { AddedQuestion, addQuestion, OrderInput, orderQuestions } from '#voting/papers/questions.ts';
import { findFigures } from './elections.ts';

const params = z.object({ id: Id });

/** Ballot papers: several questions that share codes. */
export function papers(app: App, { ctx }: { ctx: Context }): void {
  const shown = (id: string) => paperJson(ctx, getPaper(ctx.db, id));

  act(app, ctx, {
    both: 'POST /admin/papers',
    summary: 'Create a ballot paper with its questions',
    body: PaperInput,
    run: ({ body, actor }) => createPaper(ctx, body, actor),
    json: (id) => ({ id, questions: titlesOf(id), message: 'Ballot paper created' }),
    next: (id) => `/admin/papers/${id}?done=created`,
  });

  app.get('/admin/papers', { config: { json: true } }, async () => ({
    papers: listPapers(ctx.db).map((paper) => paperJson(ctx, paper)),
  }));

  app.get('/admin/papers/:id', { config: { json: true }, schema: { params } }, async (request) => {
    const { id } = request.params;
    const json = shown(id);
    const { issued, used } = getPaperTurnout(ctx.db, id);
    return { ...json, turnout: { tokens: issued, used } };
  });

  act(app, ctx, {
    both: 'PATCH /admin/papers/:id',
    params,
    body: PaperPatch,
    run: async ({ params: { id }, body, actor, request }) => {
      const paper = getPaper(ctx.db, id);
      const sensitive = await ensureMayMove(ctx, paper, body, request);
      return withApproval(ctx, request, sensitive, () => changePaper(ctx, id, body, actor));
    },
    json: (_, { params: { id } }) => ({ success: true, ...shown(id) }),
    next: (_, { params: { id } }) => `/admin/papers/${id}?done=saved`,
  });

  act(app, ctx, {
    both: 'DELETE /admin/papers/:id',
    permission: 'elections:certify',
    sudo: true,
    params,
    body: DeletionInput,
    run: async ({ params: { id }, body: { confirm, reason }, actor, request }) => {
      const paper = getPaper(ctx.db, id);
      if (isForm(request) && confirm !== paper.title) throw badField('confirm', 'title_not_typed');
      return withApproval(ctx, request, deletionAct(ctx, paper, reason), async () => {
        // Closed questions leave their totals.
        await settleClosedElections(ctx);
        const figures = new Map<string, ShownFigures>();
        for (const question of listQuestions(ctx.db, id)) {
          const found = await findFigures(ctx, question);
          if (found) figures.set(question.id, found);
        }
        await deletePaper(ctx, id, { reason, figures }, actor);
        // The deletion is committed; if this step fails, the job repeats it.
        await sealElections(ctx).catch((err: unknown) =>
          ctx.log.error({ err }, 'the log of a deleted ballot paper is erased later'),
        );
      });
    },
    json: () => ({ success: true }),
    next: '/admin?done=deleted',
  });

  act(app, ctx, {
    both: 'POST /admin/papers/:id/questions',
    summary: 'Add a question, or an election that has no codes yet',
    params,
    body: AddedQuestion,
    run: ({ params: { id }, body, actor }) => addQuestion(ctx, id, body, actor),
    json: (id, sent) => ({ id, questions: titlesOf(sent.params.id) }),
    next: (_, { params: { id } }) => `/admin/papers/${id}?done=added`,
  });

  act(app, ctx, {
    both: ['PUT /admin/papers/:id/questions/order', 'PATCH /admin/papers/:id/questions/order'],
    params,
    body: OrderInput,
    run: ({ params: { id }, body, actor }) => orderQuestions(ctx, id, body, actor),
    json: (_, { params: { id } }) => ({ success: true, questions: titlesOf(id) }),
    next: (_, { params: { id } }) => `/admin/papers/${id}?done=ordered`,
  });

  function titlesOf(paperId: string) {
    return listQuestions(ctx.db, paperId).map(({ id, title }) => ({ id, title }));
  }
}

/** New dates of a paper need what those of its questions need. @returns what a second person confirms */
async function ensureMayMove(
  ctx: Context,
  paper: Paper,
  { open_at, close_at }: z.output<typeof PaperPatch>,
  request: FastifyRequest,
): Promise<SensitiveAct | undefined> {
  if ((open_at === undefined && close_at === undefined) || paper.opened_at === null) return undefined;
  await demand(ctx, request, 'elections:certify');
  const when = (at: number) => formatShort(at, ctx.config.TIME_ZONE);
  const asked = readWindow(ctx, {
    open_at: open_at ?? isoTime(paper.open_at),
    close_at: close_at ?? isoTime(paper.close_at),
  });
  if (asked.close_at <= ctx.now() || asked.open_at > ctx.now()) ensureSudo(ctx, request);
  return {
    act: `Change the dates of “${paper.title}”, which is open`,
    details: [
      { label: 'Dates now', value: `${when(paper.open_at)} to ${when(paper.close_at)}` },
      { label: 'New dates', value: `${when(asked.open_at)} to ${when(asked.close_at)}` },
    ],
  };
}

/** What is deleted and why, for the person who confirms it. */
function deletionAct(ctx: Context, paper: Paper, reason: string | null): SensitiveAct {
  const questions = listQuestions(ctx.db, paper.id);
  const ballots = questions.reduce((sum, { id }) => sum + countBallots(ctx.db, id), 0);
  return {
    act: `Delete the ballot paper “${paper.title}” with all its questions`,
    details: [
      { label: 'Ballot paper', value: paper.title },
      { label: 'Questions', value: questions.map(({ title }) => title).join('; ') || 'none' },
      { label: 'State', value: electionStatus(paper, ctx.now()) },
      { label: 'Ballots', value: String(ballots) },
      { label: 'Reason', value: reason ?? 'none given' },
    ],
  };
}
