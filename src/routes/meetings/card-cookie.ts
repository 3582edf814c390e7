import type { FastifyReply, FastifyRequest } from 'fastify';
import { HOUR, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { isSecure } from '#kernel/http/cookies.ts';
import { header } from '#kernel/http/http.ts';

const COOKIE = 'house_card';
/** An evening. */
const LIFETIME = 12 * HOUR;

/** Keeps a card on a phone for the evening, for this meeting alone. Another card takes its place. */
export function keepCard(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { meetingId, code }: { meetingId: string; code: string },
): void {
  const secure = isSecure(ctx, request) ? '; Secure' : '';
  const age = code === '' ? 0 : LIFETIME / SECOND;
  const value = encodeURIComponent(code);
  reply.header(
    'set-cookie',
    `${COOKIE}=${value}; Path=/m/${meetingId}; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
  );
}

/** The card that this phone keeps. */
export function keptCard(request: FastifyRequest): string | undefined {
  const pairs = (header(request, 'cookie') ?? '').split(';').map((pair) => pair.trim());
  const [value] = pairs.flatMap((pair) => /^house_card=([\w%.-]{1,200})$/.exec(pair)?.[1] ?? []);
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
