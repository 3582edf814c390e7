import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { may } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import { nestForm } from '#kernel/http/form.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { guardedBy } from '#kernel/http/route-table.ts';
import {
  findCommand,
  findLastCommand,
  NO_COMMAND,
  type Relay,
  setCommand,
  undoCommand,
} from '#pub/devices/relay-commands.ts';
import { type Lighting, LightingInput, type Sound, SoundInput } from '#pub/devices/relay-inputs.ts';
import { deviceGuard, needsSetlist } from './device-guard.ts';
import { redirectToRoomPage, refusedOnRoomPage } from './room.ts';

const bodyLimit = 16 * 1024;
const STROBE = 'lighting:strobe';

/** The form of the lights: its parameters are flat fields, and numbers arrive as texts. */
const LightingForm = z.preprocess(
  (fields) => withNumbers(nestForm(fields as Record<string, unknown>)),
  LightingInput,
);

/** The commands for lights and sound, which the device requests every few seconds. */
export function relays(app: App, { ctx }: { ctx: Context }): void {
  app.addHook('onRoute', guardedBy('device'));
  app.addHook('onRequest', deviceGuard(ctx));
  app.addHook('onRequest', noStore);

  app.get('/api/dmx/desired', () => pending('lighting'));
  app.get('/api/qsys/desired', () => pending('sound'));

  function pending(relay: Relay) {
    if (!ctx.config.SETLIST_DB) return { ok: true, ...NO_COMMAND };
    const { desired, desiredSetAt } = findCommand(ctx, relay);
    return { ok: true, desired, desiredSetAt };
  }
}

/** For staff: commands for lights and sound, and their results. */
export function staffRelays(staff: App, { ctx }: { ctx: Context }): void {
  const needsDatabase = needsSetlist(ctx);
  const refused = refusedOnRoomPage(ctx);

  staff.get('/api/admin/dmx/desired', { config: { permission: 'any' } }, async () => ({
    ok: true,
    ...findCommand<Lighting>(ctx, 'lighting'),
  }));
  staff.get('/api/admin/qsys/desired', { config: { permission: 'any' } }, async () => ({
    ok: true,
    ...findCommand<Sound>(ctx, 'sound'),
  }));

  staff.post(
    '/api/admin/dmx/desired',
    {
      config: { permission: 'lighting:write' },
      schema: { body: LightingInput },
      bodyLimit,
      preHandler: needsDatabase,
    },
    async (request) => {
      const message = `This needs the permission ${STROBE}.`;
      ensureStrobeAllowed(request, request.body, { message, permission: STROBE });
      return { ok: true, ...(await setCommand(ctx, 'lighting', request.body, actorOf(request, ctx.now))) };
    },
  );
  staff.post(
    '/admin/pub/lights',
    {
      config: { permission: 'lighting:write', ...refused },
      schema: { hide: true, body: LightingForm },
      bodyLimit,
      preValidation: needsDatabase,
    },
    async (request, reply) => {
      ensureStrobeAllowed(request, request.body, { message: `The strobe needs the permission ${STROBE}.` });
      const last = findLastCommand<Lighting>(ctx, 'lighting');
      const { desiredSetAt: setAt } = await setCommand(
        ctx,
        'lighting',
        request.body,
        actorOf(request, ctx.now),
      );
      // Nobody wants the flashes again.
      const before = last?.action === 'strobe' ? null : last;
      return redirectToRoomPage(ctx, request, reply, 'lights', (actor) =>
        undoCommand(ctx, 'lighting', { before, setAt }, actor),
      );
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
      ...(await setCommand(ctx, 'sound', request.body, actorOf(request, ctx.now))),
    }),
  );
  staff.post(
    '/admin/pub/sound',
    {
      config: { permission: 'sound:write', ...refused },
      schema: { hide: true, body: SoundInput },
      bodyLimit,
      preValidation: needsDatabase,
    },
    async (request, reply) => {
      const before = findLastCommand<Sound>(ctx, 'sound');
      const { desiredSetAt: setAt } = await setCommand(ctx, 'sound', request.body, actorOf(request, ctx.now));
      return redirectToRoomPage(ctx, request, reply, 'sound', (actor) =>
        undoCommand(ctx, 'sound', { before, setAt }, actor),
      );
    },
  );
}

/** @param extra further keys of the answer. @throws 403 */
function ensureStrobeAllowed(
  request: FastifyRequest,
  { action }: Lighting,
  extra: Record<string, unknown>,
): void {
  if (action === 'strobe' && !may(request, STROBE)) throw new AppError(403, 'Forbidden', { extra });
}

function withNumbers({ params, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (typeof params !== 'object' || params === null) return rest;
  const read = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' && /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : value,
  ]);
  return { ...rest, params: Object.fromEntries(read) };
}
