import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, sendFile } from '#kernel/http/http.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
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
import { ClicksQuery, listShareClicks } from '#pub/setlist/share-clicks.ts';
import { redirectToRoomPage, refusedOnRoomPage } from './room.ts';

const params = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) });

/** The setlist for staff: moderation, licence reports, how often it is shared. */
export function setlistModeration(app: App, { ctx }: { ctx: Context }): void {
  const config = { permission: 'requests:moderate' } as const;
  /** The route options of forms on the room page. */
  const form = { config: { ...config, ...refusedOnRoomPage(ctx) }, bodyLimit: 16 * 1024 };

  app.get(
    '/api/admin/plays',
    { config, schema: { summary: 'The setlist with hidden plays', querystring: PlaysQuery } },
    async (request) => listPlaysForStaff(ctx, request.query),
  );
  app.post(
    '/api/admin/plays/:id',
    { config, schema: { summary: 'Hide, show or correct a play', params, body: PlayChange } },
    async (request) => {
      const play = await changePlay(ctx, request.params.id, request.body, actorOf(request, ctx.now));
      return { ok: true, play };
    },
  );
  app.post(
    '/admin/pub/plays/:id',
    { ...form, schema: { hide: true, params, body: PlayChange } },
    async (request, reply) => {
      const { id } = request.params;
      const before = getPlay(ctx.db, id);
      await changePlay(ctx, id, request.body, actorOf(request, ctx.now));
      return redirectToRoomPage(ctx, request, reply, 'setlist', (actor) => restorePlay(ctx, before, actor));
    },
  );

  app.get(
    '/api/admin/hidden-names',
    { config, schema: { summary: 'Artists and songs that are not shown' } },
    async () => ({ names: listHiddenNames(ctx.db) }),
  );
  app.post(
    '/api/admin/hidden-names',
    { config, schema: { summary: 'Hide a song or an artist for good', body: HideInput } },
    async (request) => ({
      ok: true,
      name: await hideName(ctx, request.body, actorOf(request, ctx.now)),
    }),
  );
  app.delete(
    '/api/admin/hidden-names/:id',
    { config, schema: { summary: 'Show a name again from now on', params } },
    async (request) => {
      await showName(ctx, request.params.id, actorOf(request, ctx.now));
      return { ok: true };
    },
  );
  app.post(
    '/admin/pub/names',
    { ...form, schema: { hide: true, body: HideInput } },
    async (request, reply) => {
      await hideName(ctx, request.body, actorOf(request, ctx.now));
      return redirectToRoomPage(ctx, request, reply, 'setlist');
    },
  );
  app.post(
    '/admin/pub/names/:id/show',
    { ...form, schema: { hide: true, params } },
    async (request, reply) => {
      await showName(ctx, request.params.id, actorOf(request, ctx.now));
      return redirectToRoomPage(ctx, request, reply, 'setlist');
    },
  );

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
