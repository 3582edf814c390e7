import websocket from '@fastify/websocket';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { act } from '#kernel/http/act.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, roomFor } from '#kernel/http/http.ts';
import { ensureConnectionSlot, socketOptions } from '#kernel/live/sockets.ts';
import { ControlsInput, changeControls, findControls } from '#pub/now-playing/controls.ts';
import { ControlsSockets } from '#pub/now-playing/controls-sockets.ts';
import { LyricsInput, setLyrics } from '#pub/now-playing/lyrics.ts';
import { onRoomPage, toRoomPage } from './staff-room.ts';

/** The only address that accepts WebSockets. */
export const CONTROLS_SOCKET = '/api/now-playing/controls';

/** The socket that sends the display switches: public and read-only, so it is open to pages of any origin. */
export async function controls(app: App, { ctx }: { ctx: Context }): Promise<void> {
  await app.register(websocket, socketOptions);
  const sockets = new ControlsSockets(ctx);
  app.addHook('preClose', async () => sockets.close());

  app.route({
    method: 'GET',
    url: CONTROLS_SOCKET,
    config: { admission: 'uncounted' },
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      if (!request.ws) return;
      if (!ctx.config.CONTROLS_HUB) throw new AppError(503, 'controls_off');
      ensureConnectionSlot(ctx, request, reply);
    },
    handler: (_request, reply) => {
      reply.headers({ upgrade: 'websocket', connection: 'Upgrade' });
      throw new AppError(426, 'upgrade_required');
    },
    wsHandler: (socket, request) => sockets.open(socket, request.client),
  });
}

/** For staff: the display switches, and lyrics entered by hand. */
export function staffControls(staff: App, { ctx }: { ctx: Context }): void {
  staff.get('/api/admin/now-playing/controls', { config: { permission: 'any' } }, () => findControls(ctx.db));

  act(staff, ctx, {
    ...onRoomPage(ctx, 'displays'),
    api: 'POST /api/admin/now-playing/controls',
    form: 'POST /admin/pub/displays',
    permission: 'controls:write',
    body: ControlsInput,
    run: async ({ body, actor }) => {
      const before = findControls(ctx.db);
      const controls = await changeControls(ctx, body, actor);
      return { controls, undo: (actor: Actor) => changeControls(ctx, before, actor) };
    },
    json: ({ controls }) => controls,
    next: toRoomPage(ctx, 'displays'),
  });

  act(staff, ctx, {
    api: 'PUT /api/admin/now-playing/lyrics',
    permission: 'controls:write',
    body: LyricsInput,
    bodyLimit: roomFor(64 * 1024),
    run: ({ body, actor }) => setLyrics(ctx, body, actor),
    json: (lines) => ({ ok: true, lines }),
  });
}
