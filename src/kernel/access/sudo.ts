import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { forbidden } from '#kernel/http/errors.ts';
import { pathOnward } from './path-onward.ts';
import type { Session } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session that authenticated this request, if neither a key nor the edge did. */
    session?: Session;
  }
  interface FastifyContextConfig {
    /** A dangerous act: a user with a session needs a fresh proof first. */
    sudo?: boolean;
  }
}

/** The target of a request that needs sudo, or the earlier target that the fields of the sudo page contain. */
export function sudoTarget({ method, url, once, entered: sent = {} }: FastifyRequest) {
  const entered: Record<string, unknown> = { ...sent, ...(once && { once }) };
  const { sudo_to: to, sudo_method: kept } = entered;
  if (typeof to === 'string') return { to: pathOnward(to), method: String(kept ?? 'POST'), entered };
  return { to: url, method, entered };
}

/** A preValidation hook that demands sudo: the fields of a form are known by then, and the sudo page keeps them. */
export function sudoGuard(ctx: Context): preValidationHookHandler {
  return (request, _reply, done) => {
    request.sent = request.entered ?? request.body;
    if (request.routeOptions.config.sudo) ensureSudo(ctx, request);
    done();
  };
}

/** @throws 403 when the last proof of a session is older than ten minutes. Keys and the edge are checked each time. */
export function ensureSudo(ctx: Context, { session }: FastifyRequest): void {
  if (!session || session.sudo_until > ctx.now()) return;
  throw forbidden('identity_unconfirmed', {}, { extra: { sudo: true } });
}
