import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { peerOf } from '#kernel/http/client.ts';
import { AppError, forbidden } from '#kernel/http/errors.ts';
import { bearerToken, header } from '#kernel/http/http.ts';
import { sameSecret } from '#kernel/secrets.ts';
import { passesLocally } from './trust.ts';
import { countWrongKey } from './wrong-keys.ts';

/**
 * The officers' guard, as specified and in that order: access edge, API key, local bypass. Edge headers count only
 * from the peers of `edgePeers`; once a key set is configured their token must verify and an e-mail header is not enough.
 */
export function adminGuard(ctx: Context): onRequestAsyncHookHandler {
  return async (request) => {
    // While no keys can be had no token can be judged; the other ways in do not depend on them.
    const byEdge = await passesEdge(ctx, request).catch((error: unknown) => ({ error }));
    if (byEdge === true) return;
    if (passesApiKey(ctx, request)) return;
    if (passesLocally(ctx.config, request)) return;
    if (ctx.config.ADMIN_API_KEY && header(request, 'authorization'))
      await countWrongKey(ctx, request, 'ADMIN_API_KEY');
    if (byEdge) throw byEdge.error;
    throw new AppError(401, 'Authentication required', {
      extra: {
        message:
          'Sign in through the access edge, or send a valid ADMIN_API_KEY in the Authorization header.',
      },
    });
  };
}

/** Whether the officers' guard lets this request in, for pages that offer only what one may open. */
export async function isOfficer(ctx: Context, request: FastifyRequest): Promise<boolean> {
  const byEdge = await passesEdge(ctx, request).catch(() => false);
  return byEdge || passesApiKey(ctx, request) || passesLocally(ctx.config, request);
}

/**
 * Refuses state-changing requests that another site made a browser send: the edge's cookie would carry them.
 * Requests without Sec-Fetch-Site and Origin (scripts, devices) pass.
 */
export function crossSiteGuard(ctx: Context): onRequestHookHandler {
  const ownOrigin = ctx.config.BASE_URL && new URL(ctx.config.BASE_URL).origin;
  return (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method) || isOwn(request, ownOrigin)) done();
    else done(forbidden('Cross-site request refused'));
  };
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

function isOwn(request: FastifyRequest, ownOrigin: string | undefined): boolean {
  const site = header(request, 'sec-fetch-site');
  const origin = header(request, 'origin');
  if (site === 'cross-site' || site === 'same-site') return false;
  // A page with Referrer-Policy no-referrer posts with `Origin: null`; then the browser's own word decides.
  if (origin === undefined || (origin === 'null' && site !== undefined)) return true;
  return origin === ownOrigin || hostOf(origin) === request.headers.host;
}

/**
 * Refuses a WebSocket that a page of another site opens: browsers ask nobody before they connect one.
 * Devices send no Origin and pass. @throws 403
 */
export function ensureOwnOrigin(ctx: Context, request: FastifyRequest): void {
  const origin = header(request, 'origin');
  const { BASE_URL } = ctx.config;
  if (origin === undefined || hostOf(origin) === request.headers.host) return;
  if (!BASE_URL || origin !== new URL(BASE_URL).origin) throw forbidden('Cross-site request refused');
}

async function passesEdge(ctx: Context, request: FastifyRequest): Promise<boolean> {
  if (!ctx.trustedEdge(peerOf(request))) return false;
  const token = header(request, 'edge-access-jwt-assertion');
  if (ctx.verifyEdge) return token !== undefined && (await ctx.verifyEdge(token)) !== undefined;
  return token !== undefined || header(request, 'edge-access-authenticated-user-email') !== undefined;
}

function passesApiKey(ctx: Context, request: FastifyRequest): boolean {
  const key = ctx.config.ADMIN_API_KEY;
  const given = bearerToken(request) ?? header(request, 'authorization');
  if (!key || !given || !sameSecret(given, key)) return false;
  request.apiKey = key;
  return true;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
