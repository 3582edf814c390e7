import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { pageBuild } from '#pub/http/page-build.ts';
import { BeatInput, listScreens, noteScreen } from '#pub/room/screens.ts';

/** Many screens share one address; each speaks once a minute. */
const BEATS_A_MINUTE = 120;

/** Where the screens of the house tell that they are there; the answer sets their clock and names the build. */
export function screens(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/api/screens/heartbeat',
    {
      bodyLimit: 2048,
      onRequest: rateLimit(ctx.limiter, ctx.now, 'screens', BEATS_A_MINUTE),
      schema: { summary: 'A screen tells that it is there', body: BeatInput },
    },
    async (request, reply) => {
      await noteScreen(ctx, request.body);
      reply.header('cache-control', 'no-store');
      return { ok: true, now: ctx.now(), build: pageBuild(ctx) };
    },
  );
}

/** The list of screens, for staff. */
export function staffScreens(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/screens',
    { config: { permission: 'now_showing:read' }, schema: { summary: 'Screens: seen when, which build' } },
    async () => listScreens(ctx, pageBuild(ctx)),
  );
}
