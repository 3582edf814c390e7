import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { needsSetlist } from '#pub/http/device-guard.ts';
import { NowPlayingStream } from '#pub/now-playing/stream.ts';

/** The stream of what is playing. */
export function stream(app: App, { ctx }: { ctx: Context }): void {
  const nowPlaying = new NowPlayingStream(ctx);
  // The server waits for open answers when it closes: these would be open for minutes.
  app.addHook('preClose', async () => nowPlaying.close());

  app.get(
    '/api/now-playing/current',
    { config: { admission: 'uncounted' }, exposeHeadRoute: false, onRequest: needsSetlist(ctx) },
    async (request, reply) => {
      await nowPlaying.open(request, reply);
    },
  );
}
