import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { actorOf, originOf } from '#kernel/http/client.ts';
import { type App, answerDone, noStore } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { siteOf } from '#kernel/http/site.ts';
import { Id } from '#kernel/ids.ts';
import { HeartbeatInput, listScreens, recordHeartbeat } from '#pub/room/screens.ts';
import { TakeoverInput } from '#pub/takeover/input.ts';
import { drawTakeoverQr } from '#pub/takeover/qr.ts';
import { currentTakeover, endTakeover, listTakeovers, startTakeover } from '#pub/takeover/takeovers.ts';
import { pageBuild } from '#views/assets.ts';
import { redirectToRoomPage, refusedOnRoomPage } from './room.ts';

/** Many screens share one address; each sends one a minute. */
const BEATS_A_MINUTE = 120;

/** The heartbeats of the screens; the answer sets their clock and names the build. */
export function screens(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/api/screens/heartbeat',
    {
      bodyLimit: 2048,
      onRequest: rateLimit(ctx.limiter, ctx.now, 'screens', BEATS_A_MINUTE),
      schema: { summary: 'The heartbeat of a screen', body: HeartbeatInput },
    },
    async (request, reply) => {
      await recordHeartbeat(ctx, request.body);
      reply.header('cache-control', 'no-store');
      return { ok: true, now: ctx.now(), build: pageBuild(ctx.version, siteOf(ctx).version) };
    },
  );

  app.get(
    '/api/takeover',
    { onRequest: noStore, schema: { summary: 'The notice that fills the screens, if there is one' } },
    async () => presentTakeover(ctx),
  );

  app.get(
    '/api/takeover/:id/qr',
    { onRequest: noStore, schema: { summary: 'The QR code of a notice', params } },
    async (request, reply) => {
      const origin = ctx.config.BASE_URL ?? originOf(request);
      return sendCached(request, reply, await drawTakeoverQr(ctx, request.params.id, origin), 'no-store');
    },
  );
}

const params = z.object({ id: Id });

/** The list of screens, and the notices that fill them, for staff. */
export function staffScreens(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/screens',
    { config: { permission: 'now_showing:read' }, schema: { summary: 'Screens: seen when, which build' } },
    async () => listScreens(ctx, pageBuild(ctx.version, siteOf(ctx).version)),
  );

  const api = { permission: 'screens:takeover' } as const;
  const form = {
    config: { permission: 'screens:takeover', ...refusedOnRoomPage(ctx) },
    bodyLimit: 16 * 1024,
  } as const;

  app.post(
    '/api/admin/takeover',
    { config: api, schema: { summary: 'Fill the screens with a notice', body: TakeoverInput } },
    async (request, reply) => {
      const id = await startTakeover(ctx, request.body, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true, id, ...presentTakeover(ctx) }, '/admin/pub');
    },
  );
  app.post(
    '/api/admin/takeover/:id/end',
    { config: api, schema: { summary: 'End a notice early', params } },
    async (request, reply) => {
      await endTakeover(ctx, request.params.id, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true, ...presentTakeover(ctx) }, '/admin/pub');
    },
  );
  app.post(
    '/admin/pub/takeover',
    { ...form, schema: { hide: true, body: TakeoverInput } },
    async (request, reply) => {
      await startTakeover(ctx, request.body, actorOf(request, ctx.now));
      return redirectToRoomPage(reply, 'takeover');
    },
  );
  app.post(
    '/admin/pub/takeover/:id/end',
    { ...form, schema: { hide: true, params } },
    async (request, reply) => {
      await endTakeover(ctx, request.params.id, actorOf(request, ctx.now));
      return redirectToRoomPage(reply, 'takeover');
    },
  );
}

const presentTakeover = (ctx: Context) => ({ takeover: currentTakeover(listTakeovers(ctx), ctx.now()) });
