import { type SqlBool, sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type NewMail, type OutboxMail, type Outcome, putMail, readMail } from '#kernel/mail/outbox.ts';
import { sendMails, type Tried } from '#kernel/mail/sender.ts';
import { issuers } from '#voting/elections/issuers.ts';
import { MAY_LACK_CANDIDATES } from '#voting/elections/options.ts';
import { findInvite, type Invite } from './invites.ts';
import { abandonMailing, byStarter, finishMailing } from './mailings.ts';
import { NOT_SENT, VOTING_CLOSED } from './not-sent.ts';
import type { MailResult } from './recipients.ts';

/** The kinds of mail about an invite, which is their `ref`. */
export type InviteMailKind = 'invitation' | 'resend' | 'reminder';

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** `waits`: until its election opens. `before`: ids of earlier invites that the mail lists too. */
    invitation: { waits?: true; before?: string[] };
    /** `mailed_before`: the `mailed_at` of the invite before this mail. */
    resend: { mailed_before: number | null };
    reminder: { mailed_before: number | null };
  }
}

/** @throws 500 naming the configuration without which no mail can be sent (specification, Invitation rules) */
export function ensureMailConfigured(ctx: Context): void {
  const missing = ctx.mailer.missing();
  if (missing.length > 0) throw new AppError(500, 'configuration_missing', { names: missing });
}

/** The key of a recipient: the person, or the address if the person is unknown. */
export const recipientOf = ({ person_id, email }: Pick<Invite, 'person_id' | 'email'>): string =>
  person_id ?? email;

/**
 * Stores the mail of a queued invite, in place of an earlier one. Batch invites of one recipient that are due together
 * are one mail.
 * @param opens when its election opens, if it waits for that
 * @param run as in `putMail`
 */
export function putInvitation(
  tx: Tx,
  invite: Invite,
  { opens, now, run }: { opens: number | undefined; now: number; run?: string | undefined },
): OutboxMail<'invitation'> {
  tx.run(build.deleteFrom('outbox').where('ref', '=', invite.id).where('kind', '=', 'invitation'));
  const bundle = invite.mode === 'batch' ? recipientOf(invite) : null;
  const { id: ref, email, mailing_id: group_id } = invite;
  const [facts, due_at] = opens === undefined ? [{}, now] : [{ waits: true as const }, opens];
  const mail = { kind: 'invitation', ref, email, bundle, group_id, facts, due_at } as const;
  return putMail(tx, mail, now, run) as OutboxMail<'invitation'>;
}

/** Counts invites as mailed from now on, so that two requests at once remind nobody twice. @returns their reminders */
export function putReminders(tx: Tx, invites: readonly Invite[], now: number): NewMail[] {
  return invites.map(({ id: ref, email, mailed_at: mailed_before }) => {
    setInvite(tx, ref, { mailed_at: now });
    return { kind: 'reminder', ref, email, facts: { mailed_before } };
  });
}

/** The mail of a queued invite, unless it is being sent. */
export function findWaiting(reader: Reader, inviteId: string): OutboxMail<'invitation'> | undefined {
  const waiting = build
    .selectFrom('outbox')
    .selectAll()
    .where('kind', '=', 'invitation')
    .where('state', '=', 'WAITING');
  const row = reader.first(waiting.where('ref', '=', inviteId));
  return row && (readMail(row) as OutboxMail<'invitation'>);
}

/**
 * Deletes the mails about an invite whose code ends; one that is being sent then changes nothing any more.
 * @param change changes the invite; the mailings of these mails may be finished after it
 */
export function endMails(tx: Tx, inviteId: string, actor: Actor, change: () => void): void {
  const own = tx.all(build.selectFrom('outbox').select('group_id').where('ref', '=', inviteId));
  tx.run(build.deleteFrom('outbox').where('ref', '=', inviteId));
  change();
  for (const group of new Set(own.map(({ group_id }) => group_id))) finishMailing(tx, group, actor);
}

/**
 * An invitation is due once its election or paper has opened, if it waits for that. To an open election without candidates it is
 * not: its link would open no ballot.
 */
export const isInvitationDue = (now: number) =>
  sql<SqlBool>`EXISTS (
    SELECT 1 FROM invites JOIN ${issuers} AS issuer ON issuer.id = invites.election_id
    WHERE invites.id = outbox.ref AND issuer.close_at > ${now} AND issuer.closed_at IS NULL
      AND (facts ->> 'waits' IS NULL OR issuer.open_at <= ${now})
      AND NOT EXISTS (SELECT 1 FROM elections
        WHERE (elections.id = issuer.id OR elections.paper_id = issuer.id) AND elections.open_at <= ${now}
          AND elections.closed_at IS NULL AND ballot_type IN (${sql.join(MAY_LACK_CANDIDATES)})
          AND NOT EXISTS (SELECT 1 FROM options WHERE options.election_id = elections.id)))`;

const setInvite = (tx: Tx, id: string, set: Partial<Invite>): number =>
  tx.run(build.updateTable('invites').set(set).where('id', '=', id));

const errorOf = (outcome: Outcome): string | null => ('error' in outcome ? outcome.error : null);

/** Stores in the invites what became of their invitation. */
export function settleInvitation(
  tx: Tx,
  mails: readonly OutboxMail<'invitation'>[],
  outcome: Outcome,
  actor: Actor,
): void {
  const { at } = actor;
  for (const { ref, group_id } of mails) {
    const invite = findInvite(tx, ref ?? '');
    if (!invite) continue;
    const { id, election_id } = invite;
    if (outcome.state === 'WAITING') {
      setInvite(tx, id, { status: 'QUEUED', error: outcome.error });
      continue;
    }
    const isSent = outcome.state === 'SENT';
    if (isSent) setInvite(tx, id, { status: 'SENT', sent_at: at, mailed_at: at, error: null });
    else setInvite(tx, id, { status: 'FAILED', error: errorOf(outcome) });
    const action = isSent ? 'invite.sent' : 'invite.failed';
    recordAudit(tx, actor, { action, election_id, metadata: { invite_id: id } });
    finishMailing(tx, group_id, actor);
  }
}

/** Stores what became of a link that an officer sent again. It replaces a waiting invitation. */
export function settleResend(
  tx: Tx,
  { ref, facts }: OutboxMail<'resend'>,
  outcome: Outcome,
  actor: Actor,
): void {
  const invite = findInvite(tx, ref ?? '');
  // The fate of a mail that was being sent when the service ended is unknown; waiting mails keep waiting.
  if (!invite || outcome.state === 'UNSURE') return;
  const { id, election_id } = invite;
  const { at } = actor;
  const success = outcome.state === 'SENT';
  const waiting = findWaiting(tx, id);
  const staysQueued = waiting !== undefined && outcome.state === 'FAILED' && outcome.putOff === true;
  const over = () => {
    // If the first mail arrived, a failed second one does not change that: the person still gets reminders.
    const status = success || invite.status === 'SENT' ? 'SENT' : staysQueued ? 'QUEUED' : 'FAILED';
    const times = success ? { sent_at: at, mailed_at: at } : { mailed_at: facts.mailed_before };
    setInvite(tx, id, { status, error: errorOf(outcome), ...times });
  };
  if (waiting && !staysQueued) {
    tx.run(build.deleteFrom('outbox').where('id', '=', waiting.id));
    over();
    finishMailing(tx, waiting.group_id, actor);
  } else over();
  // An officer could misuse the decrypted link, so this is recorded whether or not the mail was sent.
  recordAudit(tx, actor, { action: 'invite.resent', election_id, metadata: { invite_id: id, success } });
}

/**
 * Stores what became of a reminder. After a failure the earlier time is restored, so that the person is reminded
 * again.
 */
export function settleReminder(
  tx: Tx,
  { ref, facts, group_id }: OutboxMail<'reminder'>,
  outcome: Outcome,
  actor: Actor,
): void {
  const invite = findInvite(tx, ref ?? '');
  const isOne = group_id === null;
  if (outcome.state === 'WAITING' || (outcome.state === 'UNSURE' && isOne) || !invite) return;
  const { id, election_id } = invite;
  if (outcome.state === 'SENT') {
    setInvite(tx, id, { mailed_at: actor.at, ...(isOne && { error: null }) });
    const by = byStarter(tx, group_id, actor);
    recordAudit(tx, by, { action: 'reminder.sent', election_id, metadata: { invite_id: id } });
  } else if (outcome.state === 'FAILED' || isOne)
    setInvite(tx, id, { mailed_at: facts.mailed_before, ...(isOne && { error: errorOf(outcome) }) });
  if (errorOf(outcome) === VOTING_CLOSED) abandonMailing(tx, group_id, VOTING_CLOSED, actor.at);
  finishMailing(tx, group_id, actor);
}

/** Sends those mails of a mailing that this process has claimed. @returns a row for each that was tried */
export async function sendClaimed(
  ctx: Context,
  mailing: { mails: OutboxMail[] } | undefined,
  actor: Actor,
): Promise<MailResult[]> {
  const claimed = mailing?.mails.filter(({ state }) => state === 'SENDING') ?? [];
  const tried = await sendMails(ctx, claimed, { actor });
  return tried.filter(({ outcome }) => outcome.state !== 'SKIPPED').map(resultOf);
}

/** The row of a result for a mail that was tried. */
export function resultOf({ mails: [{ email }], outcome }: Tried): MailResult {
  if (outcome.state === 'SENT') return { email, success: true };
  const error = errorOf(outcome) ?? NOT_SENT;
  return { email, success: false, error, ...(outcome.state === 'WAITING' && { queued: true }) };
}
