import type { FastifyReply, FastifyRequest } from 'fastify';
import { ensureOwnWrite, leadsToSignIn, signInFirst } from '#kernel/access/guards.ts';
import { findSignedIn, SESSION_COOKIE, type SignedIn } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import { setCookie } from '#kernel/http/cookies.ts';
import { AppError } from '#kernel/http/errors.ts';

/** Who is here; a browser without anybody is led to the sign-in page. @throws 401 */
export function whoIsHere(ctx: Context, request: FastifyRequest, reply: FastifyReply): SignedIn | undefined {
  const signedIn = findSignedIn(ctx, request);
  if (signedIn) {
    request.session = signedIn.session;
    return signedIn;
  }
  if (!leadsToSignIn(request)) throw new AppError(401, 'Authentication required');
  signInFirst(request, reply);
  return undefined;
}

/** Who changes something of their own. @throws 401, and 403 where another site's page may have sent it */
export function whoWrites(ctx: Context, request: FastifyRequest): SignedIn {
  const signedIn = findSignedIn(ctx, request);
  if (!signedIn) throw new AppError(401, 'Authentication required');
  ensureOwnWrite(ctx, request);
  request.session = signedIn.session;
  return signedIn;
}

/** Somebody who is signed in, for the audit log. */
export function actorOfPerson(ctx: Context, request: FastifyRequest, { person }: SignedIn): Actor {
  return { ...actorOf(request, ctx.now), by: `person:${person.id}` };
}

/** Takes the cookie of a session that ended from its browser. */
export function forgetCookie(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  setCookie(ctx, request, reply, { name: SESSION_COOKIE, value: '', maxAge: 0 });
}
