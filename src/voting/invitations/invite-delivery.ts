import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/writes.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { Election } from '#voting/elections/elections.ts';
import { type InvitationKind, invitationMail } from './invitation-mails.ts';
import type { Invite, PlacedInvites } from './invites.ts';
import type { MailResult } from './recipients.ts';

/** One mail and the invites it brings: one, or in batch mode all of a recipient's. */
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

/** Sorts placed invites into mails: one per recipient in batch mode, else one per invite. */
export function mailsFor({ now, before }: Pick<PlacedInvites, 'now' | 'before'>): InvitationMail[] {
  const single = now.filter(({ mode }) => mode === 'individual');
  const grouped = Map.groupBy(
    now.filter(({ mode }) => mode === 'batch'),
    ({ email }) => email,
  );
  return [
    ...single.map((invite) => ({ email: invite.email, invites: [invite], before: [] })),
    ...[...grouped].map(([email, invites]) => ({
      email,
      invites,
      before: before.filter((one) => one.email === email),
    })),
  ];
}

/** Sends mails side by side and marks each of their invites SENT or FAILED. A refusal is a result, never an error. */
export async function deliver(ctx: Context, mails: InvitationMail[], actor: Actor): Promise<MailResult[]> {
  const elections = await electionsById(ctx);
  return Promise.all(
    mails.map(async (mail) => {
      const result = await sendOne(ctx, mail, elections, 'invitation');
      await markInvites(ctx, mail.invites, result, actor);
      return result;
    }),
  );
}

/**
 * The job behind the queue: claims what is due and sends it, as many mails in one run as the pace allows a second.
 * Due is what waits for an election that is open now, and what a run that has died had claimed.
 */
export async function sendQueuedInvites(ctx: Context): Promise<void> {
  if (ctx.mailer.missing().length > 0) return;
  const claimed = await claimDue(ctx, Math.max(1, Math.floor(ctx.config.MAILER_PACE_PER_MINUTE / 60)));
  if (claimed.length === 0) return;
  await deliver(ctx, mailsFor({ now: claimed, before: [] }), { ip: SERVICE, at: ctx.now() });
}

/** Sends one mail about an invite once more, or a reminder of it. It does not touch the invite. */
export async function sendAgain(ctx: Context, invite: Invite, kind: InvitationKind): Promise<MailResult> {
  return sendOne(ctx, { email: invite.email, invites: [invite], before: [] }, await electionsById(ctx), kind);
}

async function sendOne(
  ctx: Context,
  { email, invites, before }: InvitationMail,
  elections: Map<string, Election>,
  kind: InvitationKind,
): Promise<MailResult> {
  const mail = await invitationMail(ctx, email, [...invites, ...before], elections, kind);
  if (!mail) return { email, success: false, error: 'The voting link is no longer there' };
  // The same id each time an invitation is tried, so that a mail server can tell a repeat from a second mail.
  const id = kind === 'invitation' ? `invite-${invites[0]!.id}` : `${kind}-${invites[0]!.id}-${ctx.now()}`;
  const sent = await ctx.mailer.send({ to: email, id, ...mail });
  return sent.ok ? { email, success: true } : { email, success: false, error: sent.error };
}

async function markInvites(
  ctx: Context,
  invites: Invite[],
  { success, error }: MailResult,
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => {
    const now = ctx.now();
    for (const { id, election_id } of invites) {
      const state = success
        ? ({ status: 'SENT', sent_at: now, mailed_at: now, error: null } as const)
        : ({ status: 'FAILED', error: error ?? 'Not sent' } as const);
      // An election deleted in the meantime took its invites along.
      if (
        tx.run(
          build
            .updateTable('invites')
            .set({ ...state, claimed_by: null })
            .where('id', '=', id),
        ) === 0
      )
        continue;
      const action = success ? 'invite.sent' : 'invite.failed';
      recordAudit(tx, { ...actor, at: now }, { action, election_id, metadata: { invite_id: id } });
    }
  });
}

/** Claims up to `mails` mails' worth of due invites for this run. All that one batch mail brings go together. */
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
      .where((where) => where.or([where('wait_for_open', '=', 0), where('open_at', '<=', now)]))
      .where('close_at', '>', now)
      .where('closed_at', 'is', null)
      .orderBy('email')
      .orderBy('invites.id');
    const first = tx.all(due.limit(mails));
    if (first.length === 0) return [];
    const grouped = first.filter(({ mode }) => mode === 'batch').map(({ email }) => email);
    const all = [
      ...first.filter(({ mode }) => mode === 'individual'),
      ...tx.all(due.where('mode', '=', 'batch').where('email', 'in', grouped)),
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

async function electionsById(ctx: Context): Promise<Map<string, Election>> {
  const rows = await ctx.db.selectFrom('elections').selectAll().execute();
  return new Map(rows.map((row) => [row.id, row]));
}
