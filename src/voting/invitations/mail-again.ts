import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { mailOneNow } from '#kernel/mail/sender.ts';
import { findToken, isWaiting } from '#voting/ballots/tokens.ts';
import { findCodeEnd } from '#voting/ballots/withdrawn-codes.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { getIssuer } from '#voting/elections/issuers.ts';
import { ensureMailConfigured } from './invite-mails.ts';
import { findInvite, getInvite, type Invite } from './invites.ts';
import { ensureMayHaveLink } from './meeting-links.ts';

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
  return mailOnce(ctx, invite, 'resend', options);
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
  if (electionStatus(getIssuer(ctx.db, electionId), ctx.now()) !== 'open')
    throw badRequest('election_not_open');
  if (invite.status !== 'SENT') throw badRequest('invitation_not_sent');
  return mailOnce(ctx, invite, 'reminder', options);
}

/** Sends a mail unless another one was sent after the form was shown. Its time is stored before it is sent. */
async function mailOnce(
  ctx: Context,
  { id: ref, email, mailed_at: mailed_before }: Invite,
  kind: 'resend' | 'reminder',
  { actor, after }: AgainOptions,
): Promise<Remailed | undefined> {
  if (after !== undefined) {
    const isFirst = await ctx.write((tx) => {
      const own = build.updateTable('invites').set({ mailed_at: ctx.now() }).where('id', '=', ref);
      return tx.run(own.where((is) => is.fn.coalesce('mailed_at', is.val(0)), '=', after)) > 0;
    });
    if (!isFirst) return undefined;
  }
  const mail = { kind, ref, email, facts: { mailed_before } };
  const outcome = await mailOneNow(ctx, mail, { actor, isFinal: true });
  const status = findInvite(ctx.db, ref)?.status ?? 'FAILED';
  if (outcome.state === 'SENT') return { email, success: true, status };
  const queued = status === 'QUEUED';
  const error = 'error' in outcome && { error: outcome.error };
  return { email, success: false, status, ...(queued && { queued }), ...error };
}

/** Returns an invite with a usable link. */
function getUsableInvite(ctx: Context, electionId: string, inviteId: string): Invite {
  ensureMailConfigured(ctx);
  const election = getIssuer(ctx.db, electionId);
  const invite = getInvite(ctx.db, electionId, inviteId);
  if (electionStatus(election, ctx.now()) === 'closed') throw badRequest('election_closed');
  if (invite.withdrawn_at !== null) throw badRequest('its_code_withdrawn');
  if (invite.status === 'SLIP') throw badRequest('no_address_print_slip');
  ensureMayHaveLink(ctx.db, invite, true);
  if (findCodeEnd(ctx.db, electionId, invite.token_hash ?? '')) throw badRequest('its_link_ended');
  if (!findToken(ctx.db, electionId, invite.token_hash ?? '')) throw badRequest('its_link_deleted');
  if (!isWaiting(ctx.db, electionId, invite.token_hash)) throw badRequest('voting_code_used');
  return invite;
}
