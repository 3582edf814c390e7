import type { FastifyRequest } from 'fastify';
import { may } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { act } from '#kernel/http/act.ts';
import { forbidden } from '#kernel/http/errors.ts';
import { nestForm } from '#kernel/http/form.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { guardedBy } from '#kernel/http/route-table.ts';
import {
  findCommand,
  findLastCommand,
  NO_COMMAND,
  type Relay,
  type RelayCommand,
  setCommand,
  undoCommand,
} from '#pub/devices/relay-commands.ts';
import { type Lighting, LightingInput, type Sound, SoundInput } from '#pub/devices/relay-inputs.ts';
import { deviceGuard, needsSetlist } from './device-guard.ts';
import { onRoomPage, toRoomPage } from './staff-room.ts';

const STROBE = 'lighting:strobe';

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

  staff.get('/api/admin/dmx/desired', { config: { permission: 'any' } }, async () => ({
    ok: true,
    ...findCommand<Lighting>(ctx, 'lighting'),
  }));
  staff.get('/api/admin/qsys/desired', { config: { permission: 'any' } }, async () => ({
    ok: true,
    ...findCommand<Sound>(ctx, 'sound'),
  }));

  act(staff, ctx, {
    ...onRoomPage(ctx, 'lights'),
    api: 'POST /api/admin/dmx/desired',
    form: 'POST /admin/pub/lights',
    permission: 'lighting:write',
    preHandler: needsDatabase,
    body: LightingInput,
    fromForm: (fields) => withNumbers(nestForm(fields)),
    run: async ({ body, actor, request }) => {
      ensureStrobeAllowed(request, body);
      const last = findLastCommand<Lighting>(ctx, 'lighting');
      const command = await setCommand(ctx, 'lighting', body, actor);
      // Nobody wants the flashes again.
      const before = last?.action === 'strobe' ? null : last;
      return { command, undo: undoOf('lighting', before, command) };
    },
    json: ({ command }) => ({ ok: true, ...command }),
    next: toRoomPage(ctx, 'lights'),
  });

  act(staff, ctx, {
    ...onRoomPage(ctx, 'sound'),
    api: 'POST /api/admin/qsys/desired',
    form: 'POST /admin/pub/sound',
    permission: 'sound:write',
    preHandler: needsDatabase,
    body: SoundInput,
    run: async ({ body, actor }) => {
      const before = findLastCommand<Sound>(ctx, 'sound');
      const command = await setCommand(ctx, 'sound', body, actor);
      return { command, undo: undoOf('sound', before, command) };
    },
    json: ({ command }) => ({ ok: true, ...command }),
    next: toRoomPage(ctx, 'sound'),
  });

  function undoOf<Desired extends object>(
    relay: Relay,
    before: Desired | null,
    { desiredSetAt: setAt }: RelayCommand<Desired>,
  ) {
    return (actor: Actor) => undoCommand(ctx, relay, { before, setAt }, actor);
  }
}

/** @throws 403 */
function ensureStrobeAllowed(request: FastifyRequest, { action }: Lighting): void {
  if (action !== 'strobe' || may(request, STROBE)) return;
  throw forbidden('strobe_needs_permission', { permission: STROBE }, { extra: { permission: STROBE } });
}

/** The form's parameters are flat fields, and numbers arrive as texts. */
function withNumbers({ params, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (typeof params !== 'object' || params === null) return rest;
  const read = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' && /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : value,
  ]);
  return { ...rest, params: Object.fromEntries(read) };
}
