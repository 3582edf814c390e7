import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act, OtherAnswer } from '#kernel/http/act.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort } from '#kernel/language/times.ts';
import { ensureAddress, issuerOf, placed } from '#routes/voting/officers-page/address.ts';
import { showMailing } from '#routes/voting/officers-page/codes-and-invitations.ts';
import { onPage } from '#routes/voting/officers-page/page.ts';
import { mailingPage, resultsAgainPage } from '#views/voting/admin/invitations/mailing.ts';
import { adminPath, type Named, sectionPath, subPagePath } from '#views/voting/words.ts';
import {
  ensureDecided,
  findResultsRecipients,
  mailResults,
  ResultsMailInput,
} from '#voting/counting/results-mail.ts';
import { findElection } from '#voting/elections/elections.ts';
import { getPaper } from '#voting/elections/issuers.ts';
import { mayReadRoll, shownRows } from '#voting/electors/roll-access.ts';
import { listFailedAgain, mailFailedAgain } from '#voting/invitations/failed-again.ts';
import { listInvites } from '#voting/invitations/invites.ts';
import { getMailing, lastMailing, listFailedMails, type Mailing } from '#voting/invitations/mailings.ts';
import { asSent } from '#voting/invitations/recipients.ts';
import { RemindersInput, sendReminders } from '#voting/invitations/reminders.ts';

const params = z.object({ id: Id });

/** Mailings about an election (reminders and results) and their progress. */
export function mailings(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    ...onPage(ctx, 'reminders'),
    both: ['POST /admin/elections/:id/reminders/send', 'POST /admin/papers/:id/reminders/send'],
    body: RemindersInput,
    run: async ({ body, actor, request }) =>
      sendReminders(ctx, issuerOf(ctx, request).id, body, actor, !wantsHtml(request)),
    json: ({ mailing_id, ...answer }, { params: { id }, request }) => ({
      ...answer,
      results: shownRows(ctx.db, request, [id], answer.results),
    }),
    next: ({ mailing_id }, { body: { after }, request }) =>
      reportOf(issuerOf(ctx, request), 'reminders', mailing_id, after),
  });

  const again = { config: { permission: 'elections:run' }, schema: { params } } as const;
  for (const url of ['/admin/elections/:id/results-email', '/admin/papers/:id/results-email'])
    app.get(url, again, async (request, reply) => {
      const election = await decidedOf(request);
      const last = lastMailing(ctx.db, election.id, 'results');
      if (!last) return reply.redirect(sectionPath(election, 'invitations'), 303);
      const { fresh, had, unsure } = findResultsRecipients(ctx.db, election.id);
      return sendHtml(
        reply,
        resultsAgainPage({
          election: placed(ctx, request, election),
          fresh: fresh.length,
          had: had.length,
          unsure: unsure.length,
          after: last.id,
          when: formatShort(last.started_at, ctx.config.TIME_ZONE),
          mailReady: ctx.mailer.missing().length === 0,
          viewer: request.viewer,
        }),
      );
    });

  act(app, ctx, {
    ...onPage(ctx, 'results-email'),
    both: ['POST /admin/elections/:id/results-email', 'POST /admin/papers/:id/results-email'],
    body: ResultsMailInput,
    run: async ({ params: { id }, body, actor, request }) => {
      const isForm = wantsHtml(request);
      const election = await decidedOf(request);
      if (isForm && body.again === undefined && asksFirst(id, body.after))
        return new OtherAnswer(303, undefined, () => adminPath(election, 'results-email'));
      return mailResults(ctx, id, body, actor, !isForm);
    },
    json: ({ mailing_id, ...answer }, { params: { id }, body: { emails = [] }, request }) => ({
      ...answer,
      results: asSent(shownRows(ctx.db, request, [id], answer.results, emails), emails),
    }),
    next: async ({ mailing_id }, { body: { after }, request }) =>
      reportOf(await decidedOf(request), 'results', mailing_id, after),
  });

  app.get('/admin/mailings/:id', { schema: { params } }, async (request, reply) => {
    const mailing = getMailing(ctx.db, request.params.id);
    const election = aboutOf(mailing);
    return sendHtml(
      reply,
      mailingPage({
        mailing: showMailing(ctx, mailing),
        election: placed(ctx, request, election),
        failures: failuresOf(request, mailing),
        again: listFailedAgain(ctx.db, mailing, ctx.now()).length,
        mailReady: ctx.mailer.missing().length === 0,
        viewer: request.viewer,
      }),
    );
  });

  act(app, ctx, {
    both: 'POST /admin/mailings/:id/failed',
    params,
    run: ({ params: { id }, actor }) => mailFailedAgain(ctx, id, actor),
    json: (again) => ({ success: true, mailing_id: again }),
    next: (again, { params: { id } }) => {
      const { kind, election_id } = getMailing(ctx.db, id);
      // If the button was pressed twice, the mailing of the first press is shown.
      return `/admin/mailings/${again ?? lastMailing(ctx.db, election_id, kind)?.id ?? id}`;
    },
  });

  /** @throws 404; as `ensureDecided` */
  async function decidedOf(request: Pick<FastifyRequest, 'params' | 'routeOptions'>) {
    const decided = await ensureDecided(ctx, (request.params as { id: string }).id);
    ensureAddress(decided, request);
    return decided;
  }

  /** The election, which may be a question of a paper, or the ballot paper that a mailing is about. */
  function aboutOf({ election_id: id }: Mailing): Named {
    const election = findElection(ctx.db, id);
    return election
      ? { id, title: election.title }
      : { id, title: getPaper(ctx.db, id).title, isPaper: true };
  }

  /** Whether some recipients already have the result. Then the officer is asked before anything is sent. */
  function asksFirst(id: string, after: string | undefined): boolean {
    const last = lastMailing(ctx.db, id, 'results');
    if (!last || (after !== undefined && after !== last.id)) return false;
    const { had, unsure } = findResultsRecipients(ctx.db, id);
    return had.length + unsure.length > 0;
  }

  /** The address of the report on the page. If the button was pressed twice, it is about the first press. */
  function reportOf(
    of: Pick<Named, 'id' | 'isPaper'>,
    kind: 'reminders' | 'results',
    mailingId: string | undefined,
    after: string | undefined,
  ): string {
    const last = lastMailing(ctx.db, of.id, kind)?.id;
    const said =
      mailingId ?? (last !== undefined && after !== undefined && after !== last ? last : undefined);
    const query = said === undefined ? `said=${kind}` : `mailing=${said}`;
    return `${subPagePath(of, 'mails')}?${query}#mailed`;
  }

  function failuresOf(request: FastifyRequest, { id, kind, election_id }: Mailing) {
    const failed =
      kind === 'invitations'
        ? listInvites(ctx.db, election_id, mayReadRoll(request)).filter(
            ({ status, mailing_id }) => status === 'FAILED' && mailing_id === id,
          )
        : shownRows(ctx.db, request, [election_id], listFailedMails(ctx.db, id));
    return failed.map(({ email, error }) => ({ email, error }));
  }
}
