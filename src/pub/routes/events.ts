import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import type { App } from '#kernel/http/http.ts';
import { sendSharedPage } from '#kernel/http/pages.ts';
import { formatShort, localDate } from '#kernel/local-time.ts';
import { type Feeds, parseWindow, readEventsFeed } from '#pub/display/feeds.ts';
import { eventsPage } from '#views/pub/events.ts';

const PROGRAMME_DAYS = 14;
const EventsQuery = z.object({ window: z.unknown().optional().transform(parseWindow) });

/** What’s on: the feed of the screens, and the page that patrons open from a QR code. */
export function events(app: App, { ctx, feeds }: { ctx: Context; feeds: Feeds }): void {
  app.get(
    '/api/events',
    {
      schema: {
        summary: 'Events, announcements, hours, who is on duty, slides',
        querystring: EventsQuery,
      },
    },
    (request, reply) => sendCached(request, reply, feeds.events(request.query.window), 'public, max-age=120'),
  );

  app.get('/events', { schema: { summary: 'What’s on: two weeks' } }, async (request, reply) =>
    sendSharedPage(ctx, request, reply, ['/events'], async () => {
      const feed = readEventsFeed(ctx, PROGRAMME_DAYS);
      const now = ctx.now();
      const zone = ctx.config.TIME_ZONE;
      const readAt = formatShort(Date.parse(feed.lastUpdated), zone);
      return eventsPage({ feed, now, today: localDate(now, zone), readAt });
    }),
  );
}
