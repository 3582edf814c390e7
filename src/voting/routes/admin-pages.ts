import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { AppError } from '#kernel/http/errors.ts';
import { linesOf, nestForm } from '#kernel/http/form.ts';
import { type App, isForm, sendHtml, wantsHtml } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort, formatWhen, parseTimestamp } from '#kernel/local-time.ts';
import { ballotPreview } from '#views/voting/admin/ballot-preview.ts';
import { dashboardPage } from '#views/voting/admin/dashboard.ts';
import type { FormName } from '#views/voting/admin/election.ts';
import { electionFormPage } from '#views/voting/admin/election-form.ts';
import { enteredText, isTicked } from '#views/voting/admin/entered.ts';
import { manualResultsFormPage } from '#views/voting/admin/manual-results-form.ts';
import { resultsPreviewPage } from '#views/voting/admin/results-preview.ts';
import { findManualResults } from '#voting/counting/manual-results.ts';
import {
  entryOf,
  type ManualResultsEntry,
  readEntry,
  withMoreRows,
} from '#voting/counting/manual-results-entry.ts';
import { previewResults } from '#voting/counting/results.ts';
import { listDesk } from '#voting/elections/dashboard.ts';
import { findElection, getElection } from '#voting/elections/elections.ts';
import { publishedStatus } from '#voting/elections/publication.ts';
import { answerRefusedList } from './distribution-lists.ts';
import { electionPageOf } from './election-page.ts';
import { bulkForm } from './invite-pages.ts';

const params = z.object({ id: Id });
const done = z.object({ done: z.string().max(40).optional() });

/** Officers' pages that only show something, and forms on their way to being sent. */
export async function adminPages(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const zone = ctx.config.TIME_ZONE;

  app.get('/', { schema: { querystring: done } }, async (request, reply) => {
    const rows = (await listDesk(ctx)).map(({ open_at, ends_at, ...row }) => ({
      ...row,
      opens: formatShort(open_at, zone),
      closes: formatShort(ends_at, zone),
    }));
    const sentence = request.query.done === 'deleted' ? 'The election was deleted.' : undefined;
    return sendHtml(reply, dashboardPage({ rows, done: sentence, reader: request.reader }));
  });

  app.get('/elections/new', async (request, reply) =>
    sendHtml(reply, electionFormPage({ entered: {}, errors: [], zone, reader: request.reader })),
  );

  app.post('/elections/preview', async (request, reply) => {
    const entered = request.entered ?? {};
    const text = (name: string) => enteredText(entered, name);
    const type = z.enum(['SIMPLE_TRIPLE', 'RANKED_CONDORCET', 'POLL']).safeParse(entered.ballot_type);
    const names = type.data === 'POLL' ? linesOf(text('options')) : linesOf(text('candidates'));
    if (type.data === 'RANKED_CONDORCET' && isTicked(entered, 'none_of_the_above')) {
      names.push('None of the above');
    }
    const preview =
      type.data &&
      ballotPreview({
        title: text('title'),
        description: text('description') || null,
        ballot_type: type.data,
        names,
        multiple: text('settings.poll_response_type') === 'multiple',
      });
    const errors = preview ? [] : [{ path: 'ballot_type', message: 'is required' }];
    return sendHtml(reply, electionFormPage({ entered, errors, zone, preview, reader: request.reader }));
  });

  app.get('/elections/:id/results-preview', { schema: { params } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const election = await getElection(ctx, request.params.id);
    const results = await previewResults(ctx, election);
    if (!wantsHtml(request)) return results;
    const certified = results.results_mode === 'manual' ? results.certification.certified_at : null;
    const publication = publishedStatus(ctx, election);
    return sendHtml(
      reply,
      resultsPreviewPage({
        election: { id: election.id, title: election.title, status: results.status },
        results,
        publication,
        certifiedAt: certified && formatWhen(parseTimestamp(certified, zone)!, zone),
        exportHref: publication.results_visible
          ? `/admin/elections/${election.id}/export?format=json`
          : undefined,
        reader: request.reader,
      }),
    );
  });

  app.get('/elections/:id/manual-results', { schema: { params } }, async (request, reply) => {
    const { id } = await getElection(ctx, request.params.id);
    const stored = await findManualResults(ctx, id);
    return sendHtml(reply, await manualForm(ctx, id, request, entryOf(stored, zone)));
  });

  app.post('/elections/:id/manual-results/edit', { schema: { params } }, async (request, reply) => {
    const entry = withMoreRows(readEntry(request.entered ?? {}), request.entered?.more);
    return sendHtml(reply, await manualForm(ctx, request.params.id, request, entry));
  });
}

/** Keeps the fields of a form as they came, beside the shape that its route reads. */
export function keepEntered(request: FastifyRequest): void {
  if (!isForm(request) || typeof request.body !== 'object' || request.body === null) return;
  request.entered = { ...request.body };
  request.body = nestForm(request.entered);
}

/** A refused form comes back on its page: what is wrong, where, and everything that was entered. */
export async function answerRefusedForm(
  ctx: Context,
  error: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { section } = request.routeOptions.config;
  const entered = request.entered ?? {};
  const errors = error.errors ?? [];
  const { TIME_ZONE: zone } = ctx.config;
  if (section === 'new') {
    return sendHtml(reply, electionFormPage({ entered, errors, zone, reader: request.reader }), 400);
  }
  if (section === 'bulk-invites') return sendHtml(reply, await bulkForm(ctx, request, entered, error), 400);
  if (section?.startsWith('list')) return answerRefusedList(ctx, error, request, reply);
  const { id = '' } = request.params as { id?: string };
  const election = await findElection(ctx, id);
  if (!election || !section) throw error;
  if (section === 'manual-results' && request.method === 'PUT') {
    const entry = readEntry(entered);
    return sendHtml(reply, await manualForm(ctx, id, request, entry, errors), 400);
  }
  const problem = { form: section as FormName, message: error.message, errors, entered: nestForm(entered) };
  return sendHtml(reply, await electionPageOf(ctx, election, request, { problem }), 400);
}

async function manualForm(
  ctx: Context,
  id: string,
  request: FastifyRequest,
  entry: ManualResultsEntry,
  errors: AppError['errors'] = [],
) {
  const election = await getElection(ctx, id);
  const stored = (await findManualResults(ctx, id)) !== undefined;
  const { TIME_ZONE: zone } = ctx.config;
  return manualResultsFormPage({ election, entry, errors, zone, stored, reader: request.reader });
}
