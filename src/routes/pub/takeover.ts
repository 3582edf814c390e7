import { z } from 'zod';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, answerDone, noStore } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { TakeoverInput } from '#pub/display/takeover-input.ts';
import { drawTakeoverQr } from '#pub/display/takeover-qr.ts';
import {
  currentTakeover,
  endTakeover,
  listTakeovers,
  resumeTakeovers,
  startTakeover,
} from '#pub/display/takeovers.ts';
import { leavePage } from '#views/pub/staff-room/takeover.ts';
import { redirectToRoomPage, refusedOnRoomPage } from './room.ts';

/** The notice that fills the screens, for screens that have no stream. */
export function takeover(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/takeover',
    { onRequest: noStore, schema: { summary: 'The notice that fills the screens, if there is one' } },
    async () => presentTakeover(ctx),
  );

  app.get(
    '/api/takeover/:id/qr',
    { onRequest: noStore, schema: { summary: 'The QR code of a notice', params } },
    async (request, reply) => {
      const origin = getLinkOrigin(ctx, request);
      return sendCached(request, reply, await drawTakeoverQr(ctx, request.params.id, origin), 'no-store');
    },
  );
}

const params = z.object({ id: Id });

/** The notices that fill the screens, for staff. */
export function staffTakeover(app: App, { ctx }: { ctx: Context }): void {
  const api = { permission: 'screens:takeover' } as const;
  const form = {
    config: { permission: 'screens:takeover', ...refusedOnRoomPage(ctx) },
    bodyLimit: 16 * 1024,
  } as const;

  app.post(
    '/api/admin/takeover',
    { config: api, schema: { summary: 'Fill the screens with a notice', body: TakeoverInput } },
    async (request, reply) => {
      const { id } = await startTakeover(ctx, request.body, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true, id, ...presentTakeover(ctx) }, '/admin/pub');
    },
  );
  app.post(
    '/api/admin/takeover/:id/end',
    { config: api, schema: { summary: 'End a notice early', params } },
    async (request, reply) => {
      await endTakeover(ctx, request.params.id, actorOf(request, ctx.now));
      return answerDone(request, reply, { ok: true, ...presentTakeover(ctx) }, '/admin/pub');
    },
  );
  app.get(
    '/admin/pub/leave',
    {
      config: { permission: 'screens:takeover' },
      schema: { summary: 'Ask before every screen tells people to leave' },
    },
    (request, reply) => sendHtml(reply, leavePage(request.identity)),
  );
  app.post(
    '/admin/pub/takeover',
    { ...form, schema: { hide: true, body: TakeoverInput } },
    async (request, reply) => {
      const { id, replaced } = await startTakeover(ctx, request.body, actorOf(request, ctx.now));
      return redirectToRoomPage(ctx, request, reply, 'takeover', async (actor) => {
        await endTakeover(ctx, id, actor);
        await resumeTakeovers(ctx, replaced, actor);
      });
    },
  );
  app.post(
    '/admin/pub/takeover/:id/end',
    { ...form, schema: { hide: true, params } },
    async (request, reply) => {
      const { id } = request.params;
      await endTakeover(ctx, id, actorOf(request, ctx.now));
      return redirectToRoomPage(ctx, request, reply, 'takeover', (actor) =>
        resumeTakeovers(ctx, [id], actor),
      );
    },
  );
}

const presentTakeover = (ctx: Context) => ({ takeover: currentTakeover(listTakeovers(ctx), ctx.now()) });
