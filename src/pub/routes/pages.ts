import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type App, queryOf, sendHtml } from '#kernel/http/http.ts';
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
export async function pages(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const zone = ctx.config.TIME_ZONE;

  app.get('/events', { schema: { summary: 'What’s on: two weeks' } }, async (_request, reply) => {
    const feed = await readEventsFeed(ctx, PROGRAMME_DAYS);
    const now = ctx.now();
    const readAt = formatShort(Date.parse(feed.lastUpdated), zone);
    return sendHtml(reply, eventsPage({ feed, now, today: localDate(now, zone), readAt }));
  });

  app.get(
    '/tenders/',
    { schema: { summary: 'The tenders; ?tender= names one', querystring: TendersQuery } },
    async (request, reply) => {
      const [feed, events] = await Promise.all([readTendersFeed(ctx), readEventsFeed(ctx)]);
      const today = localDate(ctx.now(), zone);
      return sendHtml(reply, tendersPage({ feed, events, today, chosen: request.query.tender }));
    },
  );
  app.get('/tenders', { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`/tenders/${queryOf(request)}`, 301),
  );
}
