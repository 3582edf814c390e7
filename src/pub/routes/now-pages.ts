import type { Context } from '#kernel/context.ts';
import { type App, sendTvPage } from '#kernel/http.ts';
import { barRightScreen } from '#views/pub/tv/bar-right.ts';
import { projectorScreen } from '#views/pub/tv/projector.ts';
import { buildOf } from '../room/screens.ts';

/** The pages of what is playing: two screens on the wall, and one for every pocket. */
export async function nowPages(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const { TIME_ZONE: zone, NOW_PLAYING_STALE_MS: staleMs } = ctx.config;
  const screen = { build: buildOf(ctx), zone, staleMs };
  const barRight = barRightScreen(screen);
  const projector = projectorScreen(screen);

  app.get(
    '/tv/bar-right',
    { schema: { summary: 'The right TV: what is playing' } },
    async (_request, reply) => sendTvPage(reply, barRight),
  );
  app.get('/tv/projector', { schema: { summary: 'The projector: lyrics' } }, async (_request, reply) =>
    sendTvPage(reply, projector),
  );
}
