import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, answerDone, noStore } from '#kernel/http/http.ts';
import { findCard, findNowShowing, NowShowingInput, setNowShowing } from '#pub/screen/now-showing.ts';
import { findOverride } from '#pub/screen/override.ts';
import { whenEnabled } from './feature-flags.ts';
import { redirectToRoomPage, refusedOnRoomPage } from './room.ts';

/** The card of the bar TV. */
export function nowShowing(app: App, { ctx }: { ctx: Context }): void {
  const gate = whenEnabled(ctx.config.NOW_SHOWING_ENABLED, {
    json: { showing: false },
    words: 'Now Showing is switched off.',
  });

  app.get(
    '/api/now-showing',
    { onRequest: [gate, noStore], schema: { summary: 'What is on the big screen' } },
    async () => findCard(ctx),
  );
}

/** For staff: what the card shows. */
export function staffNowShowing(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/now-showing',
    {
      config: { permission: 'now_showing:read' },
      schema: { summary: 'The override, the card and the games that can be chosen' },
    },
    async () => ({ ok: true, ...(await findNowShowing(ctx)) }),
  );

  app.post(
    '/api/admin/now-showing',
    {
      config: { permission: 'now_showing:write' },
      schema: { summary: 'Decide what is on the screen', body: NowShowingInput },
    },
    async (request, reply) => {
      const state = await setNowShowing(ctx, request.body, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true, ...state }, '/admin/pub');
    },
  );

  app.post(
    '/admin/pub/showing',
    {
      config: { permission: 'now_showing:write', ...refusedOnRoomPage(ctx) },
      schema: { hide: true, body: NowShowingInput },
      bodyLimit: 16 * 1024,
    },
    async (request, reply) => {
      const { mode, label, gameId } = findOverride(ctx.db, ctx.now());
      await setNowShowing(ctx, request.body, actorOf(request, ctx.now));
      return redirectToRoomPage(ctx, request, reply, 'screen', (actor) =>
        setNowShowing(ctx, { mode, label, gameId }, actor),
      );
    },
  );
}
