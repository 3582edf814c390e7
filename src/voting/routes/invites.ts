import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { diagnosticMail } from '#views/mail/diagnostic.ts';
import { invitationMail } from '#views/mail/invitation.ts';
import { resultsMail } from '#views/mail/results.ts';
import { getElection } from '#voting/elections/elections.ts';
import { mayReadRoll, shownRows } from '#voting/electors/roll-access.ts';
import { InviteInput, listInvites } from '#voting/invitations/invites.ts';
import { type MailResult, RecipientsInput } from '#voting/invitations/recipients.ts';
import {
  type Remailed,
  RemindersInput,
  remindInvite,
  resendInvite,
  sendReminders,
} from '#voting/invitations/reminders.ts';
import { mailResults } from '#voting/invitations/results-mail.ts';
import { planInvites } from '#voting/invitations/send-invitations.ts';
import { sendTestMails, TestMailsInput } from '#voting/invitations/test-mails.ts';
import { refusedOnElectionPage, renderElectionPage } from './election-page.ts';
import {
  checkPage,
  ensureMayInvite,
  InviteForm,
  inviteByPlan,
  sendResult,
  sendSample,
} from './invite-pages.ts';

const params = z.object({ id: Id });
const oneInvite = params.extend({ inviteId: Id });

/** Invitations and the other mails about an election. */
export function invites(app: App, { ctx }: { ctx: Context }): void {
  app.get('/admin/elections/:id/invites', { config: { json: true }, schema: { params } }, async (request) => {
    const rows = listInvites(ctx.db, request.params.id, ctx.now(), mayReadRoll(request));
    return {
      invites: rows.map(({ id, email, name, status, created_at, sent_at, used, error }) => ({
        id,
        email,
        ...(name !== null && { name }),
        status,
        created_at,
        sent_at,
        ...(used !== null && { used }),
        error,
      })),
    };
  });

  app.post('/admin/elections/:id/invite/edit', { schema: { params } }, async (request, reply) => {
    const election = getElection(ctx.db, request.params.id);
    return sendHtml(
      reply,
      renderElectionPage(ctx, election, request, { enteredInvitation: request.entered ?? {} }),
    );
  });

  app.post(
    '/admin/elections/:id/invite/check',
    { config: refusedOnElectionPage(ctx, 'invite'), schema: { params, body: InviteForm } },
    async (request, reply) => {
      const elections = [getElection(ctx.db, request.params.id)];
      await ensureMayInvite(ctx, request, elections);
      return checkPage(ctx, request, reply, elections, request.body, true);
    },
  );

  app.post(
    '/admin/elections/:id/invite/preview',
    { schema: { params, body: InviteForm } },
    async (request, reply) => sendSample(ctx, reply, [getElection(ctx.db, request.params.id)], request.body),
  );

  app.post(
    '/admin/elections/:id/invite',
    { config: refusedOnElectionPage(ctx, 'invite'), schema: { params, body: InviteInput } },
    async (request, reply) => {
      const { id } = request.params;
      const plan = planInvites(ctx, [id], request.body, ([one]) => one?.invite_mode ?? 'individual');
      const invited = await inviteByPlan(ctx, request, plan);
      return wantsHtml(request) ? sendResult(ctx, request, reply, plan, invited, true) : invited;
    },
  );

  app.post(
    '/admin/elections/:id/invites/:inviteId/resend',
    { config: refusedOnElectionPage(ctx, 'resend'), schema: { params: oneInvite } },
    async (request, reply) => {
      const { id, inviteId } = request.params;
      const answer = await resendInvite(ctx, id, inviteId, actorOf(request, ctx.now), invitationMail);
      return answerOne(request, reply, answer, 'Sent again');
    },
  );

  app.post(
    '/admin/elections/:id/invites/:inviteId/remind',
    { config: refusedOnElectionPage(ctx, 'resend'), schema: { params: oneInvite } },
    async (request, reply) => {
      const { id, inviteId } = request.params;
      const answer = await remindInvite(ctx, id, inviteId, actorOf(request, ctx.now), invitationMail);
      return answerOne(request, reply, answer, 'Reminded');
    },
  );

  app.post(
    '/admin/elections/:id/reminders/send',
    {
      config: refusedOnElectionPage(ctx, 'reminders'),
      schema: { params, body: RemindersInput },
    },
    async (request, reply) => {
      const { id } = request.params;
      const actor = actorOf(request, ctx.now);
      const answer = await sendReminders(ctx, id, request.body, actor, invitationMail);
      const { sent, failed, skipped } = answer.summary;
      const said = `${sent} sent, ${failed} failed, ${skipped} left in peace.`;
      const results = shownRows(ctx.db, request, [id], answer.results);
      return answerMany(request, reply, { ...answer, results }, 'Reminders', said);
    },
  );

  app.post(
    '/admin/elections/:id/results-email',
    {
      config: refusedOnElectionPage(ctx, 'results-email'),
      schema: { params, body: RecipientsInput },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await mailResults(ctx, id, request.body, actorOf(request, ctx.now), resultsMail);
      const { sent, failed } = answer.summary;
      const named = request.body.emails ?? [];
      const results = shownRows(ctx.db, request, [id], answer.results, named);
      return answerMany(
        request,
        reply,
        { ...answer, results },
        'The result',
        `${sent} sent, ${failed} failed.`,
      );
    },
  );

  app.post('/admin/test-emails', { schema: { body: TestMailsInput } }, async (request) =>
    sendTestMails(ctx, request.body, diagnosticMail),
  );

  function answerOne(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: Remailed & { email: string },
    title: string,
  ) {
    const { email, success, status, error } = answer;
    const json = { success, status, ...(error && { error }) };
    return answerMany(
      request,
      reply,
      { ...json, results: [{ email, success, ...(error && { error }) }] },
      title,
      '',
      json,
    );
  }

  /** JSON, or the election's page with what became of each mail. */
  function answerMany(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: { results: MailResult[] },
    title: string,
    summary: string,
    json: object = answer,
  ) {
    if (!wantsHtml(request)) return json;
    const { id = '' } = request.params as { id?: string };
    const mailed = { title, summary, rows: answer.results };
    return sendHtml(reply, renderElectionPage(ctx, getElection(ctx.db, id), request, { mailed }));
  }
}
