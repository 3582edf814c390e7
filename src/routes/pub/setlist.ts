import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { shareSiteOf } from '#content/pictures/logo.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { act } from '#kernel/http/act.ts';
import { sendCached, sharedAnswer } from '#kernel/http/cached-response.ts';
import { AppError, badRequest, notFound } from '#kernel/http/errors.ts';
import { type App, sendFile } from '#kernel/http/http.ts';
import { sendHtml, sendPreparedPage, sendSharedPage, sharedPage } from '#kernel/http/pages.ts';
import { rateLimit, rateLimitOfAll } from '#kernel/http/rate-limit.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { HideInput, hideName, listHiddenNames, showName } from '#pub/requests/hidden-names.ts';
import { ExportQuery, exportSetlist } from '#pub/setlist/export.ts';
import {
  changePlay,
  getPlay,
  listPlaysForStaff,
  PlayChange,
  PlaysQuery,
  restorePlay,
} from '#pub/setlist/moderation.ts';
import { findRollup, firstRollups, RETRY_AFTER, readRollup } from '#pub/setlist/rollups/store.ts';
import type { Surface } from '#pub/setlist/rollups/surface.ts';
import { findSurface, isEnabled, SURFACES } from '#pub/setlist/rollups/surfaces.ts';
import { ClicksQuery, countShareClick, listShareClicks, ShareClick } from '#pub/setlist/share-clicks.ts';
import { computingPage, setlistPage, surfacePage, surfacePicture } from '#views/pub/setlist/page.ts';
import { sendDisabled } from './feature-flags.ts';
import { onRoomPage, toRoomPage } from './staff-room.ts';

const CLICKS_A_MINUTE = 30;
const CLICKS_OF_ALL = 600;
const MOST_BYTES = 1024;
const SWITCHED_OFF = { code: 'setlist_page_off' } as const;

const params = z.object({ surface: z.string() });
const playId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) });
const querystring = z.object({ range: z.string(coded('not_one_text')).max(20).optional() });

/** The surfaces of the setlist as JSON and as pages, and the preview pictures for links to them. */
export function setlist(app: App, { ctx }: { ctx: Context }): void {
  const zone = () => ctx.config.TIME_ZONE;
  const enabled = SURFACES.filter((surface) => isEnabled(ctx.config, surface)).map(({ name }) => name);

  app.get(
    '/api/setlist/:surface',
    { schema: { summary: 'A surface of the setlist', params, querystring } },
    async (request, reply) => {
      const surface = getSurface(request.params.surface);
      if (!isEnabled(ctx.config, surface)) return sendDisabled(request, reply, SWITCHED_OFF);
      const rollup = findRollup(ctx, surface.name, request.query.range);
      if (!rollup) throw computing(reply);
      return sendCached(request, reply, rollup.answer, 'public, max-age=30');
    },
  );

  for (const address of ['/setlist', '/setlist/']) {
    app.get(
      address,
      { config: { part: 'music' }, schema: { summary: 'The setlist, with a link to each surface' } },
      async (request, reply) =>
        sendSharedPage(ctx, request, reply, ['/setlist'], async () =>
          setlistPage({ enabled, rollups: firstRollups(ctx) }),
        ),
    );
  }

  app.get(
    '/setlist/:surface',
    { config: { part: 'music' }, schema: { summary: 'A surface of the setlist', params, querystring } },
    async (request, reply) => {
      const surface = getSurface(request.params.surface);
      if (!isEnabled(ctx.config, surface)) return sendDisabled(request, reply, SWITCHED_OFF);
      const { name } = surface;
      const { range: wanted } = request.query;
      const page = await sharedPage(ctx, request, ['/setlist', name, wanted], async () => {
        const found = findRollup(ctx, name, wanted);
        if (!found) return undefined;
        const { answer, range, ranges } = found;
        const rollup = readRollup(answer.body);
        const origin = ctx.config.BASE_URL ?? '';
        return surfacePage({ enabled, rollup, range, ranges, etag: answer.etag, origin, zone: zone() });
      });
      return page ? sendPreparedPage(request, reply, page) : sendComputing(reply, name, enabled);
    },
  );

  app.get(
    '/og/setlist/:file',
    {
      config: { json: true },
      schema: {
        summary: 'The picture of a surface',
        params: z.object({ file: z.string() }),
        querystring,
      },
    },
    async (request, reply) => {
      const [, wanted = ''] = /^([a-z-]+)\.png$/.exec(request.params.file) ?? [];
      const surface = getSurface(wanted);
      if (!isEnabled(ctx.config, surface)) return sendDisabled(request, reply, SWITCHED_OFF);
      const { range } = request.query;
      const picture = await sharedAnswer(ctx, ['/og/setlist', surface.name, range], async () => {
        const found = findRollup(ctx, surface.name, range);
        return (
          found && ctx.shareImages.draw(surfacePicture(readRollup(found.answer.body), await shareSiteOf(ctx)))
        );
      });
      if (!picture) throw computing(reply);
      return sendCached(request, reply, picture, 'public, max-age=300');
    },
  );
}

/** Counts shares. A browser that leaves a page can only send text, so only this route accepts JSON as text/plain. */
export function shareClicks(app: App, { ctx }: { ctx: Context }): void {
  app.addContentTypeParser(
    'text/plain',
    { parseAs: 'string', bodyLimit: MOST_BYTES },
    (_request, body, done) => {
      try {
        done(null, JSON.parse(String(body)));
      } catch {
        done(badRequest('body_not_json'));
      }
    },
  );

  app.post(
    '/api/setlist/share-click',
    {
      bodyLimit: MOST_BYTES,
      onRequest: [
        rateLimit(ctx.limiter, ctx.now, 'share clicks', CLICKS_A_MINUTE),
        rateLimitOfAll(ctx.limiter, ctx.now, 'share clicks of all', CLICKS_OF_ALL),
      ],
      schema: { summary: 'Count that a surface was shared', body: ShareClick },
    },
    async (request) => {
      await countShareClick(ctx, request.body);
      return { ok: true };
    },
  );
}

/** The setlist for staff: moderation, licence reports, how often it is shared. */
export function setlistModeration(app: App, { ctx }: { ctx: Context }): void {
  const config = { permission: 'requests:moderate' } as const;
  const moderate = { ...config, ...onRoomPage(ctx, 'setlist') };

  app.get(
    '/api/admin/plays',
    { config, schema: { summary: 'The setlist with hidden plays', querystring: PlaysQuery } },
    async (request) => listPlaysForStaff(ctx, request.query),
  );
  act(app, ctx, {
    ...moderate,
    api: 'POST /api/admin/plays/:id',
    form: 'POST /admin/pub/plays/:id',
    summary: 'Hide, show or correct a play',
    params: playId,
    body: PlayChange,
    run: async ({ params: { id }, body, actor }) => {
      const before = getPlay(ctx.db, id);
      const play = await changePlay(ctx, id, body, actor);
      return { play, undo: (actor: Actor) => restorePlay(ctx, before, actor) };
    },
    json: ({ play }) => ({ ok: true, play }),
    next: toRoomPage(ctx, 'setlist'),
  });

  app.get(
    '/api/admin/hidden-names',
    { config, schema: { summary: 'Artists and songs that are not shown' } },
    async () => ({ names: listHiddenNames(ctx.db) }),
  );

  act(app, ctx, {
    ...moderate,
    api: 'POST /api/admin/hidden-names',
    form: 'POST /admin/pub/names',
    summary: 'Hide a song or an artist permanently',
    body: HideInput,
    run: async ({ body, actor }) => ({ name: await hideName(ctx, body, actor) }),
    json: ({ name }) => ({ ok: true, name }),
    next: toRoomPage(ctx, 'setlist'),
  });

  act(app, ctx, {
    ...moderate,
    api: 'DELETE /api/admin/hidden-names/:id',
    form: 'POST /admin/pub/names/:id/show',
    summary: 'Show a name again from now on',
    params: playId,
    run: async ({ params: { id }, actor }) => {
      await showName(ctx, id, actor);
      return {};
    },
    next: toRoomPage(ctx, 'setlist'),
  });

  app.get(
    '/api/admin/setlist.csv',
    {
      config,
      exposeHeadRoute: false,
      schema: { summary: 'Every play, for licence reports', querystring: ExportQuery },
    },
    async (request, reply) => {
      const { name, lines } = exportSetlist(ctx, request.query);
      return sendFile(reply, name, 'text/csv; charset=utf-8', lines);
    },
  );

  app.get(
    '/api/admin/share-clicks',
    { config, schema: { summary: 'How often the setlist was shared', querystring: ClicksQuery } },
    async (request) => ({ clicks: listShareClicks(ctx, request.query) }),
  );
}

/** @throws 404 */
function getSurface(name: string): Surface {
  const surface = findSurface(name);
  if (!surface) throw notFound('not_found');
  return surface;
}

/** The 503 error of a surface that was not computed yet. */
function computing(reply: FastifyReply): AppError {
  reply.header('retry-after', RETRY_AFTER).header('cache-control', 'no-store');
  return new AppError(503, 'computing');
}

function sendComputing(reply: FastifyReply, name: string, enabled: readonly string[]): FastifyReply {
  reply.header('retry-after', RETRY_AFTER).header('cache-control', 'no-store');
  return sendHtml(reply, computingPage(name, enabled), 503);
}
