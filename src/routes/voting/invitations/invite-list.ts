import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatShortNear, sentences, zoneName } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { reasonWords } from '#kernel/mail/reasons.ts';
import { ownValue } from '#kernel/own-value.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { issuerOf, issuerOfRefused, placed } from '#routes/voting/officers-page/address.ts';
import { mailState } from '#routes/voting/officers-page/codes-and-invitations.ts';
import { type InviteListProps, inviteListPage } from '#views/voting/admin/invitations/invite-list.ts';
import { invitesPath } from '#views/voting/admin/invitations/invites-path.ts';
import { type OneElectorProps, oneElectorPage } from '#views/voting/admin/invitations/one-elector.ts';
import type { Named } from '#views/voting/words.ts';
import { findToken } from '#voting/ballots/tokens.ts';
import { findCodeEnd } from '#voting/ballots/withdrawn-codes.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import type { Issuer } from '#voting/elections/issuers.ts';
import { areVotersHidden } from '#voting/elections/visibility.ts';
import { findElector } from '#voting/electors/electors.ts';
import { mayReadRoll } from '#voting/electors/roll-access.ts';
import {
  presentAddress,
  ReplaceInput,
  replaceCode,
  WithdrawInput,
  withdrawCode,
} from '#voting/invitations/elector-codes.ts';
import { INVITES_A_PAGE, InvitesQuery, searchInvites } from '#voting/invitations/invite-search.ts';
import { getInvite, type listInvites } from '#voting/invitations/invites.ts';
import { type Remailed, remindInvite, resendInvite } from '#voting/invitations/mail-again.ts';

const params = z.object({ id: Id });
const oneInvite = params.extend({ inviteId: Id });
const query = InvitesQuery.extend({
  done: z.string().max(20).optional().catch(undefined),
  invite: Id.optional().catch(undefined),
});

/** Fields of the list's forms: the time of the last mail when the form was shown, and the query to return to. */
const Again = z.object({
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  back_q: InvitesQuery.shape.q,
  back_filter: InvitesQuery.shape.filter,
  back_sort: InvitesQuery.shape.sort,
  back_batch: InvitesQuery.shape.batch,
  back_page: InvitesQuery.shape.page,
});

/** The list of an election's invitations, with the buttons that resend a mail or send a reminder. */
export function inviteList(app: App, { ctx }: { ctx: Context }): void {
  for (const url of ['/admin/elections/:id/invitations', '/admin/papers/:id/invitations'])
    app.get(url, { schema: { params, querystring: query } }, async (request, reply) =>
      sendHtml(reply, listPage(ctx, request, issuerOf(ctx, request), request.query)),
    );

  const refused = (request: FastifyRequest, { error, message }: RefusedForm) => {
    const election = issuerOfRefused(ctx, request, error);
    const back = Again.safeParse(request.entered ?? {}).data;
    return listPage(ctx, request, election, backTo(back ?? {}), {
      kind: 'attention',
      sentence: `${message}.`,
    });
  };
  const onList = { refused, refusedStatuses: [400, 409] };

  for (const [deed, mail] of [
    ['resend', resendInvite],
    ['remind', remindInvite],
  ] as const)
    act(app, ctx, {
      ...onList,
      both: [
        `POST /admin/elections/:id/invites/:inviteId/${deed}`,
        `POST /admin/papers/:id/invites/:inviteId/${deed}`,
      ],
      params: oneInvite,
      body: Again,
      run: async ({ params: { inviteId }, body: { after }, actor, request }) =>
        mail(ctx, issuerOf(ctx, request).id, inviteId, { actor, after }),
      json: (answer, { params: { id, inviteId }, request }) => {
        const { success = false, status, queued, error } = answer ?? {};
        const roll_email = mayReadRoll(request) ? otherAddress(ctx, id, inviteId) : undefined;
        return {
          success,
          status,
          ...(queued && { queued }),
          ...(error && { error }),
          ...(roll_email && { roll_email }),
        };
      },
      next: (answer, { params: { inviteId }, body, request }) => {
        const path = invitesPath(issuerOf(ctx, request), backTo(body));
        const done = answer ? doneWord(deed, answer) : 'before';
        const said = new URLSearchParams({ done, invite: inviteId });
        return `${path}${path.includes('?') ? '&' : '?'}${said}#mailed`;
      },
    });
}

/** The address that the roll has now, where it is not the one that the invitation goes to. */
function otherAddress(ctx: Context, electionId: string, inviteId: string): string | undefined {
  const invite = getInvite(ctx.db, electionId, inviteId);
  const address = presentAddress(ctx.db, invite);
  return address === null || address === invite.email ? undefined : address;
}

const backTo = ({
  back_q: q,
  back_filter: filter,
  back_sort: sort,
  back_batch: batch,
  back_page: page,
}: z.output<typeof Again>) => ({ q, filter, sort, batch, page });

function doneWord(deed: 'resend' | 'remind', { success, status }: Remailed): string {
  if (success) return deed;
  return status === 'QUEUED' ? 'later' : 'failed';
}

type Said = NonNullable<InviteListProps['said']>;

function listPage(
  ctx: Context,
  request: FastifyRequest,
  election: Issuer,
  asked: Partial<z.output<typeof query>>,
  refusal?: Said,
) {
  const zone = ctx.config.TIME_ZONE;
  const found = searchInvites(ctx, election, { ...EMPTY, ...asked }, mayReadRoll(request));
  const short = (at: number | null) => (at === null ? null : formatShortNear(at, ctx.now(), zone));
  return inviteListPage({
    election: { ...placed(ctx, request, named(election)), status: electionStatus(election, ctx.now()) },
    ...found,
    rows: found.rows.map((row) => ({
      id: row.id,
      email: row.email,
      name: row.name,
      standing: row.standing,
      status: row.status,
      created: formatShortNear(row.created_at, ctx.now(), zone),
      sent: short(row.sent_at),
      used: row.used,
      slip: row.slip,
      withdrawn: row.withdrawn_at !== null,
      ended: row.ended,
      rollEmail: row.roll_email,
      mailed_at: row.mailed_at ?? 0,
      remailed: (row.mailed_at ?? 0) > (row.sent_at ?? Infinity) ? short(row.mailed_at) : null,
      error: row.error,
    })),
    pageSize: INVITES_A_PAGE,
    zone: zoneName(zone),
    said: refusal ?? said(found.recipient(asked.invite), asked.done),
    ...mailState(ctx),
    viewer: request.viewer,
  });
}

const named = ({ id, title, isPaper }: Issuer): Named => ({ id, title, isPaper });

const EMPTY = { q: undefined, filter: undefined, sort: undefined, batch: undefined, page: undefined };

const SENTENCES: Readonly<Record<string, (who: Words | string, error: Words | string) => Said>> = {
  resend: (who) => ({ kind: 'success', sentence: t('voting-admin.invite_list.link_sent_again', { who }) }),
  replaced: (who) => ({
    kind: 'success',
    sentence: t('voting-admin.invite_list.new_link_made_goes_out', { who }),
  }),
  slip: (who) => ({
    kind: 'success',
    sentence: t('voting-admin.invite_list.new_code_made_print_slip', { who }),
  }),
  withdrawn: (who) => ({ kind: 'success', sentence: t('voting-admin.invite_list.code_withdrawn', { who }) }),
  remind: (who) => ({ kind: 'success', sentence: t('voting-admin.invite_list.reminded', { who }) }),
  failed: (who, error) => ({
    kind: 'attention',
    sentence: t('voting-admin.invite_list.mail_sent', { who, error }),
  }),
  later: (who, error) => ({
    kind: 'attention',
    sentence: t('voting-admin.invite_list.mail_server_deferred_mail_service', { who, error }),
  }),
  before: (who) => ({
    kind: 'attention',
    sentence: t('voting-admin.invite_list.nothing_sent_mail_just_before', { who }),
  }),
};

type SaidOf = Pick<ReturnType<typeof listInvites>[number], 'email' | 'name' | 'error' | 'roll_email'>;

function said(row: SaidOf | undefined, done?: string): Said | undefined {
  const sentence = ownValue(SENTENCES, done);
  if (!row || !sentence) return undefined;
  const { email, name, error, roll_email } = row;
  const who = commas([name, email]) ?? t('voting-admin.invite_list.somebody_from_roll');
  const said = sentence(
    who,
    error === null ? t('voting-admin.invite_list.reason_known') : reasonWords(error),
  );
  if (roll_email === null || done !== 'resend') return said;
  const other = t('voting-admin.invite_list.roll_another_address_now_old', { email: roll_email });
  return { kind: 'attention', sentence: sentences([said.sentence, other])! };
}

/** The voting code of one elector: its page, and the acts that end it before it is used. */
export function electorCodes(app: App, { ctx }: { ctx: Context }): void {
  const one = {
    config: { permission: 'elections:run' },
    schema: { params: oneInvite, summary: 'The voting code of one elector, to replace or withdraw it' },
  } as const;
  for (const url of ['/admin/elections/:id/invites/:inviteId', '/admin/papers/:id/invites/:inviteId'])
    app.get(url, one, async (request, reply) =>
      sendHtml(reply, electorPage(ctx, request, issuerOf(ctx, request), request.params.inviteId)),
    );

  act(app, ctx, {
    ...refusedOn('withdraw'),
    both: [
      'POST /admin/elections/:id/invites/:inviteId/withdraw',
      'POST /admin/papers/:id/invites/:inviteId/withdraw',
    ],
    sudo: true,
    params: oneInvite,
    body: WithdrawInput,
    run: async ({ params: { id, inviteId }, body, actor, request }) =>
      withApproval(
        ctx,
        request,
        lateAct('withdraw', issuerOf(ctx, request), inviteId),
        () => withdrawCode(ctx, id, inviteId, body, actor),
        { tried: (on) => withdrawCode(on, id, inviteId, body, actor) },
      ),
    json: () => ({ success: true }),
    next: (_, { params: { inviteId }, request }) => doneAt(issuerOf(ctx, request), inviteId, 'withdrawn'),
  });

  act(app, ctx, {
    ...refusedOn('replace'),
    both: [
      'POST /admin/elections/:id/invites/:inviteId/replace',
      'POST /admin/papers/:id/invites/:inviteId/replace',
    ],
    sudo: true,
    params: oneInvite,
    body: ReplaceInput,
    run: async ({ params: { id, inviteId }, body, actor, request }) =>
      withApproval(
        ctx,
        request,
        lateAct('other', issuerOf(ctx, request), inviteId),
        () => replaceCode(ctx, id, inviteId, body, actor),
        { tried: (on) => replaceCode(on, id, inviteId, body, actor) },
      ),
    json: ({ status, error }) => ({
      success: error === undefined,
      status,
      ...(status === 'QUEUED' && { queued: true }),
      ...(error && { error }),
    }),
    next: ({ status, error }, { params: { inviteId }, request }) => {
      const failed = status === 'QUEUED' ? 'later' : 'failed';
      const made = status === 'SLIP' ? 'slip' : 'replaced';
      return doneAt(issuerOf(ctx, request), inviteId, error === undefined ? made : failed);
    },
  });

  /** While voting is open this changes who can vote, so the other officers learn of it or have to confirm it. */
  function lateAct(act: 'withdraw' | 'other', issuer: Issuer, inviteId: string): SensitiveAct | undefined {
    const { id, title, opened_at, ...election } = issuer;
    getInvite(ctx.db, id, inviteId);
    if (opened_at === null || electionStatus(election, ctx.now()) === 'closed') return undefined;
    return {
      kind: 'codes',
      act: t('voting-admin.invite_list.voting_code_elector_which_open', { act, title }),
    };
  }

  function refusedOn(form: 'replace' | 'withdraw') {
    const refused = (request: FastifyRequest, { error, message, errors, entered }: RefusedForm) => {
      const { inviteId = '' } = request.params as { inviteId?: string };
      const election = issuerOfRefused(ctx, request, error);
      return electorPage(ctx, request, election, inviteId, { form, message, errors, entered });
    };
    return { refused, refusedStatuses: [400, 409] };
  }
}

const doneAt = (of: Issuer, invite: string, done: string): string =>
  `${invitesPath(of)}?${new URLSearchParams({ done, invite })}#mailed`;

/** @throws 404 */
function electorPage(
  ctx: Context,
  request: FastifyRequest,
  election: Issuer,
  inviteId: string,
  refused?: OneElectorProps['refused'],
) {
  const invite = getInvite(ctx.db, election.id, inviteId);
  const { id, person_id, recipient_name, status, token_hash, withdrawn_at } = invite;
  const elector = person_id === null ? undefined : findElector(ctx.db, election.id, person_id);
  const shown = mayReadRoll(request) || elector?.as_of == null;
  const address = presentAddress(ctx.db, invite);
  const used = findToken(ctx.db, election.id, token_hash ?? '')?.used === true;
  const isHidden = areVotersHidden(ctx.db, election.id);
  return oneElectorPage({
    election: { ...placed(ctx, request, named(election)), status: electionStatus(election, ctx.now()) },
    invite: {
      id,
      email: shown ? invite.email : '',
      name: shown ? (elector?.name ?? recipient_name) : null,
      address: shown || address === null ? address : '',
      slip: status === 'SLIP',
      state:
        status === 'PREPARED'
          ? 'prepared'
          : withdrawn_at !== null
            ? 'withdrawn'
            : findCodeEnd(ctx.db, election.id, token_hash ?? '')
              ? 'ended'
              : isHidden
                ? 'hidden'
                : used
                  ? 'used'
                  : 'unused',
    },
    refused,
    ...mailState(ctx),
    viewer: request.viewer,
  });
}
