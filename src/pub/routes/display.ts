import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http.ts';
import { sendPrepared } from '#kernel/prepared.ts';
import { preparedFeeds, windowOf } from '../display/feeds.ts';
import { profileUrl } from '../display/tenders.ts';

const TWO_MINUTES = 'public, max-age=120';
const EventsQuery = z.object({ window: z.unknown().transform(windowOf) });

/** What the screens and pages of the pub are made of. */
export async function display(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const feeds = preparedFeeds(ctx);

  app.get(
    '/api/events',
    { schema: { summary: 'Events, announcements, hours, who is on duty, slides', querystring: EventsQuery } },
    async (request, reply) =>
      sendPrepared(request, reply, await feeds.events(request.query.window), TWO_MINUTES),
  );

  app.get('/api/tenders', { schema: { summary: 'The active tenders' } }, async (request, reply) =>
    sendPrepared(request, reply, await feeds.tenders(), TWO_MINUTES),
  );

  app.get<{ Params: { id: string } }>(
    '/tender/:id',
    { schema: { summary: 'Leads to a tender in the directory' } },
    (request, reply) => reply.redirect(profileUrl(request.params.id), 302),
  );
}
