import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { diagnosticMail } from '#views/mail/diagnostic.ts';
import { type Election, getElection } from '#voting/elections/elections.ts';
import { mayReadRoll } from '#voting/electors/roll-access.ts';
import { InviteInput, listInvites } from '#voting/invitations/invites.ts';
import { sendTestMails, TestMailsInput } from '#voting/invitations/test-mails.ts';
import { refusedOnElectionPage, renderElectionPage } from './election-page.ts';
import {
  checkPage,
  ensureMayAddElectors,
  InviteForm,
  invitePrepared,
  inviteWhomItNames,
  LONG_FORM,
  sendSample,
} from './invite-pages.ts';

const params = z.object({ id: Id });

/** Invitations to one election: the form, its check, a preview of the mail, and the sending. */
export function invites(app: App, { ctx }: { ctx: Context }): void {
  app.get('/admin/elections/:id/invites', { config: { json: true }, schema: { params } }, async (request) => {
    const rows = listInvites(ctx.db, request.params.id, mayReadRoll(request));
    return {
      invites: rows.map(({ id, email, name, status, created_at, sent_at, used, error, ...row }) => ({
        id,
        email,
        ...(name !== null && { name }),
        status,
        created_at,
        sent_at,
        ...(used !== null && { used }),
        error,
        ...(row.slip !== null && { slip: row.slip }),
        ...(row.withdrawn_at !== null && { withdrawn_at: row.withdrawn_at }),
        ...(row.roll_email !== null && { roll_email: row.roll_email }),
      })),
    };
  });

  app.post(
    '/admin/elections/:id/invite/prepared',
    {
      config: refusedOnElectionPage(ctx, 'invite'),
      schema: { params, summary: 'Invite the electors that were taken over from a void election' },
    },
    async (request, reply) => invitePrepared(ctx, request, reply, getElection(ctx.db, request.params.id)),
  );

  app.post(
    '/admin/elections/:id/invite/edit',
    { bodyLimit: LONG_FORM, schema: { params } },
    async (request, reply) => {
      const election = getElection(ctx.db, request.params.id);
      return sendHtml(
        reply,
        renderElectionPage(ctx, election, request, { enteredInvitation: request.entered ?? {} }),
      );
    },
  );

  app.post(
    '/admin/elections/:id/invite/check',
    {
      bodyLimit: LONG_FORM,
      config: refusedOnElectionPage(ctx, 'invite'),
      schema: { params, body: InviteForm },
    },
    async (request, reply) => {
      const elections = [getElection(ctx.db, request.params.id)];
      await ensureMayAddElectors(ctx, request, elections);
      return checkPage(ctx, request, reply, elections, request.body, true);
    },
  );

  app.post(
    '/admin/elections/:id/invite/preview',
    { bodyLimit: LONG_FORM, schema: { params, body: InviteForm } },
    async (request, reply) => sendSample(ctx, reply, [getElection(ctx.db, request.params.id)], request.body),
  );

  app.post(
    '/admin/elections/:id/invite',
    {
      bodyLimit: LONG_FORM,
      config: refusedOnElectionPage(ctx, 'invite'),
      schema: { params, body: InviteInput },
    },
    async (request, reply) => {
      const { body } = request;
      const [election_ids, usual] = [
        [request.params.id],
        ([one]: Election[]) => one?.invite_mode ?? 'individual',
      ];
      return inviteWhomItNames(ctx, request, reply, { ...body, election_ids }, usual);
    },
  );

  app.post('/admin/test-emails', { schema: { body: TestMailsInput } }, async (request) =>
    sendTestMails(ctx, request.body, diagnosticMail),
  );
}
