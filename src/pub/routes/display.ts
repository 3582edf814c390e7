import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { sendPrepared } from '#kernel/http/cached-response.ts';
import { type App, neverStored, originOf } from '#kernel/http/http.ts';
import { DEFAULT_WINDOW, preparedFeeds, windowOf } from '#pub/display/feeds.ts';
import { getImage } from '#pub/display/images.ts';
import { profileUrl } from '#pub/display/tenders.ts';

const TWO_MINUTES = 'public, max-age=120';
const EventsQuery = z.object({ window: z.unknown().optional().transform(windowOf) });

/** What the screens and pages of the pub are made of. */
export async function display(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const feeds = preparedFeeds(ctx);

  app.get(
    '/api/events',
    {
      schema: {
        summary: 'Events, announcements, hours, who is on duty, slides',
        querystring: EventsQuery,
      },
      config: { fastLane: { look: () => feeds.events.look(DEFAULT_WINDOW), cacheControl: TWO_MINUTES } },
    },
    async (request, reply) =>
      sendPrepared(request, reply, await feeds.events.ask(request.query.window), TWO_MINUTES),
  );

  app.get(
    '/api/tenders',
    {
      schema: { summary: 'The active tenders' },
      config: { fastLane: { look: feeds.tenders.look, cacheControl: TWO_MINUTES } },
    },
    async (request, reply) => sendPrepared(request, reply, await feeds.tenders.ask(), TWO_MINUTES),
  );

  // Not :id, so that whatever is scanned or typed leads somewhere.
  app.get<{ Params: { '*': string } }>(
    '/tender/*',
    { schema: { summary: 'Leads to a tender in the directory' } },
    (request, reply) => reply.redirect(profileUrl(request.params['*']), 302),
  );

  app.get<{ Params: { kind: string; pageId: string } }>(
    '/api/image/:kind/:pageId',
    {
      schema: { summary: 'Image of an announcement, photo or QR code of a tender' },
      // A cache must not keep what goes wrong; what goes well says otherwise.
      onRequest: neverStored,
    },
    async (request, reply) => {
      const { kind, pageId } = request.params;
      const { BASE_URL } = ctx.config;
      const image = await getImage(ctx, kind, pageId, BASE_URL ?? originOf(request));
      // Where a code leads that is drawn without BASE_URL, the Host of this one request says.
      const shared = BASE_URL !== undefined || kind !== 'tender-qr';
      return sendPrepared(request, reply, image, shared ? TWO_MINUTES : 'no-store');
    },
  );
}
