import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { cookieName, readCookie, setCookie } from '#kernel/http/cookies.ts';
import { CODE_LIVES } from './sign-in.ts';

/** The cookie that identifies the browser that asks for a code; it is never a session. */
const ASK_COOKIE = 'publichouse-ask';

/** The ask cookie of this browser; undefined if there is none. */
export function askingBrowser(ctx: Context, request: FastifyRequest): string | undefined {
  const value = readCookie(request, cookieName(ctx, request, ASK_COOKIE));
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** Returns the ask cookie; creates it if there is none. */
export function ensureAskingBrowser(ctx: Context, request: FastifyRequest, reply: FastifyReply): string {
  const value = askingBrowser(ctx, request) ?? randomBytes(32).toString('base64url');
  setCookie(ctx, request, reply, { name: ASK_COOKIE, value, maxAge: CODE_LIVES });
  return value;
}

/** The cookie that keeps the secret of an opened sign-in link out of the address of its page. */
const LINK_COOKIE = 'publichouse-link';

/** Keeps the secret of a sign-in link that was opened in this browser, for as long as the link works. */
export function keepLink(ctx: Context, request: FastifyRequest, reply: FastifyReply, t: string): void {
  const value = /^[\w-]{1,200}$/.test(t) ? t : '';
  setCookie(ctx, request, reply, { name: LINK_COOKIE, value, maxAge: value ? CODE_LIVES : 0 });
}

/** The secret of the link that was opened last in this browser; empty if there is none. */
export const keptLink = (ctx: Context, request: FastifyRequest): string =>
  readCookie(request, cookieName(ctx, request, LINK_COOKIE)) ?? '';
