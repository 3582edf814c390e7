import { z } from 'zod';
import { shareSiteOf } from '#content/pictures/logo.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { act } from '#kernel/http/act.ts';
import { cachedJson, sendCached, sharedAnswer } from '#kernel/http/cached-response.ts';
import { badField } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
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
import { findTotals, listScreeningRecords, listScreenings } from '#pub/screen/screenings.ts';
import { screenPage } from '#views/pub/screen.ts';
import { screenPoster } from '#views/pub/screen-poster.ts';
import { whenOn } from './feature-flags.ts';
import { onRoomPage, toRoomPage } from './staff-room.ts';

const params = z.object({ id: Id });
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
  const gate = whenOn(ctx, 'films', {
    json: { items: [] },
    code: 'screenings_off',
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
  app.addHook('onRequest', whenOn(ctx, 'films', { code: 'screenings_off' }));

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
  app.get(
    '/api/admin/screenings',
    {
      config: { permission: 'screenings:write' },
      schema: { summary: 'All screenings, open ones and shadows too' },
    },
    async () => ({ screenings: listScreeningRecords(ctx) }),
  );
  act(app, ctx, {
    ...onRoomPage(ctx, 'films'),
    api: 'POST /api/admin/screenings/:id/revert',
    form: 'POST /admin/pub/films/:id/revert',
    summary: 'Give the songs of a screening back to the music',
    permission: 'screenings:write',
    params,
    run: async ({ params: { id }, actor }) => {
      const before = readScreeningState(ctx.db, id);
      const reverted = await revertScreening(ctx, id, actor);
      return { id, reverted, undo: (actor: Actor) => restoreScreening(ctx, before, actor) };
    },
    json: ({ id, reverted }) => ({ ok: true, id, reverted }),
    next: toRoomPage(ctx, 'films'),
  });

  act(app, ctx, {
    ...onRoomPage(ctx, 'films'),
    api: 'POST /api/admin/screenings/:id/close',
    form: 'POST /admin/pub/films/:id/close',
    summary: 'End a screening',
    permission: 'screenings:write',
    params,
    run: async ({ params: { id }, actor }) => {
      const before = readScreeningState(ctx.db, id);
      const screening = await closeScreening(ctx, id, actor);
      return { screening, undo: (actor: Actor) => restoreScreening(ctx, before, actor) };
    },
    json: ({ screening }) => ({ ok: true, screening }),
    next: toRoomPage(ctx, 'films'),
  });

  act(app, ctx, {
    api: 'POST /api/admin/screenings/:id',
    summary: 'Rename a screening, or show it in the archive',
    permission: 'screenings:write',
    params,
    body: ScreeningInput,
    run: async ({ params: { id }, body, actor }) => ({
      screening: await changeScreening(ctx, id, body, actor),
    }),
    json: ({ screening }) => ({ ok: true, screening }),
    next: toRoomPage(ctx, 'films'),
  });
}

function readBefore(ctx: Context, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const at = parseTimestamp(text, ctx.config.TIME_ZONE);
  if (at === undefined) throw badField('before', 'not_screening_cursor');
  return at;
}
