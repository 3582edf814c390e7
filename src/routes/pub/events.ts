import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import type { App } from '#kernel/http/http.ts';
import { sendSharedPage } from '#kernel/http/pages.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { localDate } from '#kernel/local-time.ts';
import { findDuty, HOURS_DAYS, listDaysAhead } from '#pub/display/ahead.ts';
import { listAnnouncedNow } from '#pub/display/announced.ts';
import { listAnnouncementsNow } from '#pub/display/announcements.ts';
import { EVENT_KINDS, pubEventsFrom } from '#pub/display/events.ts';
import { type Feeds, parseWindow, readEventsFeed } from '#pub/display/feeds.ts';
import { listGamesTonight } from '#pub/screen/tonight.ts';
import { eventsPage } from '#views/pub/events.ts';
import { hoursPage } from '#views/pub/hours.ts';

const PROGRAMME_DAYS = 14;
const PageQuery = z.object({ kind: z.enum(EVENT_KINDS).optional().catch(undefined) });
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

  app.get(
    '/hours',
    { config: { part: 'screens' }, schema: { summary: 'Whether the pub is open, and its hours' } },
    async (request, reply) =>
      sendSharedPage(ctx, request, reply, ['/hours'], async () => {
        const feed = readEventsFeed(ctx);
        return hoursPage({
          feed,
          today: localDate(ctx.now(), ctx.config.TIME_ZONE),
          duty: findDuty(ctx),
          days: listDaysAhead(ctx, PROGRAMME_DAYS),
        });
      }),
  );

  app.get(
    '/events',
    {
      config: { part: 'screens' },
      schema: { summary: 'What’s on: two weeks', querystring: PageQuery },
    },
    async (request, reply) => {
      const { kind } = request.query;
      return sendSharedPage(ctx, request, reply, ['/events', kind], async () => {
        const feed = readEventsFeed(ctx, PROGRAMME_DAYS);
        const now = ctx.now();
        const zone = ctx.config.TIME_ZONE;
        const today = localDate(now, zone);
        return eventsPage({
          feed,
          now,
          today,
          zone,
          kind,
          readAt: formatWhen(Date.parse(feed.lastUpdated), zone),
          duty: findDuty(ctx),
          events: pubEventsFrom(ctx, today, PROGRAMME_DAYS + 1),
          days: listDaysAhead(ctx, HOURS_DAYS),
          announcements: listAnnouncementsNow(ctx),
          ahead: listAnnouncedNow(ctx),
          games: listGamesTonight(ctx),
        });
      });
    },
  );
}
