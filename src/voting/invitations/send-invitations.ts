import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { type Election, electionStatus, getElection } from '#voting/elections/elections.ts';
import type { ComposeInvitation } from './invitation-mails.ts';
import { deliver, ensureMailConfigured, groupIntoMails } from './invite-delivery.ts';
import { createInvites, type InviteInput, type InviteMode, type InvitePlan } from './invites.ts';
import { type MailResult, readRecipients } from './recipients.ts';

/** Counts of mails; `total` counts every row of the results. */
export interface MailSummary {
  total: number;
  sent: number;
  failed: number;
  queued: number;
}

export interface Invited {
  /** False only when nothing was sent or queued. */
  success: boolean;
  mode: InviteMode;
  queued: number;
  summary: MailSummary;
  results: MailResult[];
}

/** Reads who is to be invited to what, without changing anything. @throws 404, 400 for a closed election */
export function planInvites(
  ctx: Context,
  electionIds: string[],
  input: z.output<typeof InviteInput>,
  defaultMode: (elections: Election[]) => InviteMode,
): InvitePlan {
  const elections = [...new Set(electionIds)].map((id) => getElection(ctx.db, id));
  if (elections.some((election) => electionStatus(election, ctx.now()) === 'closed'))
    throw badRequest('Election is closed');
  return {
    elections,
    recipients: readRecipients(ctx.db, input),
    mode: input.invite_mode ?? defaultMode(elections),
    queue: input.queue ?? false,
    batch_name: input.batch_name ?? null,
  };
}

/** Invites everyone of a plan: sends what is due now, leaves the rest to the queue. @returns a row for each recipient */
export async function inviteAll(
  ctx: Context,
  plan: InvitePlan,
  actor: Actor,
  compose: ComposeInvitation,
): Promise<Invited> {
  ensureMailConfigured(ctx);
  const created = await createInvites(ctx, plan, actor);
  const mails = groupIntoMails(created);
  const sent = await deliver(ctx, mails, actor, compose);

  const batch = plan.mode === 'batch';
  // One mail a recipient in batch mode, one a recipient and election in individual mode: so are the rows.
  const queued = batch
    ? [...new Set(created.queued.map(({ email }) => email))]
    : created.queued.map(({ email }) => email);
  const reached = new Set([...mails, ...created.queued].map(({ email }) => email));
  const repeated = batch
    ? [...new Set(created.before.map(({ email }) => email))].filter((email) => !reached.has(email))
    : created.before.map(({ email }) => email);
  const refused = [
    ...repeated.map((email) => ({ email, success: false, error: 'Already invited' })),
    ...plan.recipients.invalid,
  ];
  const results = [...sent, ...queued.map((email) => ({ email, success: true, queued: true })), ...refused];
  const ok = sent.filter(({ success }) => success).length;
  return {
    success: ok + queued.length > 0,
    mode: plan.mode,
    queued: queued.length,
    summary: {
      total: results.length,
      sent: ok,
      failed: results.length - ok - queued.length,
      queued: queued.length,
    },
    results,
  };
}
