import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { type App, sendFile, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort, formatWhen } from '#kernel/language/times.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { placeOfQuestion } from '#routes/voting/officers-page/address.ts';
import { onPage } from '#routes/voting/officers-page/page.ts';
import { chairPath } from '#views/voting/admin/election/chair.ts';
import { resultsDetailsPage, resultsPreviewPage } from '#views/voting/admin/election/results-preview.ts';
import { withheldPage } from '#views/voting/admin/election/withheld.ts';
import { ExportQuery, exportElection, isExportable } from '#voting/counting/export.ts';
import { findAwaited } from '#voting/counting/lots.ts';
import { publishedStatus } from '#voting/counting/publication.ts';
import { getResults, settleClosedElections } from '#voting/counting/results.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import { announceResult, showWithheldFigures } from '#voting/elections/changes.ts';
import {
  type Election,
  electionJson,
  electionStatus,
  endTime,
  getElection,
} from '#voting/elections/elections.ts';
import { officersTurnout } from '#voting/elections/shown-turnout.ts';
import { countBallots } from '#voting/elections/turnout.ts';
import { hasNoFigures, whyHidden } from '#voting/elections/visibility.ts';

const params = z.object({ id: Id });

/** The results of an election for officers, and their export. */
export function results(app: App, { ctx }: { ctx: Context }): void {
  const zone = () => ctx.config.TIME_ZONE;

  app.get('/admin/elections/:id/results-preview', { schema: { params } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const election = getElection(ctx.db, request.params.id);
    const { granted } = request;
    const hidden = whyHidden(election, ctx.now(), granted);
    if (!wantsHtml(request)) return getResults(ctx, election, { granted });
    const results = hidden ? null : await getResults(ctx, election, { granted });
    const certified = results?.results_mode === 'manual' ? results.certification.certified_at : null;
    const publication = publishedStatus(ctx, election);
    return sendHtml(
      reply,
      resultsPreviewPage({
        election: { id: election.id, title: election.title, status: electionStatus(election, ctx.now()) },
        results,
        turnout: results?.turnout ?? officersTurnout(ctx.db, election),
        publication,
        hidden,
        unannounced: whyHidden(election, ctx.now()) === 'results_not_announced',
        certifiedAt: certified && formatWhen(parseTimestamp(certified, zone())!, zone()),
        codesCover: coversChoice(readSettings(election.settings)),
        lotAwaited: hidden === undefined && findAwaited(ctx.db, election) !== undefined,
        meeting: placeOfQuestion(ctx, election.id),
        viewer: request.viewer,
      }),
      hidden ? 403 : 200,
    );
  });

  // The result says it where it has none of them, or is hidden.
  app.get('/admin/elections/:id/results-preview/details', { schema: { params } }, async (request, reply) => {
    const election = getElection(ctx.db, request.params.id);
    const { granted, viewer } = request;
    if (whyHidden(election, ctx.now(), granted))
      return reply.redirect(`/admin/elections/${election.id}/results-preview`, 303);
    return sendHtml(
      reply,
      resultsDetailsPage({
        election: { id: election.id, title: election.title, status: electionStatus(election, ctx.now()) },
        results: await getResults(ctx, election, { granted }),
        unannounced: whyHidden(election, ctx.now()) === 'results_not_announced',
        codesCover: coversChoice(readSettings(election.settings)),
        exportHref: exportHref(election),
        meeting: placeOfQuestion(ctx, election.id),
        viewer,
      }),
    );
  });

  function exportHref(election: Election): string | undefined {
    return !hasNoFigures(election) && isExportable(ctx, election)
      ? `/admin/elections/${election.id}/export?format=json`
      : undefined;
  }

  app.get(
    '/admin/elections/:id/published-status',
    { config: { json: true }, schema: { params } },
    async (request) => publishedStatus(ctx, getElection(ctx.db, request.params.id)),
  );

  app.get(
    '/admin/elections/:id/export',
    { config: { permission: 'elections:export' }, schema: { params, querystring: ExportQuery } },
    async (request, reply) => {
      const election = getElection(ctx.db, request.params.id);
      const file = await exportElection(ctx, election, request.query, request.granted);
      return sendFile(reply, file.name, file.type, file.body);
    },
  );
}

/** Announcing a result, where the settings leave that to officers. */
export function announcing(app: App, { ctx }: { ctx: Context }): void {
  const page = onPage(ctx, 'announce', 'announced');
  act(app, ctx, {
    ...page,
    both: 'POST /admin/elections/:id/announce',
    summary: 'Announce the result of a closed election',
    permission: 'elections:certify',
    query: z.object({ from: z.literal('chair').optional().catch(undefined) }),
    run: async ({ params: { id }, actor }) => {
      // The entry names the hash of the ballots.
      await settleClosedElections(ctx);
      await announceResult(ctx, id, actor);
    },
    json: (_, { params: { id } }) => ({
      success: true,
      election: electionJson(ctx, getElection(ctx.db, id)),
    }),
    next: (done, sent) =>
      sent.query.from ? `${chairPath(sent.params.id)}?done=announced` : page.next(done, sent),
  });
}

/** Figures that stay hidden because few ballots came in after a re-opening: an owner can show them. */
export function withheld(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/admin/elections/:id/withheld',
    { config: { permission: 'elections:read' }, schema: { params } },
    async (request, reply) => {
      const election = getElection(ctx.db, request.params.id);
      const when = (at: number) => formatShort(at, ctx.config.TIME_ZONE);
      const { id, title, reopened_at, reopened_ballots, figures_withheld } = election;
      return sendHtml(
        reply,
        withheldPage({
          election: { id, title },
          withheld: figures_withheld === 1 && reopened_at !== null,
          ballots: countBallots(ctx.db, id) - (reopened_ballots ?? 0),
          from: when(reopened_at ?? 0),
          until: when(endTime(election)),
          mayShow: request.granted?.has('settings:write') ?? false,
          viewer: request.viewer,
        }),
      );
    },
  );

  act(app, ctx, {
    both: 'POST /admin/elections/:id/withheld',
    permission: 'settings:write',
    sudo: true,
    params,
    run: ({ params: { id }, actor }) => showWithheldFigures(ctx, id, actor),
    json: () => ({ success: true }),
    next: (_, { params: { id } }) => `/e/${id}`,
  });
}
