import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { timeLeft } from '#routes/voting/wall.ts';
import { chairPage } from '#views/voting/admin/election/chair.ts';
import { getResults } from '#voting/counting/results.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import { electionStatus, endTime, getElection } from '#voting/elections/elections.ts';
import { officersTurnout } from '#voting/elections/shown-turnout.ts';
import { areResultsHidden, whyHidden } from '#voting/elections/visibility.ts';

const params = z.object({ id: Id });
const querystring = z.object({ ask: z.string().max(20).optional(), done: z.string().max(20).optional() });

/** The page for the person who chairs a meeting with a vote. */
export function chair(app: App, { ctx }: { ctx: Context }): void {
  app.get('/admin/elections/:id/chair', { schema: { params, querystring } }, async (request, reply) => {
    const election = getElection(ctx.db, request.params.id);
    const zone = ctx.config.TIME_ZONE;
    const status = electionStatus(election, ctx.now());
    const { granted } = request;
    const isShown = status === 'closed' && !areResultsHidden(election, ctx.now(), granted);
    const results = isShown ? await getResults(ctx, election, { granted }) : null;
    const certified = results?.results_mode === 'manual' ? results.certification.certified_at : null;
    return sendHtml(
      reply,
      chairPage({
        election: { id: election.id, title: election.title, status },
        opens: formatWhen(election.open_at, zone),
        closes: formatWhen(endTime(election), zone),
        left: status === 'open' ? timeLeft(election.close_at - ctx.now()) : null,
        turnout: officersTurnout(ctx.db, election),
        results,
        certifiedAt: certified && formatWhen(parseTimestamp(certified, zone)!, zone),
        codesCover: coversChoice(readSettings(election.settings)),
        hidden: whyHidden(election, ctx.now()),
        asked: request.query.ask === 'close',
        done: request.query.done,
        viewer: request.viewer,
      }),
    );
  });
}
