import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act } from '#kernel/http/act.ts';
import { badField } from '#kernel/http/errors.ts';
import { type App, isForm, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { zoneName } from '#kernel/language/times.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { deleteWithFigures } from '#routes/voting/elections/deletion.ts';
import { adaptForm, proposeWindow, settleClosed } from '#routes/voting/elections/elections.ts';
import { renderPaperPage } from '#routes/voting/officers-page/ballot-paper.ts';
import { onPage, refusedPage } from '#routes/voting/officers-page/page.ts';
import { askedOf, firstPage, pageQuery } from '#routes/voting/officers-page/shared.ts';
import { closeAct, datesAct, deletionAct } from '#routes/voting/sensitive-acts.ts';
import { enteredText, isTicked } from '#views/components/entered.ts';
import { paperFormPage, questionFormPage } from '#views/voting/admin/ballot-paper/ballot-paper-form.ts';
import { afterForm, arrivalPath, textsFormIn } from '#views/voting/admin/sections/forms.ts';
import { settingsFormIn } from '#views/voting/admin/sections/settings-fields.ts';
import { BOARD_ELECTION, isPreset, type PresetName } from '#views/voting/types/presets.ts';
import { closePaper } from '#voting/ballot-papers/closing.ts';
import { deletePaper } from '#voting/ballot-papers/deletion.ts';
import { changePaper, createPaper, PaperInput, PaperPatch, paperJson } from '#voting/ballot-papers/papers.ts';
import { AddedQuestion, addQuestion, OrderInput, orderQuestions } from '#voting/ballot-papers/questions.ts';
import { readWindow } from '#voting/elections/changes.ts';
import { DeletionInput } from '#voting/elections/deletion.ts';
import {
  ensureOffAgenda,
  getPaper,
  listPapers,
  listQuestions,
  type Paper,
} from '#voting/elections/issuers.ts';
import { getPaperTurnout } from '#voting/elections/turnout.ts';

const params = z.object({ id: Id });
const StepsQuery = z.object({
  /** The questions that are proposed, joined by commas. */
  steps: z
    .string()
    .max(200)
    .default('')
    .catch('')
    .transform((names) => names.split(',').filter(isPreset)),
});

/** Ballot papers: several questions that share codes. */
export function papers(app: App, { ctx }: { ctx: Context }): void {
  const shown = (id: string) => paperJson(ctx, getPaper(ctx.db, id));

  const writes = { config: { permission: 'elections:write' } } as const;
  app.get('/admin/papers/new', writes, async (request, reply) =>
    sendHtml(
      reply,
      paperFormPage({
        entered: {},
        errors: [],
        zone: zoneName(ctx.config.TIME_ZONE),
        proposed: proposeWindow(ctx),
        viewer: request.viewer,
      }),
    ),
  );

  act(app, ctx, {
    both: 'POST /admin/papers',
    summary: 'Create a ballot paper with its questions',
    body: PaperInput,
    // A form adds the questions afterwards. `open_now` sets open_at to the present time.
    preValidation: async (request) => {
      const fields = request.body as Record<string, unknown> | undefined;
      if (flag.safeParse(fields?.open_now).data) fields!.open_at = isoTime(ctx.now());
      if (request.entered && fields) fields.questions ??= [];
    },
    refused: (request, { entered, errors }) =>
      paperFormPage({ entered, errors, zone: zoneName(ctx.config.TIME_ZONE), viewer: request.viewer }),
    refusedStatuses: [400],
    run: ({ body, actor }) => createPaper(ctx, body, actor),
    json: (id) => ({ id, questions: titlesOf(id), message: 'Ballot paper created' }),
    next: (id, { request }) =>
      enteredText(request.entered ?? {}, 'start') === 'board'
        ? `/admin/papers/${id}/questions/new?steps=${BOARD_ELECTION.join(',')}`
        : arrivalPath({ id, isPaper: true }, 'created'),
  });

  app.get('/admin/papers', { config: { json: true } }, async () => ({
    papers: listPapers(ctx.db).map((paper) => paperJson(ctx, paper)),
  }));

  app.get('/admin/papers/:id', { schema: { params, querystring: pageQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const paper = getPaper(ctx.db, request.params.id);
    if (wantsHtml(request)) {
      const page = firstPage(request.query);
      return sendHtml(reply, renderPaperPage(ctx, paper, request, askedOf(request.query, page)));
    }
    const { issued, used } = getPaperTurnout(ctx.db, paper.id);
    return { ...paperJson(ctx, paper), turnout: { tokens: issued, used } };
  });

  act(app, ctx, {
    ...onPage(ctx, formIn),
    both: 'PATCH /admin/papers/:id',
    body: PaperPatch,
    run: async ({ params: { id }, body, actor, request }) => {
      const paper = getPaper(ctx.db, id);
      const sensitive = await ensureMayMove(ctx, paper, body, request);
      return withApproval(ctx, request, sensitive, () => changePaper(ctx, id, body, actor), {
        tried: (on) => changePaper(on, id, body, actor),
      });
    },
    json: (_, { params: { id } }) => ({ success: true, ...shown(id) }),
  });

  act(app, ctx, {
    ...onPage(ctx, 'delete'),
    both: 'DELETE /admin/papers/:id',
    permission: 'elections:certify',
    sudo: true,
    body: DeletionInput,
    run: async ({ params: { id }, body: { confirm, reason }, actor, request }) => {
      const paper = getPaper(ctx.db, id);
      if (isForm(request) && confirm !== paper.title) throw badField('confirm', 'title_not_typed');
      ensureOffAgenda(ctx.db, { paper_id: id });
      return withApproval(ctx, request, deletionAct(ctx, { ...paper, isPaper: true }, reason), () =>
        deleteWithFigures(
          ctx,
          () => listQuestions(ctx.db, id),
          (figures) => deletePaper(ctx, id, { reason, figures }, actor),
        ),
      );
    },
    next: '/admin?done=deleted',
  });

  act(app, ctx, {
    ...onPage(ctx, 'close', 'closed'),
    both: 'POST /admin/papers/:id/close',
    summary: 'Close voting on every question',
    permission: 'elections:certify',
    sudo: true,
    run: async ({ params: { id }, actor, request }) => {
      const early = closeAct(getPaper(ctx.db, id));
      const closed = await withApproval(ctx, request, early, () => closePaper(ctx, id, actor), {
        tried: (on) => closePaper(on, id, actor),
      });
      await settleClosed(ctx);
      return closed;
    },
  });

  app.get(
    '/admin/papers/:id/questions/new',
    { ...writes, schema: { params, querystring: StepsQuery } },
    async (request, reply) => sendHtml(reply, questionForm(request, request.params.id, request.query.steps)),
  );

  act(app, ctx, {
    ...onPage(ctx, 'questions', 'added'),
    both: 'POST /admin/papers/:id/questions',
    summary: 'Add a question, or an election that has no codes yet',
    body: AddedQuestion,
    preValidation: async (request) => adaptForm(request),
    refused: (request, refused) =>
      'election_id' in refused.entered
        ? refusedPage(ctx, request, 'questions', refused)
        : questionForm(request, request.params.id, stepsOf(refused.entered), refused),
    run: ({ params: { id }, body, actor }) => addQuestion(ctx, id, body, actor),
    json: (id, sent) => ({ id, questions: titlesOf(sent.params.id) }),
    next: (_, { params: { id }, request }) => nextQuestion(id, request.entered ?? {}),
  });

  act(app, ctx, {
    ...onPage(ctx, 'questions', 'ordered'),
    both: ['PUT /admin/papers/:id/questions/order', 'PATCH /admin/papers/:id/questions/order'],
    body: OrderInput,
    run: ({ params: { id }, body, actor }) => orderQuestions(ctx, id, body, actor),
    json: (_, { params: { id } }) => ({ success: true, questions: titlesOf(id) }),
  });

  function questionForm(
    request: FastifyRequest,
    id: string,
    steps: readonly PresetName[],
    { entered, errors, message }: Partial<RefusedForm> = {},
  ): Html {
    const { title } = getPaper(ctx.db, id);
    return questionFormPage({
      paper: { id, title, isPaper: true },
      place: listQuestions(ctx.db, id).length + 1,
      steps,
      entered: entered ?? {},
      errors: errors ?? [],
      message,
      viewer: request.viewer,
    });
  }

  function titlesOf(paperId: string) {
    return listQuestions(ctx.db, paperId).map(({ id, title }) => ({ id, title }));
  }
}

/** The form of a paper's page that sent these fields. */
function formIn(entered: Record<string, unknown>) {
  const texts = textsFormIn(entered);
  if (texts === 'translations' || 'title' in entered) return texts;
  return 'open_at' in entered || 'close_at' in entered ? 'dates' : settingsFormIn(entered);
}

const stepsOf = (entered: Record<string, unknown>): PresetName[] =>
  enteredText(entered, 'steps').split(',').filter(isPreset);

/** Where the form of a question leads: to the next one that is proposed, to an empty one, or to the paper. */
function nextQuestion(id: string, entered: Record<string, unknown>): string {
  const [, ...rest] = stepsOf(entered);
  if (rest.length > 0) return `/admin/papers/${id}/questions/new?steps=${rest.join(',')}`;
  return isTicked(entered, 'more')
    ? `/admin/papers/${id}/questions/new`
    : afterForm({ id, isPaper: true }, 'questions', 'added');
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
  const asked = readWindow(ctx, {
    open_at: open_at ?? isoTime(paper.open_at),
    close_at: close_at ?? isoTime(paper.close_at),
  });
  if (asked.close_at <= ctx.now() || asked.open_at > ctx.now()) ensureSudo(ctx, request);
  return datesAct(ctx, { ...paper, isPaper: true }, asked);
}
