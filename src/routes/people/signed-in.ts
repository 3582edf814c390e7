import type { FastifyReply, FastifyRequest } from 'fastify';
import { ensureOwnWrite, leadsToSignIn, signInFirst } from '#kernel/access/guards.ts';
import { findSignedIn, SESSION_COOKIE, type SignedIn } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import { setCookie } from '#kernel/http/cookies.ts';
import { AppError } from '#kernel/http/errors.ts';

/** Returns the signed-in person; otherwise redirects a browser to the sign-in page. @throws 401 for other clients */
export function requireSignedIn(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): SignedIn | undefined {
  const signedIn = findSignedIn(ctx, request);
  if (signedIn) {
    request.session = signedIn.session;
    return signedIn;
  }
  if (!leadsToSignIn(request)) throw new AppError(401, 'authentication_required');
  signInFirst(ctx, request, reply);
  return undefined;
}

/** Returns the signed-in person for a write. @throws 401, and 403 for a request that may come from another site */
export function requireWriter(ctx: Context, request: FastifyRequest): SignedIn {
  const signedIn = findSignedIn(ctx, request);
  if (!signedIn) throw new AppError(401, 'authentication_required');
  ensureOwnWrite(ctx, request);
  request.session = signedIn.session;
  return signedIn;
}

/** The signed-in person as the actor of audit log entries. */
export function actorOfPerson(ctx: Context, request: FastifyRequest, { person }: SignedIn): Actor {
  return { ...actorOf(request, ctx.now), by: `person:${person.id}` };
}

/** Deletes the session cookie in the browser. */
export function forgetCookie(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  setCookie(ctx, request, reply, { name: SESSION_COOKIE, value: '', maxAge: 0 });
}
