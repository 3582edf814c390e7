import type { FastifyRequest } from 'fastify';
import { changeSettings } from '#content/settings/settings.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { SettingsInput } from '#kernel/settings/settings.ts';
import { graveActs } from '#routes/people/grave-acts.ts';

/**
 * Changes settings for a request. Another address of the service needs a fresh proof, and a second person where the
 * club requires one: links that sign people in are mailed with it.
 */
export async function changeSettingsFor(
  ctx: Context,
  request: FastifyRequest,
  given: SettingsInput,
): Promise<void> {
  const { base_url: moved } = given;
  const isMoved = moved !== undefined && moved !== (ctx.config.BASE_URL ?? null);
  if (isMoved) ensureSudo(ctx, request);
  const act =
    moved === null ? 'Remove the address of the service' : `Change the address of the service to ${moved}`;
  const tell = isMoved ? await graveActs(ctx).ask(request, { act, permission: 'settings:write' }) : undefined;
  await changeSettings(ctx, given, actorOf(request, ctx.now));
  tell?.();
}
