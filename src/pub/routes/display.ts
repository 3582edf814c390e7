import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type App, neverStored, originOf } from '#kernel/http.ts';
import { type Prepared, sendPrepared } from '#kernel/prepared.ts';
import { preparedFeeds, windowOf } from '../display/feeds.ts';
import { getImage } from '../display/images.ts';
import { profileUrl } from '../display/tenders.ts';

const TWO_MINUTES = 'public, max-age=120';
const EventsQuery = z.object({ window: z.unknown().optional().transform(windowOf) });

/** What the screens and pages of the pub are made of. */
export async function display(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const feeds = preparedFeeds(ctx);

  app.get(
    '/api/events',
    { schema: { summary: 'Events, announcements, hours, who is on duty, slides', querystring: EventsQuery } },
    (request, reply) => send(request, reply, feeds.events(request.query.window)),
  );

  app.get('/api/tenders', { schema: { summary: 'The active tenders' } }, (request, reply) =>
    send(request, reply, feeds.tenders()),
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
      const image = await getImage(ctx, kind, pageId, ctx.config.BASE_URL ?? originOf(request));
      return sendPrepared(request, reply, image, TWO_MINUTES);
    },
  );
}

/** Without a turn of the event loop where the feed is there, which is nearly always. */
function send(request: FastifyRequest, reply: FastifyReply, feed: Prepared | Promise<Prepared>) {
  if (feed instanceof Promise) return feed.then((made) => sendPrepared(request, reply, made, TWO_MINUTES));
  sendPrepared(request, reply, feed, TWO_MINUTES);
}
