import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { type Html, html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { cachedJson, sendCached, sharedAnswer } from '#kernel/http/cached-response.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatTime, momentInWords } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { needsDay } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import { currentTrack, findLatestPlay } from '#pub/now-playing/current.ts';
import { requestHours } from '#pub/requests/hours.ts';
import { DecisionInput, decideRequest } from '#pub/requests/moderation.ts';
import { findNextSong } from '#pub/requests/next.ts';
import {
  listRequests,
  listRequestsForStaff,
  type Queue,
  requestJson,
  staffRequestJson,
} from '#pub/requests/queue.ts';
import { getRequest, RequestInput, requestSong, VoteInput, voteForRequest } from '#pub/requests/requests.ts';
import { SuggestQuery, suggestSongs } from '#pub/requests/suggest.ts';
import { type RequestsPageProps, requestsPage } from '#views/pub/requests.ts';
import { whenOn } from './feature-flags.ts';
import { onRoomPage, toRoomPage } from './staff-room.ts';
import { identifyVisitor } from './visitor-cookie.ts';

const params = z.object({ id: Id });

/** Limits per address and minute. High, because everybody in the pub shares one address; browsers have limits too. */
const ASKS_A_MINUTE = 300;
const LOOKS_A_MINUTE = 3_000;

const PAGES_A_MINUTE = 3_000;

const DONE: Record<string, Words> = {
  asked: t('pub.requests.done_asked'),
  merged: t('pub.requests.done_merged'),
  voted: t('pub.requests.done_voted'),
  unvoted: t('pub.requests.done_unvoted'),
};

/** Song requests as JSON: suggestions, the queue, asking and voting. */
export function songRequests(app: App, { ctx }: { ctx: Context }): void {
  app.addHook('onRequest', whenOn(ctx, 'requests', { code: 'song_requests_off' }));
  app.addHook('onRequest', noStore);
  const limited = (name: string, limit: number) => ({
    onRequest: rateLimit(ctx.limiter, ctx.now, name, limit),
  });

  app.get(
    '/api/setlist/track-suggest',
    {
      ...limited('song looks', LOOKS_A_MINUTE),
      schema: { summary: 'Songs to ask for', querystring: SuggestQuery },
    },
    async (request) => ({ items: suggestSongs(ctx, request.query.q) }),
  );
  app.get(
    '/api/setlist/requests',
    { ...limited('song looks', LOOKS_A_MINUTE), schema: { summary: 'The queue of song requests' } },
    async (request, reply) => listRequests(ctx, identifyVisitor(ctx, request, reply).browser),
  );
  app.get(
    '/api/setlist/requests/next',
    { ...limited('song looks', LOOKS_A_MINUTE), schema: { summary: 'The next song of the queue' } },
    async (request, reply) => {
      const answer = await sharedAnswer(ctx, ['/api/setlist/requests/next'], async () =>
        cachedJson(findNextSong(ctx)),
      );
      return sendCached(request, reply, answer, 'no-cache');
    },
  );

  app.post(
    '/api/setlist/request',
    { ...limited('song asks', ASKS_A_MINUTE), schema: { summary: 'Ask for a song', body: RequestInput } },
    async (request, reply) => {
      const patron = identifyVisitor(ctx, request, reply);
      const { merged, request: row } = await requestSong(ctx, patron, request.body);
      return { ok: true, ...(merged && { merged }), request: requestJson(row, patron.browser, true) };
    },
  );
  app.post(
    '/api/setlist/request/:id/vote',
    {
      ...limited('song asks', ASKS_A_MINUTE),
      schema: { summary: 'Vote for a request', params, body: VoteInput },
    },
    async (request, reply) => {
      const { browser } = identifyVisitor(ctx, request, reply);
      return { ok: true, ...(await voteForRequest(ctx, request.params.id, browser, request.body.value)) };
    },
  );
}

/** Song requests on a phone. */
export function requestsPages(app: App, { ctx }: { ctx: Context }): void {
  app.addHook('onRequest', whenOn(ctx, 'requests', { code: 'requests_off' }));
  app.addHook('onRequest', rateLimit(ctx.limiter, ctx.now, 'song pages', PAGES_A_MINUTE));
  app.addHook('onRequest', noStore);

  app.get(
    '/requests',
    { config: { part: 'requests' }, schema: { summary: 'Ask for a song', querystring: doneQuery } },
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
      schema: { hide: true, params, body: VoteInput },
    },
    async (request, reply) => {
      const { browser } = identifyVisitor(ctx, request, reply);
      const { voted } = await voteForRequest(ctx, request.params.id, browser, request.body.value);
      return reply.redirect(`/requests?done=${voted ? 'voted' : 'unvoted'}`, 303);
    },
  );
}

/** Song requests for staff, as JSON and for the forms of their page. */
export function staffRequests(app: App, { ctx }: { ctx: Context }): void {
  const config = { permission: 'requests:moderate' } as const;
  app.get('/api/admin/requests', { config, schema: { summary: 'The evening’s song requests' } }, async () => {
    const { open, closesAt } = requestHours(ctx);
    const requests = listRequestsForStaff(ctx);
    return { requests, open, closesAt: closesAt === null ? null : isoTime(closesAt) };
  });
  act(app, ctx, {
    ...onRoomPage(ctx, 'requests'),
    api: 'POST /api/admin/requests/:id',
    form: 'POST /admin/pub/requests/:id',
    summary: 'Decide on a request',
    permission: 'requests:moderate',
    params,
    body: DecisionInput,
    run: async ({ params: { id }, body, actor }) => {
      const { status, reason } = getRequest(ctx.db, id);
      const decided = await decideRequest(ctx, id, body, actor);
      const before = DecisionInput.safeParse({ status, reason }).data;
      return { decided, undo: before && ((actor: Actor) => decideRequest(ctx, id, before, actor)) };
    },
    json: ({ decided }) => ({ ok: true, request: staffRequestJson(decided) }),
    next: toRoomPage(ctx, 'requests'),
  });
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
      played: playedAt ? formatTime(Date.parse(playedAt), zone) : null,
    })),
    open: queue.open,
    mayAsk: queue.open && queue.nextAt === null,
    turn: describeTurn(queue, ctx.now(), zone),
  });
}

/** Says how many songs this visitor may request, or from when. */
function describeTurn({ open, left, nextAt, opensAt, closesAt }: Queue, now: number, zone: string): Words {
  const when = (iso: string) => {
    const at = Date.parse(iso);
    return {
      when: momentInWords(at, now, zone),
      has_date: needsDay(at, now, zone) ? 'yes' : 'other',
    } as const;
  };
  if (!open)
    return opensAt ? t('pub.requests.turn_closed_until', when(opensAt)) : t('pub.requests.turn_closed');
  if (left === 0) return t('pub.requests.turn_all_asked');
  if (nextAt) return t('pub.requests.turn_wait', when(nextAt));
  const songs = t('pub.requests.turn_left', { songs: left });
  return closesAt ? html`${songs} ${t('pub.requests.turn_close', when(closesAt))}` : songs;
}
