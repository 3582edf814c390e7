import { may } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { guardedBy } from '#kernel/http/route-table.ts';
import { deviceGuard, needsSetlist } from '#pub/http/device-guard.ts';
import { type Lighting, LightingInput } from '#pub/room/lighting.ts';
import { findWish, NO_WISH, type Relay, wish } from '#pub/room/relay-commands.ts';
import { type Sound, SoundInput } from '#pub/room/sound.ts';

const bodyLimit = 16 * 1024;

/** What the device asks for every few seconds: what the lights and the sound should do. */
export function room(app: App, { ctx }: { ctx: Context }): void {
  app.addHook('onRoute', guardedBy('device'));
  app.addHook('onRequest', deviceGuard(ctx));
  app.addHook('onRequest', noStore);

  app.get('/api/dmx/desired', () => pending('lighting'));
  app.get('/api/qsys/desired', () => pending('sound'));

  function pending(relay: Relay) {
    if (!ctx.config.SETLIST_DB) return { ok: true, ...NO_WISH };
    const { desired, desiredSetAt } = findWish(ctx, relay);
    return { ok: true, desired, desiredSetAt };
  }
}

/** What admins ask of the lights and the sound, and what became of it. */
export function staffRoom(staff: App, { ctx }: { ctx: Context }): void {
  staff.get('/api/admin/dmx/desired', { config: { permission: 'any' } }, async () => ({
    ok: true,
    ...findWish<Lighting>(ctx, 'lighting'),
  }));
  staff.get('/api/admin/qsys/desired', { config: { permission: 'any' } }, async () => ({
    ok: true,
    ...findWish<Sound>(ctx, 'sound'),
  }));

  const needsDatabase = needsSetlist(ctx);
  staff.post(
    '/api/admin/dmx/desired',
    {
      config: { permission: 'lighting:write' },
      schema: { body: LightingInput },
      bodyLimit,
      preHandler: needsDatabase,
    },
    async (request) => {
      const permission = 'lighting:strobe';
      if (request.body.action === 'strobe' && !may(request, permission)) {
        const message = `This needs the permission ${permission}.`;
        throw new AppError(403, 'Forbidden', { extra: { message, permission } });
      }
      return { ok: true, ...(await wish(ctx, 'lighting', request.body, actorOf(request, ctx.now))) };
    },
  );
  staff.post(
    '/api/admin/qsys/desired',
    {
      config: { permission: 'sound:write' },
      schema: { body: SoundInput },
      bodyLimit,
      preHandler: needsDatabase,
    },
    async (request) => ({
      ok: true,
      ...(await wish(ctx, 'sound', request.body, actorOf(request, ctx.now))),
    }),
  );
}
