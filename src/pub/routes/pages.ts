import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type App, queryOf } from '#kernel/http/http.ts';
import { sendSharedPage } from '#kernel/http/pages.ts';
import { formatShort, localDate } from '#kernel/local-time.ts';
import { readEventsFeed, readTendersFeed } from '#pub/display/feeds.ts';
import { normalizeId } from '#pub/display/page-ids.ts';
import { eventsPage } from '#views/pub/events.ts';
import { tendersPage } from '#views/pub/tenders.ts';

const PROGRAMME_DAYS = 14;
/** Whatever else stands there names nobody. */
const TendersQuery = z.object({
  tender: z
    .string()
    .catch('')
    .transform((id) => normalizeId(id).slice(0, 64)),
});

/** The pages that patrons open from a QR code. */
export function pages(app: App, { ctx }: { ctx: Context }): void {
  const zone = ctx.config.TIME_ZONE;

  app.get('/events', { schema: { summary: 'What’s on: two weeks' } }, async (request, reply) =>
    sendSharedPage(ctx, request, reply, ['/events'], async () => {
      const feed = await readEventsFeed(ctx, PROGRAMME_DAYS);
      const now = ctx.now();
      const readAt = formatShort(Date.parse(feed.lastUpdated), zone);
      return eventsPage({ feed, now, today: localDate(now, zone), readAt });
    }),
  );

  app.get(
    '/tenders/',
    { schema: { summary: 'The tenders; ?tender= names one', querystring: TendersQuery } },
    async (request, reply) => {
      const { tender: chosen } = request.query;
      return sendSharedPage(ctx, request, reply, ['/tenders/', chosen], async () => {
        const [feed, events] = await Promise.all([readTendersFeed(ctx), readEventsFeed(ctx)]);
        return tendersPage({ feed, events, today: localDate(ctx.now(), zone), chosen });
      });
    },
  );
  app.get('/tenders', { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`/tenders/${queryOf(request)}`, 301),
  );
}
