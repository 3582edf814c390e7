import type { FastifyReply, FastifyRequest } from 'fastify';
import { findGranted } from '#kernel/access/guards.ts';
import { DAY, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { isSecure, readCookie } from '#kernel/http/cookies.ts';
import { invitationKey, isInvitationKey } from '#meetings/documents/documents.ts';
import type { Meeting } from '#meetings/meetings.ts';
import { cardOf } from './room.ts';

/** Says that this browser came by an invitation to the meeting of its path. */
const INVITED = 'house_invited';
const LIFETIME = 90 * DAY;

/** Keeps in a browser that its reader was invited to a meeting, for that meeting alone. */
export function keepInvitation(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  meeting: Pick<Meeting, 'id'>,
): void {
  const rest = `Max-Age=${LIFETIME / SECOND}; HttpOnly; SameSite=Lax${isSecure(ctx, request) ? '; Secure' : ''}`;
  reply.header('set-cookie', `${INVITED}=${invitationKey(ctx, meeting)}; Path=/m/${meeting.id}; ${rest}`);
}

/**
 * Whether somebody may read what is for those who belong to a meeting: whoever came by the link of an invitation, has a
 * card of it, or is signed in. At addresses below that of the card, to which its cookie is sent.
 */
export async function mayReadPapers(
  ctx: Context,
  request: FastifyRequest,
  meeting: Meeting,
): Promise<boolean> {
  const kept = readCookie(request, INVITED);
  if (kept !== undefined && isInvitationKey(ctx, meeting, kept)) return true;
  if (cardOf(ctx, request, meeting)?.found.valid) return true;
  return (await findGranted(ctx, request)) !== undefined;
}
