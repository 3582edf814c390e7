import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type App, sendFile, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatWhen, parseTimestamp } from '#kernel/local-time.ts';
import { resultsPreviewPage } from '#views/voting/admin/results-preview.ts';
import { getTurnout } from '#voting/ballots/tokens.ts';
import { ExportQuery, exportElection, isExportable } from '#voting/counting/export.ts';
import { getResults } from '#voting/counting/results.ts';
import { electionStatus, getElection } from '#voting/elections/elections.ts';
import { publishedStatus } from '#voting/elections/publication.ts';
import { coversChoice, readSettings } from '#voting/elections/settings.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';

const params = z.object({ id: Id });

/** The results of an election for officers, and their export. */
export function results(app: App, { ctx }: { ctx: Context }): void {
  const zone = () => ctx.config.TIME_ZONE;

  app.get('/admin/elections/:id/results-preview', { schema: { params } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const election = getElection(ctx.db, request.params.id);
    const hidden = areResultsHidden(election, ctx.now());
    if (!wantsHtml(request)) return getResults(ctx, election);
    const results = hidden ? null : await getResults(ctx, election);
    const certified = results?.results_mode === 'manual' ? results.certification.certified_at : null;
    const publication = publishedStatus(ctx, election);
    return sendHtml(
      reply,
      resultsPreviewPage({
        election: { id: election.id, title: election.title, status: electionStatus(election, ctx.now()) },
        results,
        turnout: results?.turnout ?? getTurnout(ctx.db, election.id),
        publication,
        certifiedAt: certified && formatWhen(parseTimestamp(certified, zone())!, zone()),
        codesCover: coversChoice(readSettings(election.settings)),
        exportHref:
          publication.results_visible && isExportable(ctx, election)
            ? `/admin/elections/${election.id}/export?format=json`
            : undefined,
        viewer: request.viewer,
      }),
      hidden ? 403 : 200,
    );
  });

  app.get(
    '/admin/elections/:id/published-status',
    { config: { json: true }, schema: { params } },
    async (request) => publishedStatus(ctx, getElection(ctx.db, request.params.id)),
  );

  app.get(
    '/admin/elections/:id/export',
    { config: { permission: 'elections:export' }, schema: { params, querystring: ExportQuery } },
    async (request, reply) => {
      const file = await exportElection(ctx, getElection(ctx.db, request.params.id), request.query);
      return sendFile(reply, file.name, file.type, file.body);
    },
  );
}
