import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { isLocalRequest } from './trust.ts';

/**
 * What absolute links begin with: BASE_URL, or the address that an owner confirmed. Without either only a request from
 * this machine has one, its own loopback name. Host never decides: a client may send any, and a mail would carry it.
 */
export function linkOrigin(ctx: Pick<Context, 'config'>, request: FastifyRequest): string | undefined {
  if (ctx.config.BASE_URL !== undefined) return ctx.config.BASE_URL;
  return isLocalRequest(ctx, request) ? `${request.protocol}://${request.headers.host}` : undefined;
}

/** @throws 500 while the address of the service is not known */
export function getLinkOrigin(ctx: Pick<Context, 'config'>, request: FastifyRequest): string {
  const origin = linkOrigin(ctx, request);
  if (origin === undefined) throw new AppError(500, 'own_address_unknown');
  return origin;
}
