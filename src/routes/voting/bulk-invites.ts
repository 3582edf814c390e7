import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { badField } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { listOf } from '#kernel/http/validation.ts';
import { getElection } from '#voting/elections/elections.ts';
import { BulkInviteInput } from '#voting/invitations/invites.ts';
import {
  bulkForm,
  checkPage,
  ensureMayAddElectors,
  InviteForm,
  inviteWhomItNames,
  LONG_FORM,
  sendSample,
} from './invite-pages.ts';

/** Invitations to several elections at once: the form, its check, a preview of the mail, and the sending. */
export function bulkInvites(app: App, { ctx }: { ctx: Context }): void {
  const refused = (request: FastifyRequest, form: RefusedForm) => bulkForm(ctx, request, form.entered, form);

  app.get(
    '/admin/bulk-invites',
    {
      config: { permission: 'elections:run' },
      schema: { querystring: z.object({ election_ids: listOf(z.string(), 100).optional() }) },
    },
    async (request, reply) =>
      sendHtml(reply, bulkForm(ctx, request, { election_ids: request.query.election_ids ?? [] })),
  );

  app.post('/admin/bulk-invites/edit', { bodyLimit: LONG_FORM }, async (request, reply) =>
    sendHtml(reply, bulkForm(ctx, request, request.entered ?? {})),
  );
  app.post(
    '/admin/bulk-invites/check',
    { bodyLimit: LONG_FORM, config: { refused }, schema: { body: InviteForm } },
    async (request, reply) => {
      if (request.body.election_ids.length === 0)
        throw badField('election_ids', 'choose at least one election');
      const elections = request.body.election_ids.map((id) => getElection(ctx.db, id));
      await ensureMayAddElectors(ctx, request, elections);
      return checkPage(ctx, request, reply, elections, request.body);
    },
  );
  const preview = { bodyLimit: LONG_FORM, schema: { body: InviteForm } };
  app.post('/admin/bulk-invites/preview', preview, async (request, reply) => {
    const elections = request.body.election_ids.map((id) => getElection(ctx.db, id));
    return sendSample(ctx, reply, elections, request.body);
  });

  app.post(
    '/admin/bulk-invites',
    { bodyLimit: LONG_FORM, config: { refused }, schema: { body: BulkInviteInput } },
    async (request, reply) => inviteWhomItNames(ctx, request, reply, request.body),
  );
}
