import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, answerDone } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { siteOf } from '#kernel/http/site.ts';
import { Id } from '#kernel/ids.ts';
import { forgetScreen, reloadScreen, renameScreen, ScreenInput } from '#pub/devices/screen-admin.ts';
import { findNames, HeartbeatInput, listScreens, recordHeartbeat } from '#pub/devices/screens.ts';
import type { Visitors } from '#pub/devices/visitors.ts';
import { pageBuild } from '#views/assets.ts';

/** Heartbeats per address: many screens share one address, and each sends one a minute. */
const BEATS_A_MINUTE = 120;

interface Deps {
  ctx: Context;
  visitors: Visitors;
}

/** The heartbeats of the screens; the answer sets their clock and has the name that staff gave them. */
export function screens(app: App, { ctx, visitors }: Deps): void {
  app.post(
    '/api/screens/heartbeat',
    {
      bodyLimit: 2048,
      onRequest: rateLimit(ctx.limiter, ctx.now, 'screens', BEATS_A_MINUTE),
      schema: { summary: 'The heartbeat of a screen', body: HeartbeatInput },
    },
    async (request, reply) => {
      const { body } = request;
      if (!body.named) visitors.saw(body, ctx.now());
      // A preview on the staff page counts as a visitor too; it gets the name and groups of the screen it previews.
      const own = body.named ? await recordHeartbeat(ctx, body) : findNames(ctx, body);
      reply.header('cache-control', 'no-store');
      return { ok: true, now: ctx.now(), build: pageBuild(ctx.version, siteOf(ctx).version), ...own };
    },
  );
}

/** For staff: the list of screens, and the actions on each. */
export function staffScreens(app: App, { ctx, visitors }: Deps): void {
  const change = { permission: 'controls:write' } as const;
  const params = z.object({ id: Id });
  const LIST = '/admin/pub/screens';

  app.get(
    '/api/admin/screens',
    { config: { permission: 'now_showing:read' }, schema: { summary: 'Screens: seen when, which build' } },
    async () => ({
      ...listScreens(ctx, pageBuild(ctx.version, siteOf(ctx).version)),
      visitors: visitors.count(ctx.now()),
    }),
  );
  app.patch(
    '/api/admin/screens/:id',
    { config: change, schema: { summary: 'Name and groups of a screen', params, body: ScreenInput } },
    async (request, reply) => {
      await renameScreen(ctx, request.params.id, request.body, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true }, LIST);
    },
  );
  app.delete(
    '/api/admin/screens/:id',
    { config: change, schema: { summary: 'Forget a screen', params } },
    async (request, reply) => {
      await forgetScreen(ctx, request.params.id, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true }, LIST);
    },
  );
  app.post(
    '/api/admin/screens/:id/reload',
    { config: change, schema: { summary: 'Have a screen load its page again', params } },
    async (request, reply) => {
      await reloadScreen(ctx, request.params.id, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true }, LIST);
    },
  );
}
