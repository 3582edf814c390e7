import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { isToken, needsToken } from '#kernel/access/sender-tokens.ts';
import { isLocalRequest } from '#kernel/access/trust.ts';
import { countWrongKey, refuseOtherKey } from '#kernel/access/wrong-keys.ts';
import type { Context } from '#kernel/context.ts';
import { SHORTEST_KEY } from '#kernel/environment/environment.ts';
import { servesOthers } from '#kernel/house-network.ts';
import { AppError } from '#kernel/http/errors.ts';
import { bearerToken, header } from '#kernel/http/http.ts';

/**
 * Guards the capture device's routes: requires its token as a bearer token, else 401. While there is none at all, nobody
 * has access once others are served, see `isOwnSender`.
 */
export function deviceGuard(ctx: Context): onRequestAsyncHookHandler {
  return async (request, reply) => {
    if (needsToken(ctx)) {
      const given = bearerToken(request);
      if (given !== undefined && isToken(ctx, 'device', given)) return;
      refuseOtherKey(ctx, request, 'device');
      if (header(request, 'authorization')) await countWrongKey(ctx, request, 'NOW_PLAYING_INGEST_TOKEN');
    } else if (isOwnSender(ctx, request)) return;
    reply.header('www-authenticate', 'Bearer');
    throw new AppError(401, 'device_token_required');
  };
}

/**
 * Whether songs may be reported by this request without a token, while there is none: by a process on this machine that
 * calls the service by a loopback name, unless the service serves others. A header that names the client, as
 * EDGE_CLIENT_HEADER, comes from a proxy.
 */
export const isOwnSender = (ctx: Context, request: FastifyRequest): boolean =>
  !servesOthers(ctx.config) && isLocalRequest(ctx, request);

/** Warns at start if there is no token, with the consequence, and in production if that of the environment is short. */
export function logDeviceAccess(ctx: Context): void {
  const { NOW_PLAYING_INGEST_TOKEN: token, NODE_ENV } = ctx.config;
  if (token !== undefined && NODE_ENV === 'production' && token.length < SHORTEST_KEY)
    ctx.log.warn(
      `NOW_PLAYING_INGEST_TOKEN has fewer than ${SHORTEST_KEY} characters: it can be guessed. Set a longer one`,
    );
  if (needsToken(ctx)) return;
  const consequence = servesOthers(ctx.config)
    ? 'until an owner makes a token under Settings, the routes of the capture device answer 401'
    : 'any process on this machine can act as the capture device';
  ctx.log.warn(`NOW_PLAYING_INGEST_TOKEN is not set: ${consequence}`);
}

/** Returns a hook that answers 503 as plain text while SETLIST_DB is off. */
export function needsSetlist(ctx: Context): onRequestHookHandler {
  return (_request, reply, done) => {
    if (ctx.config.SETLIST_DB) {
      done();
      return;
    }
    reply
      .code(503)
      .headers({ 'retry-after': 60, 'cache-control': 'no-store' })
      .type('text/plain; charset=utf-8')
      .send('SETLIST_DB binding not configured');
  };
}
