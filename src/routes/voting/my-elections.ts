import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { badField } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { formatShort, zoneName } from '#kernel/local-time.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { myElectionsMail } from '#views/mail/my-elections.ts';
import { myElectionsPage } from '#views/voting/my-elections.ts';
import { ownLinkPage } from '#views/voting/own-link.ts';
import { endTime } from '#voting/elections/elections.ts';
import { openMagicLink, openMyBallot } from '#voting/invitations/magic-links.ts';
import { mailOwnLinks } from '#voting/invitations/own-links.ts';

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
    const rows = elections.map(({ election, status, ballot }) => ({
      id: election.id,
      title: election.title,
      status,
      opens: formatShort(election.open_at, ctx.config.TIME_ZONE),
      closes: formatShort(endTime(election), ctx.config.TIME_ZONE),
      ballot,
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
      const error = 'Please check your e-mail address. It looks like this: name@example.org.';
      if (wantsHtml(request)) return sendHtml(reply, ownLinkPage({ email: text, error }), 400);
      throw badField('email', address.reason);
    }
    setImmediate(() => mailOwnLinks(ctx, address.email, myElectionsMail));
    return wantsHtml(request)
      ? sendHtml(reply, ownLinkPage({ sent: address.email }))
      : { ok: true, message: SENT };
  }
}
