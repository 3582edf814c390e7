import type { FastifyRequest } from 'fastify';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { momentInWords } from '#kernel/local-time.ts';
import { counted } from '#views/components/numbers.ts';
import { wallPage } from '#views/voting/wall.ts';
import { getTurnout } from '#voting/ballots/tokens.ts';
import { getResults } from '#voting/counting/results.ts';
import { type Election, electionStatus, endTime, isPaused } from '#voting/elections/elections.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';

/** Renders an election for a projector. While results are hidden, nothing on it depends on the choices. */
export async function renderWall(ctx: Context, election: Election, request: FastifyRequest): Promise<Html> {
  const { TIME_ZONE: zone } = ctx.config;
  const { default: QRCode } = await import('qrcode');
  const now = ctx.now();
  const status = electionStatus(election, now);
  const origin = linkOrigin(ctx, request);
  const isShown = status !== 'scheduled' && !areResultsHidden(election, now);
  return wallPage({
    election: { id: election.id, title: election.title, status },
    paused: isPaused(election, now),
    opens: momentInWords(election.open_at, now, zone),
    closes: momentInWords(endTime(election), now, zone),
    left: status === 'open' ? timeLeft(election.close_at - now) : null,
    turnout: getTurnout(ctx.db, election.id),
    results: isShown ? await getResults(ctx, election) : null,
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
