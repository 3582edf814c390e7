import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { type App, queryOf } from '#kernel/http/http.ts';
import { sendSharedPage } from '#kernel/http/pages.ts';
import { HOURS_DAYS, listDaysAhead } from '#pub/display/ahead.ts';
import { type Feeds, readEventsFeed, readTendersFeed } from '#pub/display/feeds.ts';
import { profileUrl } from '#pub/display/tenders.ts';
import { normalizeId } from '#pub/page-ids.ts';
import { tendersPage } from '#views/pub/tenders.ts';

/** An invalid `tender` selects nobody. */
const TendersQuery = z.object({
  tender: z
    .string()
    .catch('')
    .transform((id) => normalizeId(id).slice(0, 64)),
});

/** The cache-control header of the redirects. */
const FOR_AN_HOUR = 'public, max-age=3600';

/** The directory of tenders: the feed, the page, and the address in QR codes. */
export function tenders(app: App, { ctx, feeds }: { ctx: Context; feeds: Feeds }): void {
  app.get('/api/tenders', { schema: { summary: 'The active tenders' } }, (request, reply) =>
    sendCached(request, reply, feeds.tenders(), 'public, max-age=120'),
  );

  // A wildcard instead of :id, so that any scanned or typed address leads to the directory.
  app.get<{ Params: { '*': string } }>(
    '/tender/*',
    { schema: { summary: 'Leads to a tender in the directory' } },
    (request, reply) =>
      reply.header('cache-control', FOR_AN_HOUR).redirect(profileUrl(request.params['*']), 302),
  );

  app.get(
    '/tenders/',
    {
      config: { part: 'screens' },
      schema: { summary: 'The tenders; ?tender= names one', querystring: TendersQuery },
    },
    async (request, reply) => {
      const { tender: chosen } = request.query;
      return sendSharedPage(ctx, request, reply, ['/tenders/', chosen], async () => {
        const days = listDaysAhead(ctx, HOURS_DAYS);
        return tendersPage({ feed: readTendersFeed(ctx), events: readEventsFeed(ctx), days, chosen });
      });
    },
  );
  app.get('/tenders', { config: { part: 'screens' }, schema: { hide: true } }, (request, reply) =>
    reply.header('cache-control', FOR_AN_HOUR).redirect(`/tenders/${queryOf(request)}`, 301),
  );
}
