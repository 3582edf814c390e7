import { z } from 'zod';
import { shareSiteOf } from '#content/pictures/logo.ts';
import type { Context } from '#kernel/context.ts';
import { cachedJson, sendCached, sharedAnswer } from '#kernel/http/cached-response.ts';
import { actorOf } from '#kernel/http/client.ts';
import { badField } from '#kernel/http/errors.ts';
import { type App, answerDone } from '#kernel/http/http.ts';
import { sendSharedPage } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import {
  changeScreening,
  closeScreening,
  readScreeningState,
  restoreScreening,
  revertScreening,
  ScreeningInput,
} from '#pub/screen/screening-admin.ts';
import { findTotals, hasScreenings, listScreeningRecords, listScreenings } from '#pub/screen/screenings.ts';
import { screenPage } from '#views/pub/screen.ts';
import { screenPoster } from '#views/pub/screen-poster.ts';
import { whenEnabled } from './feature-flags.ts';
import { redirectToRoomPage, refusedOnRoomPage } from './room.ts';

const params = z.object({ id: Id });
/** Where staff forms without script redirect to. */
const STAFF_PAGE = '/admin/pub';
const ArchiveQuery = z.object({
  /** Clamped to 1 to 100; 20 if it is invalid. */
  limit: z.coerce
    .number()
    .int()
    .catch(20)
    .transform((limit) => Math.min(100, Math.max(1, limit))),
  before: z.string().optional(),
});

/** The archive of films, as JSON. */
export function screenings(app: App, { ctx }: { ctx: Context }): void {
  const gate = whenEnabled(hasScreenings(ctx.config), {
    json: { items: [] },
    words: 'Screenings are switched off.',
  });

  app.get(
    '/api/screenings',
    { onRequest: gate, schema: { summary: 'Films that were shown', querystring: ArchiveQuery } },
    async (request, reply) => {
      const { limit, before } = request.query;
      const answer = cachedJson(listScreenings(ctx, { limit, before: readBefore(ctx, before) }));
      return sendCached(request, reply, answer, 'public, max-age=30');
    },
  );
}

/** The archive as a page, and the preview picture for links to it. */
export function screenPages(app: App, { ctx }: { ctx: Context }): void {
  const zone = () => ctx.config.TIME_ZONE;
  app.addHook('onRequest', whenEnabled(hasScreenings(ctx.config), { words: 'Screenings are switched off.' }));

  app.get(
    '/screen',
    {
      config: { part: 'films' },
      schema: {
        summary: 'The archive of films',
        querystring: z.object({ before: z.string().optional() }),
      },
    },
    async (request, reply) => {
      const before = readBefore(ctx, request.query.before);
      return sendSharedPage(ctx, request, reply, ['/screen', before], async () => {
        const { items, nextBefore } = listScreenings(ctx, { limit: 20, before });
        const origin = ctx.config.BASE_URL ?? '';
        const totals = findTotals(ctx);
        return screenPage({ items, totals, nextBefore, earlier: before !== undefined, zone: zone(), origin });
      });
    },
  );

  app.get('/og/screen.png', { schema: { summary: 'The picture of the archive' } }, async (request, reply) => {
    const picture = await sharedAnswer(ctx, ['/og/screen.png'], async () => {
      const { items } = listScreenings(ctx, { limit: 3 });
      return ctx.shareImages.draw(
        screenPoster({ items, totals: findTotals(ctx), zone: zone(), site: await shareSiteOf(ctx) }),
      );
    });
    return sendCached(request, reply, picture, 'public, max-age=300');
  });
}

/** For staff: corrections of the archive. */
export function staffScreenings(app: App, { ctx }: { ctx: Context }): void {
  const config = { permission: 'screenings:write' } as const;
  /** The route options of forms on the room page. */
  const form = { config: { ...config, ...refusedOnRoomPage(ctx) }, bodyLimit: 16 * 1024 };

  app.get(
    '/api/admin/screenings',
    { config, schema: { summary: 'All screenings, open ones and shadows too' } },
    async () => ({ screenings: listScreeningRecords(ctx) }),
  );
  app.post(
    '/api/admin/screenings/:id/revert',
    { config, schema: { summary: 'Give the songs of a screening back to the music', params } },
    async (request, reply) => {
      const { id } = request.params;
      const reverted = await revertScreening(ctx, id, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true, id, reverted }, STAFF_PAGE);
    },
  );
  app.post(
    '/api/admin/screenings/:id/close',
    { config, schema: { summary: 'End a screening', params } },
    async (request, reply) => {
      const screening = await closeScreening(ctx, request.params.id, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true, screening }, STAFF_PAGE);
    },
  );
  app.post(
    '/admin/pub/films/:id/revert',
    { ...form, schema: { hide: true, params } },
    async (request, reply) => {
      const { id } = request.params;
      const before = readScreeningState(ctx.db, id);
      await revertScreening(ctx, id, actorOf(request, ctx.now));
      return redirectToRoomPage(ctx, request, reply, 'films', (actor) =>
        restoreScreening(ctx, before, actor),
      );
    },
  );
  app.post(
    '/admin/pub/films/:id/close',
    { ...form, schema: { hide: true, params } },
    async (request, reply) => {
      const { id } = request.params;
      const before = readScreeningState(ctx.db, id);
      await closeScreening(ctx, id, actorOf(request, ctx.now));
      return redirectToRoomPage(ctx, request, reply, 'films', (actor) =>
        restoreScreening(ctx, before, actor),
      );
    },
  );
  app.post(
    '/api/admin/screenings/:id',
    {
      config,
      schema: { summary: 'Rename a screening, or show it in the archive', params, body: ScreeningInput },
    },
    async (request, reply) => {
      const { id } = request.params;
      const screening = await changeScreening(ctx, id, request.body, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true, screening }, STAFF_PAGE);
    },
  );
}

function readBefore(ctx: Context, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const at = parseTimestamp(text, ctx.config.TIME_ZONE);
  if (at === undefined) throw badField('before', 'must be a timestamp');
  return at;
}
