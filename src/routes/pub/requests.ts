import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { Id } from '#kernel/ids.ts';
import { requestHours } from '#pub/requests/hours.ts';
import { DecisionInput, decideRequest } from '#pub/requests/moderation.ts';
import { listRequests, listRequestsForStaff, requestJson, staffRequestJson } from '#pub/requests/queue.ts';
import { getRequest, RequestInput, requestSong, VoteInput, voteForRequest } from '#pub/requests/requests.ts';
import { SuggestQuery, suggestSongs } from '#pub/requests/suggest.ts';
import { whenEnabled } from './feature-flags.ts';
import { redirectToRoomPage, refusedOnRoomPage } from './room.ts';
import { identifyVisitor } from './visitor-cookie.ts';

const params = z.object({ id: Id });

/** Limits per address and minute. High, because everybody in the pub shares one address; browsers have limits too. */
const ASKS_A_MINUTE = 300;
const LOOKS_A_MINUTE = 3_000;

/** Song requests as JSON: suggestions, the queue, asking and voting. */
export function songRequests(app: App, { ctx }: { ctx: Context }): void {
  const { SETLIST_REQUESTS_ENABLED: enabled } = ctx.config;
  app.addHook('onRequest', whenEnabled(enabled, { words: 'Song requests are switched off.' }));
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

/** Song requests for staff, as JSON and for the forms of their page. */
export function staffRequests(app: App, { ctx }: { ctx: Context }): void {
  const config = { permission: 'requests:moderate' } as const;
  app.get('/api/admin/requests', { config, schema: { summary: 'The evening’s song requests' } }, async () => {
    const { open, closesAt } = requestHours(ctx);
    const requests = listRequestsForStaff(ctx);
    return { requests, open, closesAt: closesAt === null ? null : isoTime(closesAt) };
  });
  app.post(
    '/api/admin/requests/:id',
    { config, schema: { summary: 'Decide on a request', params, body: DecisionInput } },
    async (request) => {
      const { id } = request.params;
      const decided = await decideRequest(ctx, id, request.body, actorOf(request, ctx.now));
      return { ok: true, request: staffRequestJson(decided) };
    },
  );
  app.post(
    '/admin/pub/requests/:id',
    {
      config: { ...config, ...refusedOnRoomPage(ctx) },
      schema: { hide: true, params, body: DecisionInput },
      bodyLimit: 16 * 1024,
    },
    async (request, reply) => {
      const { id } = request.params;
      const { status, reason } = getRequest(ctx.db, id);
      await decideRequest(ctx, id, request.body, actorOf(request, ctx.now));
      const before = DecisionInput.safeParse({ status, reason }).data;
      return redirectToRoomPage(
        ctx,
        request,
        reply,
        'requests',
        before && ((actor) => decideRequest(ctx, id, before, actor)),
      );
    },
  );
}
