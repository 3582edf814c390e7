import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, badRequest, conflict } from '#kernel/http/errors.ts';
import { oneOf, requiredText } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { localDate } from '#kernel/local-time.ts';
import { clubReader } from '#kernel/locale.ts';
import type { OutboxMail } from '#kernel/mail/outbox.ts';
import { sendMails } from '#kernel/mail/sender.ts';
import { hashToken, storeTokens, UNUSED } from '#voting/ballots/tokens.ts';
import { newShortCode } from '#voting/ballots/voting-code.ts';
import { type CodeEnd, endCode, findCodeEnd } from '#voting/ballots/withdrawn-codes.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { getIssuer } from '#voting/elections/issuers.ts';
import { ensureTrialRoom } from '#voting/elections/trials.ts';
import { endMails, ensureMailConfigured, findWaiting, putInvitation, resultOf } from './invite-mails.ts';
import { getInvite, type Invite, sealToken } from './invites.ts';
import { ensureMayHaveLink, keepClass, votersOfMeeting } from './meeting-links.ts';
import { NOT_SENT } from './not-sent.ts';

export const WithdrawInput = z.object({ reason: requiredText(300) });

export const ReplaceInput = WithdrawInput.extend({
  /** The destination of the new code; by default to the address, or on a slip for somebody without one. */
  to: oneOf(['address', 'slip']).optional(),
});

/** The address that a person has in the roll now; the address of the invite for somebody who is not in the roll. */
export function presentAddress(
  reader: Reader,
  { person_id, email }: Pick<Invite, 'person_id' | 'email'>,
): string | null {
  if (person_id === null) return email.includes('@') ? email : null;
  const primary = build.selectFrom('addresses').select('email').where('person_id', '=', person_id);
  return reader.first(primary.where('is_primary', '=', sql.lit(1)))?.email ?? null;
}

/**
 * Withdraws the unused code of one elector. Their invitation stays in the list without a code, so that nobody invites
 * them again by accident. An elector who was never invited is removed.
 * @throws 404; 400 once voting has closed; 409 once the code was used, or if it was withdrawn before
 */
export async function withdrawCode(
  ctx: Context,
  electionId: string,
  inviteId: string,
  { reason }: z.output<typeof WithdrawInput>,
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => {
    const invite = getChangeable(tx, electionId, inviteId, actor.at);
    if (invite.withdrawn_at !== null) throw conflict('voting_code_withdrawn');
    if (invite.status === 'PREPARED') removeElector(tx, invite);
    else {
      endCode(tx, codeOf(invite), 'withdrawn');
      // Their presence in a meeting ends with the link.
      tx.run(build.deleteFrom('remote_presence').where('number', '=', invite.room_number ?? ''));
      const status = invite.status === 'QUEUED' ? 'FAILED' : invite.status;
      const set = { ...NO_CODE, status, withdrawn_at: actor.at } as const;
      endMails(tx, inviteId, actor, () =>
        tx.run(build.updateTable('invites').set(set).where('id', '=', inviteId)),
      );
    }
    recordEnd(tx, invite, 'withdrawn', reason, actor);
  });
}

/**
 * Replaces the unused code of one elector: the old code ends, and a new one is sent to the address that the roll has
 * now, or put on a slip. Somebody whose code was withdrawn gets a new one in the same way.
 * @returns the state of the invitation, with the error of a mail that was not sent
 * @throws as `withdrawCode`; 400 naming `to` without an address; 500 while no mail can be sent
 */
export async function replaceCode(
  ctx: Context,
  electionId: string,
  inviteId: string,
  { reason, to }: z.output<typeof ReplaceInput>,
  actor: Actor,
): Promise<{ status: Invite['status']; email: string; error?: string }> {
  const { invite, mail } = await ctx.write((tx) => {
    const before = getChangeable(tx, electionId, inviteId, actor.at);
    if (before.status === 'PREPARED') throw badRequest('no_voting_code_yet');
    ensureMayHaveLink(tx, before);
    const address = presentAddress(tx, before);
    if (to === 'address' && address === null) throw badField('to', 'no_address_choose_slip');
    const email = to === 'slip' ? '' : (address ?? '');
    if (email !== '') ensureMailConfigured(ctx);
    // A link that the door ended has no code to end any more.
    const hasEnded = findCodeEnd(tx, electionId, before.token_hash ?? '') !== undefined;
    const batch = hasEnded ? undefined : endCode(tx, codeOf(before), 'replaced');
    const batch_name = batch
      ? batch.batch_name
      : t('voting-admin.tokens.replaced_on', { date: localDate(actor.at, ctx.config.TIME_ZONE) }).for(
          clubReader(),
        );
    const replaced = storeNewCode(ctx, tx, before, email, batch_name, actor);
    if (before.person_id !== null) {
      const elector = build.updateTable('electors').set({ email: email || null });
      const own = elector.where('election_id', '=', electionId).where('person_id', '=', before.person_id);
      tx.run(own);
    }
    recordEnd(tx, before, 'replaced', reason, actor);
    return replaced;
  });
  const { status, email } = invite;
  if (mail?.state !== 'SENDING') return { status, email };
  const [tried] = await sendMails(ctx, [mail], { actor });
  const { queued, success, error = NOT_SENT } = resultOf(tried!);
  if (success) return { status: 'SENT', email };
  return { status: queued ? 'QUEUED' : 'FAILED', email, error };
}

/** The columns of an invitation without a code that nobody mails. */
const NO_CODE = { token_hash: null, token_plaintext: null, error: null } as const;

/** @throws 404; 400 once voting has closed */
function getChangeable(tx: Tx, electionId: string, inviteId: string, now: number): Invite {
  if (electionStatus(getIssuer(tx, electionId), now) === 'closed') throw badRequest('election_closed');
  return getInvite(tx, electionId, inviteId);
}

const codeOf = ({ election_id, token_hash, sent_at }: Invite) => ({
  election_id,
  token_hash,
  mailed: sent_at !== null,
});

function storeNewCode(
  ctx: Context,
  tx: Tx,
  before: Invite,
  email: string,
  batch_name: string | null,
  actor: Actor,
): { invite: Invite; mail: OutboxMail | undefined } {
  const { election_id } = before;
  const now = actor.at;
  const token = email === '' ? newShortCode() : newRandomId();
  const token_hash = hashToken(token);
  storeTokens(tx, election_id, [{ token_hash, election_id, batch_name, created_at: now, ...UNUSED }]);
  ensureTrialRoom(tx, getIssuer(tx, election_id), 'to');
  // A mail that waits for the opening keeps waiting.
  const waiting = findWaiting(tx, before.id);
  const opens = waiting?.facts.waits ? waiting.due_at : undefined;
  const invite: Invite = {
    ...before,
    email,
    token_hash,
    // The mail has the link of this election alone, whatever else the person was invited to.
    mode: 'individual',
    status: email === '' ? 'SLIP' : 'QUEUED',
    sent_at: null,
    mailed_at: null,
    token_plaintext: sealToken(ctx, token),
    error: null,
    mailing_id: null,
    slip_printed_at: null,
    withdrawn_at: null,
  };
  endMails(tx, before.id, actor, () =>
    tx.run(build.updateTable('invites').set(invite).where('id', '=', before.id)),
  );
  keepClass(tx, invite, votersOfMeeting(tx, election_id, ctx.config.TIME_ZONE));
  if (email === '') return { invite, mail: undefined };
  return {
    invite,
    mail: putInvitation(tx, invite, { opens, now, run: opens === undefined ? ctx.run : undefined }),
  };
}

function removeElector(tx: Tx, { id, election_id, person_id }: Invite): void {
  tx.run(build.deleteFrom('invites').where('id', '=', id));
  if (person_id === null) return;
  const elector = build.deleteFrom('electors').where('election_id', '=', election_id);
  tx.run(elector.where('person_id', '=', person_id));
}

/** Records the end of a code: the public history shows that it happened, the reason is for officers. */
function recordEnd(tx: Tx, invite: Invite, end: CodeEnd, reason: string, actor: Actor): void {
  const { id, election_id, person_id } = invite;
  recordAudit(tx, actor, {
    action: end === 'replaced' ? 'code.replaced' : 'code.withdrawn',
    election_id,
    metadata: { invite_id: id },
    personal: { reason },
    ...(person_id !== null && { about: person_id }),
  });
}
