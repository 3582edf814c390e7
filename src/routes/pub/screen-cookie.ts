import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { cookieName, readCookie, setCookie } from '#kernel/http/cookies.ts';

const NAME = 'screen';
/** Browsers keep no cookie longer; each heartbeat begins it anew. */
const LIVES = 400 * DAY;

/** The secret of the paired screen that this browser is; undefined for any other browser. */
export const screenSecret = (ctx: Context, request: FastifyRequest): string | undefined =>
  readCookie(request, cookieName(ctx, request, NAME)) || undefined;

export const setScreenCookie = (
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
): void => setCookie(ctx, request, reply, { name: NAME, value, maxAge: LIVES });

/** The secret was ended: without it the browser is like any other. */
export const endScreenCookie = (ctx: Context, request: FastifyRequest, reply: FastifyReply): void =>
  setCookie(ctx, request, reply, { name: NAME, value: '', maxAge: 0 });
