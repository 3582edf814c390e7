import { sendCached } from '#kernel/http/cached-response.ts';
import type { App } from '#kernel/http/http.ts';
import type { Feeds } from '#pub/display/feeds.ts';

/** The list of drinks and food. */
export function menu(app: App, { feeds }: { feeds: Feeds }): void {
  app.get(
    '/api/menu',
    { schema: { summary: 'Drinks and food: what can be had now, and the prices' } },
    (request, reply) => sendCached(request, reply, feeds.menu(), 'public, max-age=60'),
  );
}
