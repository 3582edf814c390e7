import websocket from '@fastify/websocket';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { ensureConnectionSlot, socketOptions } from '#kernel/live/sockets.ts';
import { ControlsInput, changeControls, findControls } from '#pub/now-playing/controls.ts';
import { ControlsSockets } from '#pub/now-playing/controls-sockets.ts';
import { LyricsInput, setLyrics } from '#pub/now-playing/lyrics.ts';
import { redirectToRoomPage, refusedOnRoomPage } from './room.ts';

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
      if (!ctx.config.CONTROLS_HUB) throw new AppError(503, 'Controls are not available');
      ensureConnectionSlot(ctx, request, reply);
    },
    handler: (_request, reply) => {
      reply.headers({ upgrade: 'websocket', connection: 'Upgrade' });
      throw new AppError(426, 'Upgrade required', {
        extra: { message: 'Open this address as a WebSocket.' },
      });
    },
    wsHandler: (socket, request) => sockets.open(socket, request.client),
  });
}

/** For staff: the display switches, and lyrics entered by hand. */
export function staffControls(staff: App, { ctx }: { ctx: Context }): void {
  staff.get('/api/admin/now-playing/controls', { config: { permission: 'any' } }, () => findControls(ctx.db));

  staff.post(
    '/api/admin/now-playing/controls',
    { config: { permission: 'controls:write' }, schema: { body: ControlsInput } },
    (request) => changeControls(ctx, request.body, actorOf(request, ctx.now)),
  );

  staff.post(
    '/admin/pub/displays',
    {
      config: { permission: 'controls:write', ...refusedOnRoomPage(ctx) },
      schema: { hide: true, body: ControlsInput },
      bodyLimit: 16 * 1024,
    },
    async (request, reply) => {
      const before = findControls(ctx.db);
      await changeControls(ctx, request.body, actorOf(request, ctx.now));
      return redirectToRoomPage(ctx, request, reply, 'displays', (actor) =>
        changeControls(ctx, before, actor),
      );
    },
  );

  staff.put(
    '/api/admin/now-playing/lyrics',
    { config: { permission: 'controls:write' }, schema: { body: LyricsInput }, bodyLimit: 96 * 1024 },
    async (request) => ({
      ok: true,
      lines: await setLyrics(ctx, request.body, actorOf(request, ctx.now)),
    }),
  );
}
