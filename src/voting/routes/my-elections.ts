import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { myElectionsPage } from '#views/voting/my-elections.ts';
import { endTime } from '#voting/elections/elections.ts';
import { openMagicLink, openMyBallot } from '#voting/invitations/magic-links.ts';

/** What cannot be read opens nothing, like a wrong pair. */
const query = z.object({ email: z.string().max(254).catch(''), token: z.string().max(200).catch('') });

/** The page behind a batch invitation's link. It consumes nothing, however often and by whomever it is opened. */
export async function myElections(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const page = { config: { admission: 'voting' }, schema: { querystring: query } } as const;
  app.get('/vote/my-elections', page, async (request, reply) => {
    const { email, token } = request.query;
    const elections = openMagicLink(ctx, email, token);
    const rows = elections.map(({ election, status, ballot }) => ({
      id: election.id,
      title: election.title,
      status,
      opens: formatWhen(election.open_at, ctx.config.TIME_ZONE),
      closes: formatWhen(endTime(election), ctx.config.TIME_ZONE),
      ballot,
    }));
    return sendHtml(reply, myElectionsPage({ email: email.trim(), token, elections: rows }));
  });

  // Only after the restore of a backup, which holds no voting links: see `openMyBallot`.
  const body = query.extend({ election_id: z.string().catch('') });
  const renewal = { config: { admission: 'voting' }, schema: { body } } as const;
  app.post('/vote/my-elections', renewal, async (request, reply) => {
    const { email, token, election_id } = request.body;
    const path = await openMyBallot(ctx, email, token, election_id);
    return reply.redirect(path ?? `/vote/my-elections?${new URLSearchParams({ email, token })}`, 303);
  });
}
