import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { originOf } from '#kernel/http/client.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { createFeeds, windowOf } from '#pub/display/feeds.ts';
import { getImage } from '#pub/display/images.ts';
import { profileUrl } from '#pub/display/tenders.ts';

const TWO_MINUTES = 'public, max-age=120';
const EventsQuery = z.object({ window: z.unknown().optional().transform(windowOf) });

/** What the screens and pages of the pub are made of. */
export function display(app: App, { ctx }: { ctx: Context }): void {
  const feeds = createFeeds(ctx);

  app.get(
    '/api/events',
    {
      schema: {
        summary: 'Events, announcements, hours, who is on duty, slides',
        querystring: EventsQuery,
      },
    },
    (request, reply) => sendCached(request, reply, feeds.events(request.query.window), TWO_MINUTES),
  );

  app.get(
    '/api/tenders',
    {
      schema: { summary: 'The active tenders' },
    },
    (request, reply) => sendCached(request, reply, feeds.tenders(), TWO_MINUTES),
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
      onRequest: noStore,
    },
    async (request, reply) => {
      const { kind, pageId } = request.params;
      const { BASE_URL } = ctx.config;
      const image = await getImage(ctx, kind, pageId, BASE_URL ?? originOf(request));
      // Where a code leads that is drawn without BASE_URL, the Host of this one request says.
      const shared = BASE_URL !== undefined || kind !== 'tender-qr';
      return sendCached(request, reply, image, shared ? TWO_MINUTES : 'no-store');
    },
  );
}
