import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type App, actorOf, sendHtml, wantsHtml } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { getElection } from '#voting/elections/elections.ts';
import { BulkInviteInput, InviteInput, listInvites } from '#voting/invitations/invites.ts';
import { type MailResult, RecipientsInput } from '#voting/invitations/recipients.ts';
import {
  type Remailed,
  RemindersInput,
  remindInvite,
  resendInvite,
  sendReminders,
} from '#voting/invitations/reminders.ts';
import { mailResults } from '#voting/invitations/results-mail.ts';
import { inviteAll, planInvites } from '#voting/invitations/send-invitations.ts';
import { mailTests, TestMailsInput } from '#voting/invitations/test-mails.ts';
import { electionPageOf } from './election-page.ts';
import { sendResult } from './invite-pages.ts';

const params = z.object({ id: Id });
const oneInvite = params.extend({ inviteId: Id });

/** Invitations and the other mails about an election. */
export async function invites(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.get('/elections/:id/invites', { config: { json: true }, schema: { params } }, async (request) => {
    await getElection(ctx, request.params.id);
    const rows = await listInvites(ctx, request.params.id);
    return {
      invites: rows.map(({ id, email, status, created_at, sent_at, used, error }) => ({
        id,
        email,
        status,
        created_at,
        sent_at,
        used,
        error,
      })),
    };
  });

  app.post(
    '/elections/:id/invite',
    { config: { section: 'invite' }, schema: { params, body: InviteInput } },
    async (request, reply) => {
      const { id } = request.params;
      const plan = await planInvites(ctx, [id], request.body, ([one]) => one?.invite_mode ?? 'individual');
      const invited = await inviteAll(ctx, plan, actorOf(request, ctx.now));
      return wantsHtml(request) ? sendResult(ctx, request, reply, plan, invited, true) : invited;
    },
  );

  app.post(
    '/bulk-invites',
    { config: { section: 'bulk-invites' }, schema: { body: BulkInviteInput } },
    async (request, reply) => {
      const plan = await planInvites(ctx, request.body.election_ids, request.body, () => 'batch');
      const invited = await inviteAll(ctx, plan, actorOf(request, ctx.now));
      return wantsHtml(request) ? sendResult(ctx, request, reply, plan, invited, false) : invited;
    },
  );

  app.post(
    '/elections/:id/invites/:inviteId/resend',
    { config: { section: 'resend' }, schema: { params: oneInvite } },
    async (request, reply) => {
      const { id, inviteId } = request.params;
      const answer = await resendInvite(ctx, id, inviteId, actorOf(request, ctx.now));
      return answerOne(request, reply, answer, 'Sent again');
    },
  );

  app.post(
    '/elections/:id/invites/:inviteId/remind',
    { config: { section: 'resend' }, schema: { params: oneInvite } },
    async (request, reply) => {
      const { id, inviteId } = request.params;
      const answer = await remindInvite(ctx, id, inviteId, actorOf(request, ctx.now));
      return answerOne(request, reply, answer, 'Reminded');
    },
  );

  app.post(
    '/elections/:id/reminders/send',
    { config: { section: 'reminders' }, schema: { params, body: RemindersInput } },
    async (request, reply) => {
      const answer = await sendReminders(ctx, request.params.id, request.body, actorOf(request, ctx.now));
      const { sent, failed, skipped } = answer.summary;
      const said = `${sent} sent, ${failed} failed, ${skipped} left in peace.`;
      return answerMany(request, reply, answer, 'Reminders', said);
    },
  );

  app.post(
    '/elections/:id/results-email',
    { config: { section: 'results-email' }, schema: { params, body: RecipientsInput } },
    async (request, reply) => {
      const answer = await mailResults(ctx, request.params.id, request.body, actorOf(request, ctx.now));
      const { sent, failed } = answer.summary;
      return answerMany(request, reply, answer, 'The result', `${sent} sent, ${failed} failed.`);
    },
  );

  app.post('/test-emails', { schema: { body: TestMailsInput } }, async (request) =>
    mailTests(ctx, request.body),
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
  async function answerMany(
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
    return sendHtml(reply, await electionPageOf(ctx, await getElection(ctx, id), request, { mailed }));
  }
}
