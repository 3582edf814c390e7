import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { peerOf } from './client.ts';
import { header } from './http.ts';

/** The value of a cookie that the browser sent; undefined without one. */
export function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const pair of (header(request, 'cookie') ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

/**
 * Whether the browser uses https: by BASE_URL, else by the X-Forwarded-Proto of a trusted proxy. The address from the
 * settings does not count: a change of it, or a mistake in it, must not end every session.
 */
export function isSecure(ctx: Pick<Context, 'config' | 'trustedPeer'>, request: FastifyRequest): boolean {
  const { BASE_URL, given } = ctx.config;
  if (BASE_URL && given.has('BASE_URL')) return BASE_URL.startsWith('https:');
  return ctx.trustedPeer(peerOf(request)) && header(request, 'x-forwarded-proto') === 'https';
}

/**
 * The name of one of our cookies: `__Host-` binds it to this host. Browsers accept that prefix, and Secure, only over
 * https. Lax cookies are sent when a link in a mail is opened, Strict ones are not.
 */
export function cookieName(ctx: Context, request: FastifyRequest, name: string): string {
  return isSecure(ctx, request) ? `__Host-${name}` : name;
}

/** Sets a cookie that scripts cannot read. @param maxAge in milliseconds; absent: until the browser is closed */
export function setCookie(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, maxAge }: { name: string; value: string; maxAge?: number | undefined },
): void {
  const secure = isSecure(ctx, request) ? '; Secure' : '';
  const age = maxAge === undefined ? '' : `; Max-Age=${Math.round(maxAge / SECOND)}`;
  reply.header(
    'set-cookie',
    `${cookieName(ctx, request, name)}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${secure}`,
  );
}
