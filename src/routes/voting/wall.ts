import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { momentInWords } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { publicTurnout } from '#meetings/room/room.ts';
import { paperWallPage, wallPage } from '#views/voting/wall.ts';
import { getResults } from '#voting/counting/results.ts';
import { type Election, electionStatus, endTime, isPaused } from '#voting/elections/elections.ts';
import { getPaper, isInMeeting, listQuestions, type Paper } from '#voting/elections/issuers.ts';
import { getPaperTurnout, type Turnout } from '#voting/elections/turnout.ts';
import { whyHidden } from '#voting/elections/visibility.ts';

const params = z.object({ id: Id });

/** Renders an election for a projector. While results are hidden, nothing on it depends on the choices. */
export async function renderWall(ctx: Context, election: Election, request: FastifyRequest): Promise<Html> {
  const { TIME_ZONE: zone } = ctx.config;
  const now = ctx.now();
  const status = electionStatus(election, now);
  const why = whyHidden(election, now);
  const isShown = status !== 'scheduled' && why === undefined;
  return wallPage({
    election: { id: election.id, title: election.title, status },
    paused: isPaused(election, now),
    opens: momentInWords(election.open_at, now, zone),
    closes: momentInWords(endTime(election), now, zone),
    left: status === 'open' ? timeLeft(election.close_at - now) : null,
    turnout: publicTurnout(ctx.db, election),
    results: isShown ? await getResults(ctx, election) : null,
    isAwaited: why === 'results_not_announced',
    way: await wayTo(ctx, request, `/e/${election.id}`),
  });
}

/** The page of a ballot paper for a projector. */
export function paperWall(app: App, { ctx }: { ctx: Context }): void {
  app.get('/p/:id/wall', { schema: { params } }, async (request, reply) =>
    sendHtml(reply, await renderPaperWall(ctx, getPaper(ctx.db, request.params.id), request)),
  );
}

async function renderPaperWall(ctx: Context, paper: Paper, request: FastifyRequest): Promise<Html> {
  const { TIME_ZONE: zone } = ctx.config;
  const now = ctx.now();
  const status = electionStatus(paper, now);
  const questions = await Promise.all(
    listQuestions(ctx.db, paper.id).map(async (question) => {
      const status = electionStatus(question, now);
      const why = whyHidden(question, now);
      const isShown = status !== 'scheduled' && why === undefined;
      return {
        title: question.title,
        status,
        results: isShown ? await getResults(ctx, question) : null,
        isAwaited: why === 'results_not_announced',
      };
    }),
  );
  return paperWallPage({
    election: { id: paper.id, title: paper.title, status },
    questions,
    opens: momentInWords(paper.open_at, now, zone),
    closes: momentInWords(endTime(paper), now, zone),
    left: status === 'open' ? timeLeft(paper.close_at - now) : null,
    // Cards of a meeting are no votes: its own wall says how many there are.
    turnout: isInMeeting(ctx.db, { paper_id: paper.id }) ? NOBODY : getPaperTurnout(ctx.db, paper.id),
    way: await wayTo(ctx, request, `/p/${paper.id}`),
  });
}

const NOBODY: Turnout = { issued: 0, used: 0 };

/** The way to the page of voters, as the wall shows it; empty while the address of the service is not known. */
async function wayTo(ctx: Context, request: FastifyRequest, path: string) {
  const origin = linkOrigin(ctx, request);
  if (!origin) return undefined;
  const { default: QRCode } = await import('qrcode');
  return {
    qr: QRCode.create(`${origin}${path}`, { errorCorrectionLevel: 'M' }).modules,
    address: `${origin.replace(/^https?:\/\//, '')}/vote`,
  };
}

/** `12 minutes`, rounded up, or from two hours on `3 hours`, rounded down; null for a day or more. */
export function timeLeft(ms: number): Words | null {
  if (ms >= DAY) return null;
  if (ms >= 2 * HOUR) return t('voting.wall.hours', { hours: Math.floor(ms / HOUR) });
  return t('voting.wall.minutes', { minutes: Math.max(1, Math.ceil(ms / MINUTE)) });
}
