import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { pathOnward } from './path-onward.ts';
import type { Session } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session that opened this request, where neither a key nor the edge did. */
    session?: Session;
  }
  interface FastifyContextConfig {
    /** A dangerous act: whoever came by a session confirms first that it is them. */
    sudo?: boolean;
  }
}

/** What a request that needs a confirmation was about, or what its page carries of an earlier one. */
export function sudoTarget({ method, url, entered = {} }: FastifyRequest) {
  const { sudo_to: to, sudo_method: kept } = entered;
  if (typeof to === 'string') return { to: pathOnward(to), method: String(kept ?? 'POST'), entered };
  return { to: url, method, entered };
}

/** A preValidation hook: by then the fields of a form are known, and the page that asks keeps them. */
export function sudoGuard(ctx: Context): preValidationHookHandler {
  return (request, _reply, done) => {
    request.sent = request.entered ?? request.body;
    if (request.routeOptions.config.sudo) ensureSudo(ctx, request);
    done();
  };
}

/** @throws 403 when the last proof of a session is older than ten minutes. Keys and the edge prove themselves each time. */
export function ensureSudo(ctx: Context, { session }: FastifyRequest): void {
  if (!session || session.sudo_until > ctx.now()) return;
  throw new AppError(403, 'Confirm that it is you', { extra: { sudo: true } });
}
