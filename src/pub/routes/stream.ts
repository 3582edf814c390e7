import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http.ts';
import { NowPlayingStream } from '../music/stream.ts';
import { needsSetlist } from './device-guard.ts';

/** The stream of what is playing. */
export async function stream(app: App, { ctx }: { ctx: Context }): Promise<void> {
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
