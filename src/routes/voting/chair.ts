import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatWhen, parseTimestamp } from '#kernel/local-time.ts';
import { chairPage } from '#views/voting/admin/election/chair.ts';
import { getTurnout } from '#voting/ballots/tokens.ts';
import { getResults } from '#voting/counting/results.ts';
import { electionStatus, endTime, getElection } from '#voting/elections/elections.ts';
import { coversChoice, readSettings } from '#voting/elections/settings.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';
import { timeLeft } from './wall.ts';

const params = z.object({ id: Id });
const querystring = z.object({ ask: z.string().max(20).optional(), done: z.string().max(20).optional() });

/** The page for the person who chairs a meeting with a vote. */
export function chair(app: App, { ctx }: { ctx: Context }): void {
  app.get('/admin/elections/:id/chair', { schema: { params, querystring } }, async (request, reply) => {
    const election = getElection(ctx.db, request.params.id);
    const zone = ctx.config.TIME_ZONE;
    const status = electionStatus(election, ctx.now());
    const results =
      status === 'closed' && !areResultsHidden(election, ctx.now()) ? await getResults(ctx, election) : null;
    const certified = results?.results_mode === 'manual' ? results.certification.certified_at : null;
    return sendHtml(
      reply,
      chairPage({
        election: { id: election.id, title: election.title, status },
        opens: formatWhen(election.open_at, zone),
        closes: formatWhen(endTime(election), zone),
        left: status === 'open' ? timeLeft(election.close_at - ctx.now()) : null,
        turnout: getTurnout(ctx.db, election.id),
        results,
        certifiedAt: certified && formatWhen(parseTimestamp(certified, zone)!, zone),
        codesCover: coversChoice(readSettings(election.settings)),
        asked: request.query.ask === 'close',
        justClosed: request.query.done === 'closed',
        viewer: request.viewer,
      }),
    );
  });
}
