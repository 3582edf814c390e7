import { type SqlBool, sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import { MAY_LACK_CANDIDATES } from '#voting/elections/choice.ts';
import { type Election, listElections } from '#voting/elections/elections.ts';
import type { CreatedInvites } from './create-invites.ts';
import { type ComposeInvitation, type InvitationKind, prepareInvitation } from './invitation-mails.ts';
import type { Invite } from './invites.ts';
import { NOT_PUT_OFF, nextTry } from './put-off.ts';
import { failedMail, type MailResult, queuedAgain, type TriedMail } from './recipients.ts';

/** One mail and its invites: one, or in batch mode all invites of a recipient. */
export interface InvitationMail {
  email: string;
  invites: Invite[];
  /** Elections the recipient was invited to before; a batch mail lists them too. */
  before: Invite[];
}

/** @throws 500 naming the configuration without which no mail can be sent (specification, Invitation rules) */
export function ensureMailConfigured(ctx: Context): void {
  const missing = ctx.mailer.missing();
  if (missing.length > 0) throw new AppError(500, `Missing configuration: ${missing.join(', ')}`);
}

/** Groups invites into mails: one per recipient in batch mode, else one per invite. */
export function groupIntoMails({ now, before }: Pick<CreatedInvites, 'now' | 'before'>): InvitationMail[] {
  const single = now.filter(({ mode }) => mode === 'individual');
  const grouped = Map.groupBy(
    now.filter(({ mode }) => mode === 'batch'),
    recipientOf,
  );
  return [
    ...single.map((invite) => ({ email: invite.email, invites: [invite], before: [] })),
    ...[...grouped].map(([recipient, invites]) => ({
      email: invites[0]!.email,
      invites,
      before: before.filter((one) => recipientOf(one) === recipient),
    })),
  ];
}

/** The key of a recipient: the person, or the address if the person is unknown. */
export const recipientOf = ({ person_id, email }: Pick<Invite, 'person_id' | 'email'>): string =>
  person_id ?? email;

/** Sends mails concurrently and marks their invites. A mail that the server refuses is a result, never an error. */
export async function deliver(
  ctx: Context,
  mails: InvitationMail[],
  actor: Actor,
  compose: ComposeInvitation,
): Promise<MailResult[]> {
  const elections = electionsById(ctx.db);
  return Promise.all(
    mails.map(async (mail) => {
      const result = await sendOne(ctx, mail, elections, 'invitation', compose);
      return markInvites(ctx, mail.invites, result, actor);
    }),
  );
}

/**
 * The background job of the queue: claims due invites and sends what MAILER_PACE_PER_MINUTE allows in a second. Invites
 * that wait for an election are due once it is open. Invites that an ended process had claimed are due again.
 */
export async function sendQueuedInvites(ctx: Context, compose: ComposeInvitation): Promise<void> {
  if (ctx.mailer.missing().length > 0) return;
  const claimed = await claimDue(ctx, Math.max(1, Math.floor(ctx.config.MAILER_PACE_PER_MINUTE / 60)));
  if (claimed.length === 0) return;
  const mails = groupIntoMails({ now: claimed, before: [] });
  await deliver(ctx, mails, { ip: SERVICE, at: ctx.now() }, compose);
}

/** Sends the mail of an invite again, or a reminder. It does not change the invite. */
export async function sendAgain(
  ctx: Context,
  invite: Invite,
  kind: InvitationKind,
  compose: ComposeInvitation,
): Promise<TriedMail> {
  const mail = { email: invite.email, invites: [invite], before: [] };
  return sendOne(ctx, mail, electionsById(ctx.db), kind, compose);
}

async function sendOne(
  ctx: Context,
  { email, invites, before }: InvitationMail,
  elections: Map<string, Election>,
  kind: InvitationKind,
  compose: ComposeInvitation,
): Promise<TriedMail> {
  const data = await prepareInvitation(ctx, email, [...invites, ...before], elections, kind);
  if (!data) return { email, success: false, error: 'The voting link is no longer there' };
  // An invitation has the same id at each try, so that a mail server can recognise a repeat.
  const id = kind === 'invitation' ? `invite-${invites[0]!.id}` : `${kind}-${invites[0]!.id}-${ctx.now()}`;
  const sent = await ctx.mailer.send({ to: email, id, ...compose(data) });
  return sent.ok ? { email, success: true } : failedMail(email, sent);
}

async function markInvites(
  ctx: Context,
  invites: Invite[],
  tried: TriedMail,
  actor: Actor,
): Promise<MailResult> {
  const { putOff, ...result } = tried;
  const { success, error } = result;
  return ctx.write((tx) => {
    const now = ctx.now();
    const later = putOff ? nextTry(invites[0]!, now) : undefined;
    if (later) {
      const queued = { status: 'QUEUED', claimed_by: null, error: error ?? null, ...later } as const;
      for (const invite of invites) markInvite(tx, invite, queued);
      return queuedAgain(tried);
    }
    for (const invite of invites) {
      const { id, election_id } = invite;
      const state = success
        ? ({ status: 'SENT', sent_at: now, mailed_at: now, error: null } as const)
        : ({ status: 'FAILED', error: error ?? 'Not sent' } as const);
      if (!markInvite(tx, invite, { ...state, ...NOT_PUT_OFF, claimed_by: null })) continue;
      const action = success ? 'invite.sent' : 'invite.failed';
      recordAudit(tx, { ...actor, at: now }, { action, election_id, metadata: { invite_id: id } });
    }
    return result;
  });
}

/**
 * @returns whether the invite still has the code that was mailed: its election may have been deleted in the meantime, or
 * its code withdrawn or replaced
 */
function markInvite(tx: Tx, { id, token_hash }: Invite, set: Partial<Invite>): boolean {
  const own = build.updateTable('invites').set(set).where('id', '=', id);
  return tx.run(own.where('token_hash', 'is', token_hash)) > 0;
}

/** Mails for an open election wait while it has no candidates: their links would open no ballot. */
const hasBallotToOpen = (now: number) =>
  sql<SqlBool>`(open_at > ${now} OR ballot_type NOT IN (${sql.join(MAY_LACK_CANDIDATES)})
    OR EXISTS (SELECT 1 FROM options WHERE options.election_id = elections.id))`;

/** Claims the due invites of up to `mails` mails for this process. A batch mail's invites are claimed together. */
async function claimDue(ctx: Context, mails: number): Promise<Invite[]> {
  const now = ctx.now();
  return ctx.write((tx) => {
    const due = build
      .selectFrom('invites')
      .innerJoin('elections', 'elections.id', 'invites.election_id')
      .selectAll('invites')
      .select(['open_at', 'close_at', 'closed_at'])
      .where('status', '=', 'QUEUED')
      .where((where) => where.or([where('claimed_by', 'is', null), where('claimed_by', '!=', ctx.run)]))
      .where((where) => where.or([where('due_at', 'is', null), where('due_at', '<=', now)]))
      .where((where) => where.or([where('wait_for_open', '=', 0), where('open_at', '<=', now)]))
      .where('close_at', '>', now)
      .where('closed_at', 'is', null)
      .where(hasBallotToOpen(now))
      .orderBy('email')
      .orderBy('invites.id');
    const first = tx.all(due.limit(mails));
    if (first.length === 0) return [];
    const grouped = first.filter(({ mode }) => mode === 'batch');
    const emails = grouped.map(({ email }) => email);
    const recipients = new Set(grouped.map(recipientOf));
    const together = tx.all(due.where('mode', '=', 'batch').where('email', 'in', emails));
    const all = [
      ...first.filter(({ mode }) => mode === 'individual'),
      ...together.filter((invite) => recipients.has(recipientOf(invite))),
    ];
    tx.run(
      build
        .updateTable('invites')
        .set({ claimed_by: ctx.run })
        .where(
          'id',
          'in',
          all.map(({ id }) => id),
        ),
    );
    return all.map(({ open_at: _, close_at: __, closed_at: ___, ...invite }) => ({
      ...invite,
      claimed_by: ctx.run,
    }));
  });
}

function electionsById(reader: Reader): Map<string, Election> {
  return new Map(listElections(reader).map((row) => [row.id, row]));
}
