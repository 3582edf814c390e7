import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { invitesPath } from '#views/voting/admin/invitations/invites-path.ts';
import { type OneElectorProps, oneElectorPage } from '#views/voting/admin/invitations/one-elector.ts';
import { findToken } from '#voting/ballots/tokens.ts';
import { type Election, electionStatus, findElection, getElection } from '#voting/elections/elections.ts';
import { findElector } from '#voting/electors/electors.ts';
import { mayReadRoll } from '#voting/electors/roll-access.ts';
import {
  presentAddress,
  ReplaceInput,
  replaceCode,
  WithdrawInput,
  withdrawCode,
} from '#voting/invitations/elector-codes.ts';
import { getInvite } from '#voting/invitations/invites.ts';
import { mailState } from './election-page.ts';

const params = z.object({ id: Id, inviteId: Id });

/** The voting code of one elector: its page, and the acts that end it before it is used. */
export function electorCodes(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/admin/elections/:id/invites/:inviteId',
    {
      config: { permission: 'elections:run' },
      schema: { params, summary: 'The voting code of one elector, to replace or withdraw it' },
    },
    async (request, reply) => {
      const { id, inviteId } = request.params;
      return sendHtml(reply, electorPage(ctx, request, getElection(ctx.db, id), inviteId));
    },
  );

  act(app, ctx, {
    ...refusedOn('withdraw'),
    both: 'POST /admin/elections/:id/invites/:inviteId/withdraw',
    sudo: true,
    params,
    body: WithdrawInput,
    run: async ({ params: { id, inviteId }, body, actor, request }) =>
      withApproval(ctx, request, lateAct('Withdraw', id, inviteId), () =>
        withdrawCode(ctx, id, inviteId, body, actor),
      ),
    json: () => ({ success: true }),
    next: (_, { params: { id, inviteId } }) => doneAt(id, inviteId, 'withdrawn'),
  });

  act(app, ctx, {
    ...refusedOn('replace'),
    both: 'POST /admin/elections/:id/invites/:inviteId/replace',
    sudo: true,
    params,
    body: ReplaceInput,
    run: async ({ params: { id, inviteId }, body, actor, request }) =>
      withApproval(ctx, request, lateAct('Replace', id, inviteId), () =>
        replaceCode(ctx, id, inviteId, body, actor),
      ),
    json: ({ status, error }) => ({
      success: error === undefined,
      status,
      ...(status === 'QUEUED' && { queued: true }),
      ...(error && { error }),
    }),
    next: ({ status, error }, { params: { id, inviteId } }) => {
      const failed = status === 'QUEUED' ? 'later' : 'failed';
      const made = status === 'SLIP' ? 'slip' : 'replaced';
      return doneAt(id, inviteId, error === undefined ? made : failed);
    },
  });

  /** While voting is open this changes who can vote, so the other officers learn of it or have to confirm it. */
  function lateAct(act: string, id: string, inviteId: string): SensitiveAct | undefined {
    const { title, opened_at, ...election } = getElection(ctx.db, id);
    getInvite(ctx.db, id, inviteId);
    if (opened_at === null || electionStatus(election, ctx.now()) === 'closed') return undefined;
    return { act: `${act} the voting code of one elector of “${title}”, which is open` };
  }

  function refusedOn(form: 'replace' | 'withdraw') {
    const refused = (request: FastifyRequest, { error, message, errors, entered }: RefusedForm) => {
      const { id = '', inviteId = '' } = request.params as { id?: string; inviteId?: string };
      const election = findElection(ctx.db, id);
      // Without an election there is no page to show: the refusal is sent as an error.
      if (!election) throw error;
      return electorPage(ctx, request, election, inviteId, { form, message, errors, entered });
    };
    return { refused, refusedStatuses: [400, 409] };
  }
}

const doneAt = (id: string, invite: string, done: string): string =>
  `${invitesPath(id)}?${new URLSearchParams({ done, invite })}#mailed`;

/** @throws 404 */
function electorPage(
  ctx: Context,
  request: FastifyRequest,
  election: Election,
  inviteId: string,
  refused?: OneElectorProps['refused'],
) {
  const invite = getInvite(ctx.db, election.id, inviteId);
  const { id, person_id, recipient_name, status, token_hash, withdrawn_at } = invite;
  const elector = person_id === null ? undefined : findElector(ctx.db, election.id, person_id);
  const shown = mayReadRoll(request) || elector?.as_of == null;
  const address = presentAddress(ctx.db, invite);
  const used = findToken(ctx.db, election.id, token_hash ?? '')?.used === true;
  return oneElectorPage({
    election: { id: election.id, title: election.title, status: electionStatus(election, ctx.now()) },
    invite: {
      id,
      email: shown ? invite.email : '',
      name: shown ? (elector?.name ?? recipient_name) : null,
      address: shown || address === null ? address : '',
      slip: status === 'SLIP',
      state:
        status === 'PREPARED' ? 'prepared' : withdrawn_at !== null ? 'withdrawn' : used ? 'used' : 'unused',
    },
    refused,
    ...mailState(ctx),
    viewer: request.viewer,
  });
}
