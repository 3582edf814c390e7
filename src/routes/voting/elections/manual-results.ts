import type { FastifyError, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { zoneName } from '#kernel/language/times.ts';
import type { ActDetail } from '#people/approvals/approvals.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { placeOfQuestion } from '#routes/voting/officers-page/address.ts';
import { onPage } from '#routes/voting/officers-page/page.ts';
import { manualResultsFormPage } from '#views/voting/admin/election/manual-results-form.ts';
import { ruleSentences } from '#views/voting/ballot-types.ts';
import {
  clearManualResults,
  findManualResults,
  type ManualResults,
  type ManualResultsBody,
  ManualResultsInput,
  setManualResults,
} from '#voting/counting/manual-results.ts';
import {
  type ManualResultsEntry,
  proposeEntry,
  readEntry,
  toEntry,
  toManualResultsBody,
  withMoreRows,
} from '#voting/counting/manual-results-entry.ts';
import { computedJson, loadResult } from '#voting/counting/results.ts';
import {
  ballotJson,
  type Election,
  electionStatus,
  findElection,
  getElection,
} from '#voting/elections/elections.ts';
import { isInMeeting } from '#voting/elections/issuers.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';

const params = z.object({ id: Id });

const CODES: Record<number, string> = {
  400: 'VALIDATION_ERROR',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_CONTENT_TYPE',
  500: 'INTERNAL_ERROR',
};

/** Certified results. Their JSON errors have a format of their own: `{ ok: false, error, code }`. */
export function manualResults(app: App, { ctx }: { ctx: Context }): void {
  const zone = () => ctx.config.TIME_ZONE;
  app.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    const status = error.statusCode ?? 500;
    const code = CODES[status];
    if (wantsHtml(request) || !code) throw error;
    if (status === 500) ctx.log.error({ id: request.id, err: error }, 'request failed');
    const message = status === 500 ? 'Internal server error' : error.message;
    const errors = error instanceof AppError ? error.answer.errors : undefined;
    return reply.code(status).send({ ok: false, error: message, code, ...(errors && { errors }) });
  });

  const config = { permission: 'elections:certify' } as const;
  app.get('/admin/elections/:id/manual-results', { config, schema: { params } }, async (request, reply) => {
    const election = getElection(ctx.db, request.params.id);
    const stored = findManualResults(ctx.db, election.id);
    const entry = stored
      ? toEntry(stored, zone())
      : proposeEntry(ballotJson(ctx, election), await countedSoFar(ctx, election, request.granted));
    return sendHtml(reply, manualForm(ctx, election.id, request, entry));
  });

  app.post('/admin/elections/:id/manual-results/edit', { schema: { params } }, async (request, reply) => {
    const entry = withMoreRows(readEntry(request.entered ?? {}), request.entered?.more);
    return sendHtml(reply, manualForm(ctx, request.params.id, request, entry));
  });

  act(app, ctx, {
    ...onPage(ctx, 'manual-results', 'manual-set'),
    both: 'PUT /admin/elections/:id/manual-results',
    sudo: true,
    body: ManualResultsInput,
    // The form always shows a few empty rows, which are not part of the results.
    fromForm: (_, { request }) => toManualResultsBody(readEntry(request.entered ?? {})),
    refused: (request, { error, errors, entered }) => {
      const { id } = request.params;
      // Without an election there is no form to show: the refusal is sent as an error.
      if (!findElection(ctx.db, id)) throw error;
      return manualForm(ctx, id, request, readEntry(entered), errors);
    },
    run: async ({ params: { id }, body, actor, request }) => {
      const election = getElection(ctx.db, id);
      const kind = isInMeeting(ctx.db, election) ? 'meeting_figures' : 'figures';
      const act = t('voting-admin.manual_results.enter_certified_figures', { title: election.title });
      const sensitive = { kind, act, details: figuresOf(body) } as const;
      return withApproval(ctx, request, sensitive, (two) => setManualResults(ctx, id, body, actor, two), {
        tried: (on, two) => setManualResults(on, id, body, actor, kind === 'figures' ? undefined : two),
      });
    },
    json: () => ({ ok: true, results_mode: 'manual' }),
  });

  act(app, ctx, {
    ...onPage(ctx, 'manual-results', 'manual-cleared'),
    both: 'DELETE /admin/elections/:id/manual-results',
    sudo: true,
    run: async ({ params: { id }, actor, request }) => {
      const election = getElection(ctx.db, id);
      const details = figuresOf(findManualResults(ctx.db, id));
      const kind = isInMeeting(ctx.db, election) ? 'meeting_figures' : 'figures';
      const act = t('voting-admin.manual_results.remove_certified_figures', { title: election.title });
      const sensitive = { kind, act, details } as const;
      return withApproval(ctx, request, sensitive, (two) => clearManualResults(ctx, id, actor, two), {
        tried: (on, two) => clearManualResults(on, id, actor, kind === 'figures' ? undefined : two),
      });
    },
    json: () => ({ ok: true, results_mode: 'computed' }),
  });
}

/** Certified figures, for the person who confirms them. */
function figuresOf(figures: ManualResults | ManualResultsBody | undefined): ActDetail[] {
  if (!figures) return [];
  const contests = figures.results.contests.map(({ label, items }) => ({
    label,
    value: items.map((item) => `${item.label} ${item.votes}`).join(', '),
  }));
  const { certified_at, certified_by, notes, reason } = figures;
  const rest = [
    { label: t('voting-admin.elections.reason'), value: reason },
    { label: t('voting-admin.manual_results_form.certified_by'), value: certified_by },
    { label: t('voting-admin.manual_results_form.certified_on'), value: certified_at },
    { label: t('voting-admin.manual_results_form.notes'), value: notes },
  ];
  return [...contests, ...rest.flatMap(({ label, value }) => (value ? [{ label, value }] : []))];
}

/** The counted result of a closed election, which the form proposes; undefined while it is hidden. */
const countedSoFar = async (ctx: Context, election: Election, granted: FastifyRequest['granted']) =>
  electionStatus(election, ctx.now()) === 'closed' && !areResultsHidden(election, ctx.now(), granted)
    ? computedJson(await loadResult(ctx, election))
    : undefined;

function manualForm(
  ctx: Context,
  id: string,
  request: FastifyRequest,
  entry: ManualResultsEntry,
  errors: RefusedForm['errors'] = [],
) {
  const election = getElection(ctx.db, id);
  const stored = findManualResults(ctx.db, id) !== undefined;
  const zone = zoneName(ctx.config.TIME_ZONE);
  const json = ballotJson(ctx, election);
  const { majority, threshold, quorum, quorum_share } = json.settings;
  const isRuled = [majority, threshold, quorum, quorum_share].some((rule) => rule !== null);
  const rules = isRuled ? ruleSentences(json) : [];
  const beside = isInMeeting(ctx.db, election);
  return manualResultsFormPage({
    beside,
    election,
    entry,
    errors,
    zone,
    stored,
    rules,
    meeting: placeOfQuestion(ctx, id),
    viewer: request.viewer,
  });
}
