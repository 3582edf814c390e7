import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, answerDone, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort } from '#kernel/local-time.ts';
import { invitationMail } from '#views/mail/invitation.ts';
import { resultsMail } from '#views/mail/results.ts';
import { mailingPage, resultsAgainPage } from '#views/voting/admin/invitations/mailing.ts';
import { getResults } from '#voting/counting/results.ts';
import { getElection } from '#voting/elections/elections.ts';
import { mayReadRoll, shownRows } from '#voting/electors/roll-access.ts';
import { listInvites } from '#voting/invitations/invites.ts';
import { RemindersInput, sendReminders } from '#voting/invitations/reminders.ts';
import { findResultsRecipients, mailResults, ResultsMailInput } from '#voting/invitations/results-mail.ts';
import { listFailedAgain, mailFailedAgain } from '#voting/mailings/failed-again.ts';
import { getMailing, lastMailing, listFailedMails, type Mailing } from '#voting/mailings/mailings.ts';
import { refusedOnElectionPage } from './election-page.ts';
import { showMailing } from './shown-mailings.ts';

const params = z.object({ id: Id });
const composers = { invitation: invitationMail, results: resultsMail };

/** Mailings about an election (reminders and results) and their progress. */
export function mailings(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/admin/elections/:id/reminders/send',
    { config: refusedOnElectionPage(ctx, 'reminders'), schema: { params, body: RemindersInput } },
    async (request, reply) => {
      const { id } = request.params;
      const html = wantsHtml(request);
      const actor = actorOf(request, ctx.now);
      const { mailing_id, ...answer } = await sendReminders(ctx, id, request.body, actor, composers, !html);
      if (html) return redirectToReport(reply, id, 'reminders', mailing_id, request.body.after);
      return { ...answer, results: shownRows(ctx.db, request, [id], answer.results) };
    },
  );

  app.get(
    '/admin/elections/:id/results-email',
    { config: { permission: 'elections:run' }, schema: { params } },
    async (request, reply) => {
      const election = getElection(ctx.db, request.params.id);
      await getResults(ctx, election);
      const last = lastMailing(ctx.db, election.id, 'results');
      if (!last) return reply.redirect(`/admin/elections/${election.id}#invitations`, 303);
      const { fresh, had, unsure } = findResultsRecipients(ctx.db, election.id);
      return sendHtml(
        reply,
        resultsAgainPage({
          election: { id: election.id, title: election.title },
          fresh: fresh.length,
          had: had.length,
          unsure: unsure.length,
          after: last.id,
          when: formatShort(last.started_at, ctx.config.TIME_ZONE),
          mailReady: ctx.mailer.missing().length === 0,
          viewer: request.viewer,
        }),
      );
    },
  );

  app.post(
    '/admin/elections/:id/results-email',
    { config: refusedOnElectionPage(ctx, 'results-email'), schema: { params, body: ResultsMailInput } },
    async (request, reply) => {
      const { id } = request.params;
      const { body } = request;
      const html = wantsHtml(request);
      const again = html && body.again === undefined && asksFirst(id, body.after);
      if (again) return reply.redirect(`/admin/elections/${id}/results-email`, 303);
      const actor = actorOf(request, ctx.now);
      const { mailing_id, ...answer } = await mailResults(ctx, id, body, actor, composers, !html);
      if (html) return redirectToReport(reply, id, 'results', mailing_id, body.after);
      return { ...answer, results: shownRows(ctx.db, request, [id], answer.results, body.emails ?? []) };
    },
  );

  app.get('/admin/mailings/:id', { schema: { params } }, async (request, reply) => {
    const mailing = getMailing(ctx.db, request.params.id);
    const { id, title } = getElection(ctx.db, mailing.election_id);
    return sendHtml(
      reply,
      mailingPage({
        mailing: showMailing(ctx, mailing),
        election: { id, title },
        failures: failuresOf(request, mailing),
        again: listFailedAgain(ctx.db, mailing, ctx.now()).length,
        mailReady: ctx.mailer.missing().length === 0,
        viewer: request.viewer,
      }),
    );
  });

  app.post(
    '/admin/mailings/:id/failed',
    { config: { permission: 'elections:run' }, schema: { params } },
    async (request, reply) => {
      const { id } = request.params;
      const again = await mailFailedAgain(ctx, id, actorOf(request, ctx.now), composers);
      const { kind, election_id } = getMailing(ctx.db, id);
      // If the button was pressed twice, the mailing of the first press is shown.
      const shown = again ?? lastMailing(ctx.db, election_id, kind)?.id ?? id;
      return answerDone(request, reply, { success: true, mailing_id: again }, `/admin/mailings/${shown}`);
    },
  );

  /** Whether some recipients already have the result. Then the officer is asked before anything is sent. */
  function asksFirst(id: string, after: string | undefined): boolean {
    const last = lastMailing(ctx.db, id, 'results');
    if (!last || (after !== undefined && after !== last.id)) return false;
    const { had, unsure } = findResultsRecipients(ctx.db, id);
    return had.length + unsure.length > 0;
  }

  /** Redirects to the report on the page. If the button was pressed twice, it is about the first press. */
  function redirectToReport(
    reply: FastifyReply,
    electionId: string,
    kind: 'reminders' | 'results',
    mailingId: string | undefined,
    after: string | undefined,
  ) {
    const last = lastMailing(ctx.db, electionId, kind)?.id;
    const said =
      mailingId ?? (last !== undefined && after !== undefined && after !== last ? last : undefined);
    const query = said === undefined ? `said=${kind}` : `mailing=${said}`;
    return reply.redirect(`/admin/elections/${electionId}?${query}#mailed`, 303);
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
