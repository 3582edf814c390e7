import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { findToken } from '#voting/ballots/tokens.ts';
import { electionStatus, getElection } from '#voting/elections/elections.ts';
import type { ComposeInvitation } from './invitation-mails.ts';
import { ensureMailConfigured, sendAgain } from './invite-delivery.ts';
import { getInvite, type Invite } from './invites.ts';
import { NOT_PUT_OFF, nextTry } from './put-off.ts';
import type { TriedMail } from './recipients.ts';

export interface Remailed {
  email: string;
  success: boolean;
  status: Invite['status'];
  /** Whether the mail server put the mail off, and it is tried again. */
  queued?: true;
  error?: string;
}

/** Options for sending one mail again. */
export interface AgainOptions {
  actor: Actor;
  compose: ComposeInvitation;
  /** The time of the last mail when the form was shown, 0 for none: pressing the button twice sends one mail. */
  after?: number | undefined;
}

/**
 * Sends the voting link again: the same, or after a restore from a backup a new one. A queued
 * invitation stays queued if the mail server defers it.
 * @returns undefined if a mail was sent after the form was shown
 * @throws 404; 400 once the token was used or the election has closed
 */
export async function resendInvite(
  ctx: Context,
  electionId: string,
  inviteId: string,
  options: AgainOptions,
): Promise<Remailed | undefined> {
  const invite = getUsableInvite(ctx, electionId, inviteId);
  const result = await mailOnce(ctx, invite, 'resend', options);
  if (!result) return undefined;
  const { success, error, putOff } = result;
  const status = await ctx.write((tx) => {
    const now = ctx.now();
    // The queue may have sent the first mail meanwhile.
    const before = tx.first(build.selectFrom('invites').select('status').where('id', '=', inviteId))?.status;
    const later = before === 'QUEUED' && putOff ? nextTry(invite, now) : undefined;
    // If the first mail arrived, a failed second one does not change that: the person still gets reminders.
    const status = success || before === 'SENT' ? 'SENT' : later ? 'QUEUED' : 'FAILED';
    const state = { status, claimed_by: null, error: error ?? null, ...(later ?? NOT_PUT_OFF) } as const;
    const set = success
      ? { ...state, sent_at: now, mailed_at: now }
      : { ...state, mailed_at: invite.mailed_at };
    const own = build.updateTable('invites').set(set).where('id', '=', inviteId);
    // Not if the code was withdrawn or replaced meanwhile.
    tx.run(own.where('token_hash', '=', invite.token_hash));
    // An officer could misuse the decrypted link, so this is recorded whether or not the mail was sent.
    recordAudit(tx, options.actor, {
      action: 'invite.resent',
      election_id: electionId,
      metadata: { invite_id: inviteId, success },
    });
    return status;
  });
  const queued = !success && status === 'QUEUED';
  return { email: invite.email, success, status, ...(queued && { queued }), ...(error && { error }) };
}

/**
 * Reminds one person who has not voted.
 * @returns undefined if a mail was sent after the form was shown
 * @throws 404; 400 unless the election is open and the invitation was sent
 */
export async function remindInvite(
  ctx: Context,
  electionId: string,
  inviteId: string,
  options: AgainOptions,
): Promise<Remailed | undefined> {
  const invite = getUsableInvite(ctx, electionId, inviteId);
  if (electionStatus(getElection(ctx.db, electionId), ctx.now()) !== 'open')
    throw badRequest('Election is not open for voting');
  if (invite.status !== 'SENT') throw badRequest('The invitation has not been sent yet');
  const result = await mailOnce(ctx, invite, 'reminder', options);
  if (!result) return undefined;
  const { success, error } = result;
  await ctx.write((tx) => {
    const now = ctx.now();
    const set = { mailed_at: success ? now : invite.mailed_at, error: error ?? null };
    tx.run(build.updateTable('invites').set(set).where('id', '=', invite.id));
    const metadata = { invite_id: invite.id };
    if (success)
      recordAudit(
        tx,
        { ...options.actor, at: now },
        { action: 'reminder.sent', election_id: electionId, metadata },
      );
  });
  return { email: invite.email, success, status: invite.status, ...(error && { error }) };
}

/** Sends a mail unless another one was sent after the form was shown. Its time is stored before it is sent. */
async function mailOnce(
  ctx: Context,
  invite: Invite,
  kind: 'resend' | 'reminder',
  { compose, after }: AgainOptions,
): Promise<TriedMail | undefined> {
  if (after !== undefined) {
    const isFirst = await ctx.write((tx) => {
      const own = build.updateTable('invites').set({ mailed_at: ctx.now() }).where('id', '=', invite.id);
      return tx.run(own.where((is) => is.fn.coalesce('mailed_at', is.val(0)), '=', after)) > 0;
    });
    if (!isFirst) return undefined;
  }
  return sendAgain(ctx, invite, kind, compose);
}

/** Returns an invite with a usable link. */
function getUsableInvite(ctx: Context, electionId: string, inviteId: string): Invite {
  ensureMailConfigured(ctx);
  const election = getElection(ctx.db, electionId);
  const invite = getInvite(ctx.db, electionId, inviteId);
  if (electionStatus(election, ctx.now()) === 'closed') throw badRequest('Election is closed');
  if (invite.withdrawn_at !== null) throw badRequest('Its voting code was withdrawn');
  if (invite.status === 'SLIP') throw badRequest('This person has no address: print the slip');
  const found = findToken(ctx.db, electionId, invite.token_hash ?? '');
  if (!found) throw badRequest('Its voting link was deleted');
  if (found.used) throw badRequest('This voting code was used already');
  return invite;
}
