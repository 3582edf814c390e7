import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ensureOwnWrite } from '#kernel/access/guards.ts';
import { findSignedIn, type SignedIn } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { AppError, notFound } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { myElectionsMail } from '#views/mail/my-elections.ts';
import { listOwnElections, openOwnBallot } from '#voting/electors/own-elections.ts';
import { mailBallotLink } from '#voting/invitations/own-links.ts';

const params = z.object({ id: Id });

/** The ballots of a signed-in person. Casting a ballot never reads the session. */
export function ownElections(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/me/elections/:id/vote',
    { schema: { params, summary: 'Open one’s own ballot' } },
    async (request, reply) => {
      const link = await openOwnBallot(ctx, requireWriter(request), request.params.id);
      return wantsHtml(request) ? reply.redirect(link, 303) : { ok: true, link };
    },
  );

  app.post(
    '/me/elections/:id/link',
    { schema: { params, summary: 'Mail the link to one’s own ballot' } },
    async (request, reply) => {
      const signedIn = requireWriter(request);
      const { id } = request.params;
      const own = listOwnElections(ctx, signedIn).find((election) => election.id === id);
      if (!own || own.status === 'closed') throw notFound('You have no open ballot in this election');
      if (own.mailedTo === null)
        throw new AppError(409, 'Your invitation has no address: ask an officer for your slip');
      // The answer comes before the mail, so that it does not wait for the mail server.
      const ballot = { election_id: id, person_id: signedIn.person.id };
      setImmediate(() => mailBallotLink(ctx, ballot, myElectionsMail));
      const message = `If you have an unused ballot, its link is on its way to ${own.mailedTo}.`;
      return wantsHtml(request) ? reply.redirect('/me?mailed=1', 303) : { ok: true, message };
    },
  );

  function requireWriter(request: FastifyRequest): SignedIn {
    const signedIn = findSignedIn(ctx, request);
    if (!signedIn) throw new AppError(401, 'Authentication required');
    ensureOwnWrite(ctx, request);
    return signedIn;
  }
}
