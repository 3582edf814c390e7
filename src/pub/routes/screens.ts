import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { HeartbeatInput, listScreens, recordHeartbeat } from '#pub/room/screens.ts';
import { pageBuild } from '#views/assets.ts';

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
      return { ok: true, now: ctx.now(), build: pageBuild(ctx.version) };
    },
  );
}

/** The list of screens, for staff. */
export function staffScreens(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/screens',
    { config: { permission: 'now_showing:read' }, schema: { summary: 'Screens: seen when, which build' } },
    async () => listScreens(ctx, pageBuild(ctx.version)),
  );
}
