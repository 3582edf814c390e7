import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { formatTime, momentInWords } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import { currentTrack, findLatestPlay } from '#pub/now-playing/current.ts';
import { listRequests, type Queue } from '#pub/requests/queue.ts';
import { RequestInput, requestSong, VoteInput, voteForRequest } from '#pub/requests/requests.ts';
import { type RequestsPageProps, requestsPage } from '#views/pub/requests.ts';
import { whenEnabled } from './feature-flags.ts';
import { identifyVisitor } from './visitor-cookie.ts';

const PAGES_A_MINUTE = 3_000;

const DONE: Record<string, string> = {
  asked: 'Your song is in the queue.',
  merged: 'Somebody has asked for that song already: your vote was added.',
  voted: 'Your vote counts.',
  unvoted: 'Your vote was taken back.',
};

/** Song requests on a phone. */
export function requestsPages(app: App, { ctx }: { ctx: Context }): void {
  app.addHook(
    'onRequest',
    whenEnabled(ctx.config.SETLIST_REQUESTS_ENABLED, { words: 'Songs cannot be asked for at the moment.' }),
  );
  app.addHook('onRequest', rateLimit(ctx.limiter, ctx.now, 'song pages', PAGES_A_MINUTE));
  app.addHook('onRequest', noStore);
  const querystring = z.object({ done: z.string().max(20).optional() });

  app.get(
    '/requests',
    { config: { part: 'requests' }, schema: { summary: 'Ask for a song', querystring } },
    async (request, reply) => {
      const done = ownValue(DONE, request.query.done);
      return sendHtml(reply, renderPage(ctx, request, reply, { done }));
    },
  );

  app.post(
    '/requests',
    {
      config: refusedOn((request, refused, reply) =>
        renderPage(ctx, request, reply, { entered: refused.entered, refused }),
      ),
      bodyLimit: 8 * 1024,
      schema: { hide: true, body: RequestInput },
    },
    async (request, reply) => {
      const { merged } = await requestSong(ctx, identifyVisitor(ctx, request, reply), request.body);
      return reply.redirect(`/requests?done=${merged ? 'merged' : 'asked'}`, 303);
    },
  );

  app.post(
    '/requests/:id/vote',
    {
      config: refusedOn((request, refused, reply) => renderPage(ctx, request, reply, { refused })),
      schema: { hide: true, params: z.object({ id: Id }), body: VoteInput },
    },
    async (request, reply) => {
      const { browser } = identifyVisitor(ctx, request, reply);
      const { voted } = await voteForRequest(ctx, request.params.id, browser, request.body.value);
      return reply.redirect(`/requests?done=${voted ? 'voted' : 'unvoted'}`, 303);
    },
  );
}

function renderPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Pick<RequestsPageProps, 'done' | 'refused' | 'entered'>,
): Html {
  const zone = ctx.config.TIME_ZONE;
  const queue = listRequests(ctx, identifyVisitor(ctx, request, reply).browser);
  const latest = findLatestPlay(ctx);
  const track = currentTrack(latest, ctx.now(), ctx.config.NOW_PLAYING_STALE_MS);
  const playing = track && latest?.kind === 'music' ? track : null;
  return requestsPage({
    ...shown,
    playing: playing && {
      artist: playing.artist,
      title: playing.title,
      cover: playing.albumArtUrl ? `/api/art/${playing.id}` : null,
    },
    requests: queue.items.map(({ playedAt, ...item }) => ({
      ...item,
      played: playedAt && formatTime(Date.parse(playedAt), zone),
    })),
    open: queue.open,
    mayAsk: queue.open && queue.nextAt === null,
    turn: describeTurn(queue, ctx.now(), zone),
  });
}

/** Says in a sentence how many songs this visitor may request, or from when. */
function describeTurn({ open, left, nextAt, opensAt, closesAt }: Queue, now: number, zone: string): string {
  const when = (iso: string) => momentInWords(Date.parse(iso), now, zone);
  if (!open)
    return `Songs can be asked for while the pub is open.${opensAt ? ` It opens ${withAt(when(opensAt))}.` : ''}`;
  if (left === 0) return 'You have asked for three songs tonight: that is all for one phone. Votes are free.';
  if (nextAt) return `You can ask for another song ${withAt(when(nextAt))}.`;
  const songs = left === 1 ? 'one more song' : `${left} songs`;
  return `You can ask for ${songs} tonight.${closesAt ? ` Requests close ${withAt(when(closesAt))}.` : ''}`;
}

/** Puts `at` before a time, `at 5:00 PM`, but not before one with a date, `Sun, Nov 22, 5:00 PM`. */
const withAt = (moment: string): string => (moment.includes(',') ? moment : `at ${moment}`);
