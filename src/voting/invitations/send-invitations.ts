import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { badField, badRequest } from '#kernel/http/errors.ts';
import { sendMails } from '#kernel/mail/sender.ts';
import { todayOf } from '#people/roll/people.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { getIssuer, type Issuer, questionsOfAll } from '#voting/elections/issuers.ts';
import { ensureChoice } from '#voting/elections/options.ts';
import { TRIAL_VOTERS } from '#voting/elections/trials.ts';
import { type CreatedInvites, createInvites, type InvitePlan } from './create-invites.ts';
import { ensureMailConfigured, recipientOf, resultOf } from './invite-mails.ts';
import type { Invite, InviteInput, InviteMode } from './invites.ts';
import { ALREADY_INVITED, NO_ADDRESS } from './not-sent.ts';
import { type MailResult, readInvitees } from './recipients.ts';

/** Counts of mails; `total` counts every row of the results. */
export interface MailSummary {
  total: number;
  sent: number;
  failed: number;
  queued: number;
  /** People without an address, who get printed slips; absent without any. */
  slips?: number;
}

export interface Invited {
  /** False only when nothing was sent, queued or put on a slip. */
  success: boolean;
  mode: InviteMode;
  queued: number;
  summary: MailSummary;
  results: MailResult[];
}

/** Reads who is to be invited to which elections; changes nothing. @throws 404, 400 for a closed election */
export function planInvites(
  ctx: Context,
  electionIds: string[],
  input: z.output<typeof InviteInput>,
  defaultMode: (elections: Issuer[]) => InviteMode,
  most?: number,
): InvitePlan {
  const elections = [...new Set(electionIds)].map((id) => getIssuer(ctx.db, id));
  if (elections.some((election) => electionStatus(election, ctx.now()) === 'closed'))
    throw badRequest('election_closed');
  ensureChoice(ctx, questionsOfAll(ctx.db, elections));
  const recipients = readInvitees(ctx.db, input, todayOf(ctx), most);
  const hasTrial = elections.some(({ trial }) => trial === 1);
  // More would be invited in the background, where they can no longer be refused.
  if (hasTrial && recipients.invitees.length > TRIAL_VOTERS)
    throw badField('emails', 'trial_full', { max: TRIAL_VOTERS });
  return {
    elections,
    ...recipients,
    mode: input.invite_mode ?? defaultMode(elections),
    queue: input.queue ?? false,
    inBackground: input.roll !== undefined && !hasTrial,
    batch_name: input.batch_name ?? null,
    roll: input.roll && { kinds: input.roll.kinds ?? [], groups: input.roll.groups ?? [] },
  };
}

/** Invites everyone of a plan: sends the due mails now and queues the rest. @returns a row for each recipient */
export async function inviteAll(ctx: Context, plan: InvitePlan, actor: Actor): Promise<Invited> {
  ensureMailConfigured(ctx);
  const created = await createInvites(ctx, plan, actor);
  if (plan.mode === 'batch') listBefore(created);
  const sent = (await sendMails(ctx, created.mails, { actor })).map(resultOf);
  const { queued, repeated, unaddressed } = rowsOf(created, plan);
  const results = [...sent, ...queued, ...repeated, ...unaddressed, ...created.refused, ...plan.invalid];
  const ok = sent.filter(({ success, queued }) => success && !queued).length;
  const slips = unaddressed.length;
  const later = queued.length + sent.filter((row) => row.queued).length;
  return {
    success: ok + later + slips > 0,
    mode: plan.mode,
    queued: later,
    summary: {
      total: results.length,
      sent: ok,
      failed: results.length - ok - later - slips,
      queued: later,
      ...(slips > 0 && { slips }),
    },
    results,
  };
}

/** A batch mail lists the elections to which its recipient was invited before, too. */
function listBefore({ mails, before }: CreatedInvites): void {
  const earlier = Map.groupBy(before, recipientOf);
  for (const { bundle, facts } of mails) {
    const own = earlier.get(bundle ?? '');
    if (own) facts.before = own.map(({ id }) => id);
  }
}

/** Returns one row per recipient in batch mode, else one per recipient and election, like the mails. */
function rowsOf({ now, queued, before, unaddressed }: CreatedInvites, { mode, invitees }: InvitePlan) {
  const names = new Map(invitees.map(({ person }) => [person?.id, person?.name]));
  const batch = mode === 'batch';
  const once = (invites: Invite[]) =>
    batch ? [...new Map(invites.map((invite) => [recipientOf(invite), invite])).values()] : invites;
  const row = (invite: Invite) => {
    const name = invite.person_id === null ? undefined : names.get(invite.person_id);
    return { email: invite.email, ...(name !== undefined && { name }) };
  };
  const reached = new Set([...now, ...queued].map(recipientOf));
  const known = once(before).filter((invite) => !batch || !reached.has(recipientOf(invite)));
  return {
    queued: once(queued).map((invite) => ({ ...row(invite), success: true, queued: true })),
    repeated: known.map((invite) => ({ ...row(invite), success: false, error: ALREADY_INVITED })),
    unaddressed: once(unaddressed).map((invite) => ({
      ...row(invite),
      success: false,
      slip: true as const,
      error: NO_ADDRESS,
    })),
  };
}
