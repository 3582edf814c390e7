import { z } from 'zod';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { act } from '#kernel/http/act.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { type App, noStore } from '#kernel/http/http.ts';
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
import { onRoomPage, toRoomPage } from './staff-room.ts';

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
  act(app, ctx, {
    ...onRoomPage(ctx, 'takeover'),
    api: 'POST /api/admin/takeover',
    form: 'POST /admin/pub/takeover',
    summary: 'Fill the screens with a notice',
    permission: 'screens:takeover',
    body: TakeoverInput,
    run: async ({ body, actor }) => {
      const { id, replaced } = await startTakeover(ctx, body, actor);
      const undo = async (actor: Actor) => {
        await endTakeover(ctx, id, actor);
        await resumeTakeovers(ctx, replaced, actor);
      };
      return { id, undo };
    },
    json: ({ id }) => ({ ok: true, id, ...presentTakeover(ctx) }),
    next: toRoomPage(ctx, 'takeover'),
  });

  act(app, ctx, {
    ...onRoomPage(ctx, 'takeover'),
    api: 'POST /api/admin/takeover/:id/end',
    form: 'POST /admin/pub/takeover/:id/end',
    summary: 'End a notice early',
    permission: 'screens:takeover',
    params,
    run: async ({ params: { id }, actor }) => {
      await endTakeover(ctx, id, actor);
      return { undo: (actor: Actor) => resumeTakeovers(ctx, [id], actor) };
    },
    json: () => ({ ok: true, ...presentTakeover(ctx) }),
    next: toRoomPage(ctx, 'takeover'),
  });

  app.get(
    '/admin/pub/leave',
    {
      config: { permission: 'screens:takeover' },
      schema: { summary: 'Ask before every screen tells people to leave' },
    },
    (request, reply) => sendHtml(reply, leavePage(request.identity)),
  );
}

const presentTakeover = (ctx: Context) => ({ takeover: currentTakeover(listTakeovers(ctx), ctx.now()) });
