import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError, badField } from '#kernel/http/errors.ts';
import { answerDone, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag, listOf } from '#kernel/http/validation.ts';
import { formatShort, zoneName } from '#kernel/local-time.ts';
import { formatNumber } from '#kernel/settings/locale.ts';
import type { ActDetail } from '#people/approvals/approvals.ts';
import { optionalDay } from '#people/roll/search.ts';
import { graveActs } from '#routes/people/grave-acts.ts';
import { invitationMail } from '#views/mail/invitation.ts';
import { bulkInvitesPage } from '#views/voting/admin/invitations/bulk-invites.ts';
import { inviteResultPage } from '#views/voting/admin/invitations/bulk-invites-result.ts';
import { inviteCheckPage } from '#views/voting/admin/invitations/invite-check.ts';
import { listSpareCodes } from '#voting/ballots/spare-codes.ts';
import { getTurnout } from '#voting/ballots/tokens.ts';
import { ensureChoice, listWithoutChoice } from '#voting/elections/choice.ts';
import { type Election, electionStatus, endTime, listElections } from '#voting/elections/elections.ts';
import { mayReadRoll, shownRows } from '#voting/electors/roll-access.ts';
import type { InvitePlan } from '#voting/invitations/create-invites.ts';
import { listDistributionLists } from '#voting/invitations/distribution-lists.ts';
import { sampleInvitation } from '#voting/invitations/invitation-mails.ts';
import { checkInvites } from '#voting/invitations/invite-check.ts';
import type { BulkInviteInput, InviteMode } from '#voting/invitations/invites.ts';
import { listPrepared, planPrepared } from '#voting/invitations/prepared.ts';
import { RECIPIENTS_PER_FORM, RECIPIENTS_PER_REQUEST } from '#voting/invitations/recipients.ts';
import { type Invited, inviteAll, planInvites } from '#voting/invitations/send-invitations.ts';
import { startInvitations } from '#voting/mailings/invitation-runs.ts';
import { SENT_AT_ONCE } from '#voting/mailings/send-mailing.ts';
import { goesOut, mailState, rollChoice } from './election-invitations.ts';

/** The fields of the form, parsed leniently: the check page shows what is wrong. */
export const InviteForm = z.object({
  emails: z.union([z.string(), z.array(z.string()).transform((list) => list.join('\n'))]).default(''),
  distribution_list_ids: listOf(z.string(), 100).default([]),
  roll_kinds: listOf(z.string(), 100).default([]),
  roll_groups: listOf(z.string(), 100).default([]),
  roll_on: optionalDay,
  election_ids: listOf(z.string(), 100).default([]),
  invite_mode: z.enum(['individual', 'batch']).default('batch'),
  queue: flag.default(false),
  batch_name: z.string().trim().max(200, 'must have at most 200 characters').default(''),
});

export type InviteForm = z.output<typeof InviteForm>;

/** The members of the roll that a form chooses; undefined if nothing is ticked. */
function rollOf({ roll_kinds: kinds, roll_groups: groups, roll_on: on }: InviteForm) {
  return kinds.length + groups.length === 0 ? undefined : { kinds, groups, on };
}

/** Renders the form, new or with the entered fields and their errors. */
export function bulkForm(
  ctx: Context,
  request: FastifyRequest,
  entered: Record<string, unknown>,
  problem?: RefusedForm,
) {
  const elections = listElections(ctx.db).filter(
    (election) => electionStatus(election, ctx.now()) !== 'closed',
  );
  return bulkInvitesPage({
    elections: elections.map((election) => invitable(ctx, election)),
    zone: zoneName(ctx.config.TIME_ZONE),
    lists: listDistributionLists(ctx.db),
    roll: rollChoice(ctx),
    entered,
    errors: problem?.errors ?? [],
    message: problem?.message,
    ...mailState(ctx),
    viewer: request.viewer,
  });
}

/**
 * Checks who may invite once an election has opened: the invited people are late electors. @throws 403 without
 * elections:certify or a fresh proof
 */
export async function ensureMayInvite(
  ctx: Context,
  request: FastifyRequest,
  elections: readonly Election[],
): Promise<void> {
  if (await ensureMayAddElectors(ctx, request, elections)) ensureSudo(ctx, request);
}

/** The same for the check, which changes nothing and so needs no proof. @returns whether the electors would be late */
export async function ensureMayAddElectors(
  ctx: Context,
  request: FastifyRequest,
  elections: readonly Election[],
): Promise<boolean> {
  const late = elections.some(({ opened_at }) => opened_at !== null);
  if (late) await demand(ctx, request, 'elections:certify');
  return late;
}

/** Maximum bytes of a form with thousands of addresses. */
export const LONG_FORM = 4 * 1024 * 1024;

/** Invites the recipients of a request, at most 2,000 from a script. Mails of long forms are sent in the background. */
export async function inviteWhomItNames(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { election_ids, ...input }: z.output<typeof BulkInviteInput>,
  usual?: (elections: Election[]) => InviteMode,
) {
  const isPage = wantsHtml(request);
  if (!isPage && (input.emails?.length ?? 0) > RECIPIENTS_PER_REQUEST)
    throw badField('emails', `must have at most ${formatNumber(RECIPIENTS_PER_REQUEST)} entries`);
  const most = isPage ? RECIPIENTS_PER_FORM : RECIPIENTS_PER_REQUEST;
  const plan = planInvites(ctx, election_ids, input, usual ?? (() => 'batch'), most);
  const invite = (actor: Actor) => inviteAll(ctx, plan, actor, invitationMail);
  if (!isPage) return withShownRows(ctx, request, plan, await recordLate(ctx, request, plan, invite));
  if (plan.inBackground || plan.invitees.length > SENT_AT_ONCE) {
    const start = (actor: Actor) => startInvitations(ctx, plan, actor);
    const id = await recordLate(ctx, request, plan, start);
    return reply.redirect(`/admin/mailings/${id}`, 303);
  }
  const invited = withShownRows(ctx, request, plan, await recordLate(ctx, request, plan, invite));
  return sendResult(ctx, request, reply, plan, invited, usual !== undefined);
}

/** Invites the electors that were taken over from a void election, in the background. */
export async function invitePrepared(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  election: Election,
) {
  const invitees = listPrepared(ctx.db, election.id);
  if (invitees.length === 0) throw new AppError(400, 'Everybody who was taken over is invited');
  const plan = planPrepared(ctx, election, invitees);
  const id = await recordLate(ctx, request, plan, (actor) => startInvitations(ctx, plan, actor));
  return answerDone(
    request,
    reply,
    { success: true, queued: invitees.length, mailing_id: id },
    `/admin/mailings/${id}`,
  );
}

/** Calls `invite` if that is allowed, and informs the other officers about late electors. */
async function recordLate<T>(
  ctx: Context,
  request: FastifyRequest,
  plan: InvitePlan,
  invite: (actor: Actor) => Promise<T>,
): Promise<T> {
  await ensureMayInvite(ctx, request, plan.elections);
  const opened = plan.elections.filter(({ opened_at }) => opened_at !== null);
  const titles = opened.map(({ title }) => `“${title}”`).join(', ');
  const notifyOthers =
    opened.length > 0
      ? await graveActs(ctx).about(request, `Add electors to ${titles}, which is open`, electorsOf(plan))
      : undefined;
  const invited = await invite(actorOf(request, ctx.now));
  notifyOthers?.();
  return invited;
}

/** The electors of a plan by name, else by address, for the person who confirms them. */
function electorsOf({ invitees }: InvitePlan): ActDetail[] {
  const names = invitees.map(({ person, name, email }) => person?.name ?? name ?? email ?? 'Somebody');
  return [
    { label: 'Electors', value: String(names.length) },
    { label: 'Names', value: names.join(', ') },
  ];
}

/** Without people:read, leaves out the rows that the request did not name itself. The counts stay complete. */
function withShownRows(ctx: Context, request: FastifyRequest, plan: InvitePlan, invited: Invited): Invited {
  const ids = plan.elections.map(({ id }) => id);
  const named = plan.invitees.flatMap(({ email, person }) =>
    email === null || (person !== null && person.as_of !== null) ? [] : [email],
  );
  return { ...invited, results: shownRows(ctx.db, request, ids, invited.results, named) };
}

/** Sends the page with the results of an invitation form. */
function sendResult(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  plan: InvitePlan,
  invited: Invited,
  single: boolean,
) {
  const waiting = plan.elections.filter(
    (election) => plan.queue && electionStatus(election, ctx.now()) === 'scheduled',
  );
  return sendHtml(
    reply,
    inviteResultPage({
      single: single ? plan.elections[0] : undefined,
      elections: plan.elections,
      mode: plan.mode,
      queue: plan.queue,
      batch_name: plan.batch_name,
      summary: invited.summary,
      results: invited.results,
      goesOut: goesOut(ctx, waiting),
      viewer: request.viewer,
    }),
  );
}

/** Sends the check page: what will happen to each row, and a preview of the mail. It sends no mail. */
export function checkPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  elections: Election[],
  body: InviteForm,
  single = false,
) {
  if (elections.some((election) => electionStatus(election, ctx.now()) === 'closed'))
    throw new AppError(400, 'Election is closed');
  ensureChoice(ctx, elections);
  const { invite_mode: mode, queue } = body;
  const roll = rollOf(body);
  const { rows, mails } = checkInvites(ctx, elections, {
    text: body.emails,
    listIds: body.distribution_list_ids,
    roll,
    mode,
    queue,
  });
  const waits = (election: Election) => queue && electionStatus(election, ctx.now()) === 'scheduled';
  return sendHtml(
    reply,
    inviteCheckPage({
      single: single ? elections[0] : undefined,
      elections: elections.map((election) => ({ ...invitable(ctx, election), waits: waits(election) })),
      zone: zoneName(ctx.config.TIME_ZONE),
      mode,
      queue,
      batch_name: body.batch_name || null,
      entered: request.entered ?? {},
      rows,
      roll,
      showRoll: mayReadRoll(request),
      mails,
      goesOut: goesOut(ctx, elections.filter(waits)),
      withoutChoice: listWithoutChoice(ctx.db, elections).map(({ election, candidates }) => ({
        id: election.id,
        title: election.title,
        candidates,
      })),
      spare: elections.flatMap((election) => spareOf(ctx, election)),
      samples: composeSamples(ctx, elections, mode),
      ...mailState(ctx),
      viewer: request.viewer,
    }),
  );
}

function spareOf(ctx: Context, election: Election) {
  const batches = listSpareCodes(ctx.db, election.id);
  if (batches.length === 0) return [];
  const { id, title } = election;
  return [{ election: { id, title }, batches, issued: getTurnout(ctx.db, id).issued }];
}

function composeSamples(ctx: Context, elections: Election[], mode: 'individual' | 'batch') {
  return mode === 'batch'
    ? [invitationMail(sampleInvitation(ctx, elections, mode))]
    : elections.map((election) => invitationMail(sampleInvitation(ctx, [election], mode)));
}

/** Sends a preview of the mail. Mail clients need inline styles, which the policy of other pages forbids. */
export function sendSample(
  ctx: Context,
  reply: FastifyReply,
  elections: Election[],
  { invite_mode }: InviteForm,
) {
  const [sample] = composeSamples(ctx, elections, invite_mode);
  if (!sample) throw badField('election_ids', 'choose at least one election');
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'",
    )
    .header('referrer-policy', 'no-referrer')
    .send(sample.html.toString());
}

function invitable(ctx: Context, election: Election) {
  const zone = ctx.config.TIME_ZONE;
  return {
    id: election.id,
    title: election.title,
    status: electionStatus(election, ctx.now()) as 'scheduled' | 'open',
    opens: formatShort(election.open_at, zone),
    closes: formatShort(endTime(election), zone),
  };
}
