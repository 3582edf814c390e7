import type { FastifyRequest } from 'fastify';
import { namesThisMachine } from '#kernel/access/trust.ts';
import type { Context } from '#kernel/context.ts';
import { isSecure } from '#kernel/http/cookies.ts';

/**
 * The address by which the TV itself came, which works in a house network without BASE_URL. A phone cannot open the
 * loopback name of a TV that runs the service.
 */
export function originOf(ctx: Context, request: FastifyRequest): string {
  const { BASE_URL } = ctx.config;
  if (BASE_URL && namesThisMachine(request)) return BASE_URL;
  return `${isSecure(ctx, request) ? 'https' : 'http'}://${request.headers.host ?? ''}`;
}
