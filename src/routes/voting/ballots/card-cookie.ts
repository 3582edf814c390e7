import type { FastifyReply, FastifyRequest } from 'fastify';
import { HOUR, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { isSecure, readCookie } from '#kernel/http/cookies.ts';
import { sha256 } from '#kernel/secrets.ts';
import { hashToken } from '#voting/ballots/tokens.ts';

/** The code of the card. */
const CARD = 'house_card';
/** Says that this phone keeps a card of the meeting, and nothing of the card. */
const MARK = 'house_room';
/** An evening. */
const LIFETIME = 12 * HOUR;

/**
 * The page of a meeting for a phone with a card. Browsers send a cookie to every address below its path: the card has a
 * path of its own, so that it is not sent along with the name of somebody who asks to speak.
 */
export const cardPage = (meetingId: string): string => `/m/${meetingId}/card`;

/** Keeps a card on a phone for the evening, for this meeting alone. Another card takes its place; none with an empty code. */
export function keepCard(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { meetingId, code }: { meetingId: string; code: string },
): void {
  const secure = isSecure(ctx, request) ? '; Secure' : '';
  const rest = `Max-Age=${code === '' ? 0 : LIFETIME / SECOND}; HttpOnly; SameSite=Lax${secure}`;
  reply.header('set-cookie', [
    `${CARD}=${encodeURIComponent(code)}; Path=${cardPage(meetingId)}; ${rest}`,
    `${MARK}=${code === '' ? '' : 1}; Path=/m/${meetingId}; ${rest}`,
  ]);
}

/** The card that this phone keeps, at an address to which it is sent. */
export function keptCard(request: FastifyRequest): string | undefined {
  const value = readCookie(request, CARD);
  try {
    return value === undefined || value.length > 200 ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Tells the cards on one phone from each other; the service does not store it. */
export const cardMark = (meetingId: string, code: string): string =>
  sha256(`a card on a phone:${meetingId}:${hashToken(code)}`).slice(0, 16);

/** Whether this phone keeps a card of the meeting of the address. */
export const keepsCard = (request: FastifyRequest): boolean => readCookie(request, MARK) === '1';
