import { z } from 'zod';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { badRequest, notFound } from '#kernel/http/errors.ts';
import { flag } from '#kernel/http/validation.ts';
import { findToken } from '#voting/ballots/tokens.ts';
import { electionStatus, getElection } from '#voting/elections/elections.ts';
import { areVotersHidden } from '#voting/elections/visibility.ts';
import type { ComposeInvitation } from './invitation-mails.ts';
import { ensureMailConfigured, sendAgain } from './invite-delivery.ts';
import { type Invite, invitesWithTokens } from './invites.ts';
import type { MailResult } from './recipients.ts';

/** Someone who had a mail about the election this recently is not reminded, unless `force` says so. */
const REMIND_AFTER_MS = DAY;

export const RemindersInput = z.object({ force: flag.optional() });

export interface Remailed {
  email: string;
  success: boolean;
  status: Invite['status'];
  error?: string;
}

/**
 * Sends the voting link once more: the same, or after the restore of a backup a new one. While nobody is told who has
 * voted the answer is the same for those who have; they get no mail.
 * @throws 404; 400 once the token was used or the election has closed
 */
export async function resendInvite(
  ctx: Context,
  electionId: string,
  inviteId: string,
  actor: Actor,
  compose: ComposeInvitation,
): Promise<Remailed> {
  const { invite, voted } = getUsableInvite(ctx, electionId, inviteId);
  const { success, error }: MailResult = voted
    ? { email: invite.email, success: true }
    : await sendAgain(ctx, invite, 'resend', compose);
  // Who had the first mail still has it when a second one fails, and goes on being reminded.
  const status = success || invite.status === 'SENT' ? 'SENT' : 'FAILED';
  await ctx.write((tx) => {
    const now = ctx.now();
    const state = { status, claimed_by: null, error: error ?? null } as const;
    const set = success ? { ...state, sent_at: now, mailed_at: now } : state;
    tx.run(build.updateTable('invites').set(set).where('id', '=', inviteId));
    // Opening the kept link is what an officer could misuse, so it is recorded whether the mail went out or not.
    recordAudit(tx, actor, {
      action: 'invite.resent',
      election_id: electionId,
      metadata: { invite_id: inviteId, success },
    });
  });
  return { email: invite.email, success, status, ...(error && { error }) };
}

/** Reminds one person who has not voted. @throws 404; 400 unless the election is open and the invitation went out */
export async function remindInvite(
  ctx: Context,
  electionId: string,
  inviteId: string,
  actor: Actor,
  compose: ComposeInvitation,
): Promise<Remailed> {
  const { invite, voted } = getUsableInvite(ctx, electionId, inviteId);
  if (electionStatus(getElection(ctx.db, electionId), ctx.now()) !== 'open')
    throw badRequest('Election is not open for voting');
  if (invite.status !== 'SENT') throw badRequest('The invitation has not been sent yet');
  const { success, error } = voted
    ? await recordReminder(ctx, invite, actor, { email: invite.email, success: true })
    : await recordReminder(ctx, invite, actor, await sendAgain(ctx, invite, 'reminder', compose));
  return { email: invite.email, success, status: invite.status, ...(error && { error }) };
}

/**
 * Reminds everyone who was invited, has not voted and had no mail for a day. While nobody is told who has voted the
 * answer names nobody. @throws 404, 400 unless it is open
 */
export async function sendReminders(
  ctx: Context,
  electionId: string,
  { force = false }: z.output<typeof RemindersInput>,
  actor: Actor,
  compose: ComposeInvitation,
) {
  ensureMailConfigured(ctx);
  const election = getElection(ctx.db, electionId);
  if (electionStatus(election, ctx.now()) !== 'open') throw badRequest('Election is not open for voting');
  // They count as mailed from here on, so that the same request made twice at once reminds nobody twice.
  const { total, eligible } = await ctx.write((tx) => {
    const now = ctx.now();
    const invites = tx.all(
      invitesWithTokens
        .selectAll('invites')
        .select('used_at')
        .where('invites.election_id', '=', electionId)
        .where('tokens.token_hash', 'is not', null),
    );
    const eligible = invites.filter(
      ({ status, used_at, mailed_at }) =>
        status === 'SENT' && used_at === null && (force || now - (mailed_at ?? 0) > REMIND_AFTER_MS),
    );
    for (const { id } of eligible)
      tx.run(build.updateTable('invites').set({ mailed_at: now }).where('id', '=', id));
    return { total: invites.length, eligible };
  });
  const hidden = areVotersHidden(election, ctx.now());
  const results = await Promise.all(
    eligible.map(async (invite) => {
      const result = await sendAgain(ctx, invite, 'reminder', compose);
      return hidden ? result : recordReminder(ctx, invite, actor, result);
    }),
  );
  const sent = results.filter(({ success }) => success).length;
  const summary = {
    total,
    sent,
    failed: results.length - sent,
    skipped: total - results.length,
  };
  if (hidden && sent > 0) await recordReminders(ctx, electionId, actor, sent);
  return { success: sent > 0 || results.length === 0, summary, results: hidden ? [] : results };
}

/** One entry for all: an entry for each would tell who has not voted. */
async function recordReminders(
  ctx: Context,
  election_id: string,
  actor: Actor,
  count: number,
): Promise<void> {
  await ctx.write((tx) =>
    recordAudit(
      tx,
      { ...actor, at: ctx.now() },
      { action: 'reminder.sent', election_id, metadata: { count } },
    ),
  );
}

async function recordReminder(
  ctx: Context,
  invite: Invite,
  actor: Actor,
  result: MailResult,
): Promise<MailResult> {
  await ctx.write((tx) => {
    const mailed_at = result.success ? ctx.now() : invite.mailed_at;
    tx.run(build.updateTable('invites').set({ mailed_at }).where('id', '=', invite.id));
    if (!result.success) return;
    const { election_id } = invite;
    recordAudit(
      tx,
      { ...actor, at: ctx.now() },
      { action: 'reminder.sent', election_id, metadata: { invite_id: invite.id } },
    );
  });
  return result;
}

/** An invite whose link can still be voted with; `voted` where that must not be told. */
function getUsableInvite(
  ctx: Context,
  electionId: string,
  inviteId: string,
): { invite: Invite; voted: boolean } {
  ensureMailConfigured(ctx);
  const election = getElection(ctx.db, electionId);
  const invite = ctx.db.first(
    build.selectFrom('invites').selectAll().where('id', '=', inviteId).where('election_id', '=', electionId),
  );
  if (!invite) throw notFound('Invite not found');
  if (electionStatus(election, ctx.now()) === 'closed') throw badRequest('Election is closed');
  const found = findToken(ctx.db, electionId, invite.token_hash ?? '');
  if (!found) throw badRequest('Its voting link was deleted');
  if (found.used && !areVotersHidden(election, ctx.now())) throw badRequest('Token already used');
  return { invite, voted: found.used };
}
