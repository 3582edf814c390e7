import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatWhen, momentInWords, parseTimestamp } from '#kernel/local-time.ts';
import { counted } from '#views/components/numbers.ts';
import { chairPage } from '#views/voting/admin/election/chair.ts';
import { wallPage } from '#views/voting/wall.ts';
import { getResults } from '#voting/counting/results.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import {
  type Election,
  electionStatus,
  endTime,
  getElection,
  isPaused,
} from '#voting/elections/elections.ts';
import { getTurnout } from '#voting/elections/turnout.ts';
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
        turnout: getTurnout(ctx.db, election.id),
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

/** Renders an election for a projector. While results are hidden, nothing on it depends on the choices. */
export async function renderWall(ctx: Context, election: Election, request: FastifyRequest): Promise<Html> {
  const { TIME_ZONE: zone } = ctx.config;
  const { default: QRCode } = await import('qrcode');
  const now = ctx.now();
  const status = electionStatus(election, now);
  const origin = linkOrigin(ctx, request);
  const why = whyHidden(election, now);
  const isShown = status !== 'scheduled' && why === undefined;
  return wallPage({
    election: { id: election.id, title: election.title, status },
    paused: isPaused(election, now),
    opens: momentInWords(election.open_at, now, zone),
    closes: momentInWords(endTime(election), now, zone),
    left: status === 'open' ? timeLeft(election.close_at - now) : null,
    turnout: getTurnout(ctx.db, election.id),
    results: isShown ? await getResults(ctx, election) : null,
    isAwaited: why === 'results_not_announced',
    way: origin && {
      qr: QRCode.create(`${origin}/e/${election.id}`, { errorCorrectionLevel: 'M' }).modules,
      address: `${origin.replace(/^https?:\/\//, '')}/vote`,
    },
  });
}

/** `12 minutes`, rounded up, or from two hours on `3 hours`, rounded down; null for a day or more. */
export function timeLeft(ms: number): string | null {
  if (ms >= DAY) return null;
  if (ms >= 2 * HOUR) return counted(Math.floor(ms / HOUR), 'hour');
  return counted(Math.max(1, Math.ceil(ms / MINUTE)), 'minute');
}
