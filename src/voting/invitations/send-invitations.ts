import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { type Election, getElection, statusOf } from '#voting/elections/elections.ts';
import { deliver, ensureMailConfigured, mailsFor } from './invite-delivery.ts';
import { type InviteInput, type InviteMode, type InvitePlan, placeInvites } from './invites.ts';
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
export async function planInvites(
  ctx: Context,
  electionIds: string[],
  input: z.output<typeof InviteInput>,
  defaultMode: (elections: Election[]) => InviteMode,
): Promise<InvitePlan> {
  const elections = await Promise.all([...new Set(electionIds)].map((id) => getElection(ctx, id)));
  if (elections.some((election) => statusOf(election, ctx.now()) === 'closed'))
    throw badRequest('Election is closed');
  return {
    elections,
    recipients: await readRecipients(ctx, input),
    mode: input.invite_mode ?? defaultMode(elections),
    queue: input.queue ?? false,
    batch_name: input.batch_name ?? null,
  };
}

/** Invites everyone of a plan: mails now what is due now, leaves the rest to the queue, and tells it row by row. */
export async function inviteAll(ctx: Context, plan: InvitePlan, actor: Actor): Promise<Invited> {
  ensureMailConfigured(ctx);
  const placed = await placeInvites(ctx, plan, actor);
  const mails = mailsFor(placed);
  const sent = await deliver(ctx, mails, actor);

  const batch = plan.mode === 'batch';
  // One mail a recipient in batch mode, one a recipient and election in individual mode: so are the rows.
  const queued = batch
    ? [...new Set(placed.queued.map(({ email }) => email))]
    : placed.queued.map(({ email }) => email);
  const reached = new Set([...mails, ...placed.queued].map(({ email }) => email));
  const repeated = batch
    ? [...new Set(placed.before.map(({ email }) => email))].filter((email) => !reached.has(email))
    : placed.before.map(({ email }) => email);
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
