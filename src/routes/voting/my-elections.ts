import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { AppError, badFields, fieldErrorOf, notFound } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { languageOf, sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatInSentence, zoneName } from '#kernel/language/times.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { requireWriter } from '#routes/people/signed-in.ts';
import { myElectionsPage } from '#views/voting/my-elections.ts';
import { ownLinkPage } from '#views/voting/own-link.ts';
import { endTime } from '#voting/elections/elections.ts';
import { textsInBoth } from '#voting/elections/translations.ts';
import { mailedTrial } from '#voting/invitations/invitation-mails.ts';
import { openMagicLink, openMyBallot } from '#voting/invitations/magic-links.ts';
import { listOwnElections, openOwnBallot } from '#voting/invitations/own-elections.ts';
import { mailBallotLink, mailOwnLinks } from '#voting/invitations/own-links.ts';

const SENT = 'If this address has a ballot, a mail with its link is on its way.';

/** Invalid values count as empty, and are refused like a wrong pair. */
const query = z.object({ email: z.string().max(254).catch(''), token: z.string().max(200).catch('') });

/**
 * The page of a batch invitation's link; it redirects to the ballot if there is only one, and it is open. Opening the
 * page uses up nothing.
 */
export async function myElections(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const page = { config: { admission: 'voting' }, schema: { querystring: query } } as const;
  app.get('/vote/my-elections', page, async (request, reply) => {
    const { email, token } = request.query;
    if (email === '' && token === '') return sendHtml(reply, ownLinkPage({}));
    const elections = openMagicLink(ctx, email, token);
    const [only] = elections;
    if (elections.length === 1 && only?.ballot.state === 'ready' && only.ballot.path !== null)
      return reply.redirect(only.ballot.path, 303);
    const when = (at: number) => formatInSentence(at, ctx.now(), ctx.config.TIME_ZONE);
    const rows = elections.map(({ election, status, ballot, waiting }) => ({
      id: election.id,
      title: textsInBoth(election, languageOf(request)).title,
      status,
      opens: when(election.open_at),
      closes: when(endTime(election)),
      ballot,
      trial: mailedTrial(ctx, election),
      isPaper: election.isPaper,
      waiting,
    }));
    const forName = elections.find((one) => one.forName !== null)?.forName;
    return sendHtml(
      reply,
      myElectionsPage({
        email: email.trim(),
        forName,
        token,
        elections: rows,
        zone: zoneName(ctx.config.TIME_ZONE),
      }),
    );
  });

  const body = query.extend({
    token: query.shape.token.unwrap().optional().catch(''),
    election_id: z.string().optional().catch(''),
  });
  const ask = {
    config: { admission: 'voting', proofInBody: true },
    schema: { body, summary: 'Mail me the link to my elections' },
  } as const;
  app.post('/vote/my-elections', ask, async (request, reply) => {
    const { email, token, election_id } = request.body;
    // The form that requests a mail sends only an address.
    if (token === undefined && election_id === undefined) return mailLink(request, reply, email);
    // Needed only after a restore from a backup, which holds no voting links: see `openMyBallot`.
    const path = await openMyBallot(ctx, email, token ?? '', election_id ?? '');
    return reply.redirect(
      path ?? `/vote/my-elections?${new URLSearchParams({ email, token: token ?? '' })}`,
      303,
    );
  });

  /** Gives the same answer for every address. A mail is sent after it. */
  function mailLink(request: FastifyRequest, reply: FastifyReply, text: string) {
    const address = normalizeAddress(text);
    if (!address.ok) {
      const error = t('voting.own_link.check_address');
      if (wantsHtml(request)) return sendHtml(reply, ownLinkPage({ email: text, error }), 400);
      throw badFields([fieldErrorOf('email', address.reason)]);
    }
    setImmediate(() => mailOwnLinks(ctx, address.email));
    return wantsHtml(request)
      ? sendHtml(reply, ownLinkPage({ sent: address.email }))
      : { ok: true, message: SENT };
  }
}

const oneElection = z.object({ id: Id });

/** The ballots of a signed-in person. Casting a ballot never reads the session. */
export function ownElections(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    both: 'POST /me/elections/:id/vote',
    summary: 'Open one’s own ballot',
    params: oneElection,
    run: async ({ params: { id }, request }) => openOwnBallot(ctx, requireWriter(ctx, request), id),
    json: (link) => ({ ok: true, link }),
    next: (link) => link,
  });

  act(app, ctx, {
    both: 'POST /me/elections/:id/link',
    summary: 'Mail the link to one’s own ballot',
    params: oneElection,
    run: async ({ params: { id }, request }) => {
      const signedIn = requireWriter(ctx, request);
      const own = listOwnElections(ctx, signedIn).find((election) => election.id === id);
      if (!own || own.status === 'closed') throw notFound('own_ballot_not_open');
      if (own.mailedTo === null) throw new AppError(409, 'invitation_without_address');
      // The answer comes before the mail, so that it does not wait for the mail server.
      const ballot = { election_id: id, person_id: signedIn.person.id };
      setImmediate(() => mailBallotLink(ctx, ballot));
      return own.mailedTo;
    },
    json: (address) => ({
      ok: true,
      message: `If you have an unused ballot, its link is on its way to ${address}.`,
    }),
    next: '/me?mailed=1',
  });
}
