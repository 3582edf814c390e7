import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { findToken } from '#voting/ballots/tokens.ts';
import { electionStatus, getElection } from '#voting/elections/elections.ts';
import { ensureMailConfigured } from '#voting/invitations/invite-delivery.ts';
import type { Invite } from '#voting/invitations/invites.ts';
import { NOT_PUT_OFF } from '#voting/invitations/put-off.ts';
import { createMailing, getMailing, type Mailing } from './mailings.ts';
import { type Composers, SENT_AT_ONCE, sendMailing } from './send-mailing.ts';

/**
 * Sends the failed mails of a mailing again, as a new mailing. It leaves out people who got a mail meanwhile or have
 * voted, so that pressing the button twice sends nothing twice.
 * @returns the id of the new mailing; undefined if there is nothing to send
 * @throws 404; 500 while no mail can be sent
 */
export async function mailFailedAgain(
  ctx: Context,
  id: string,
  actor: Actor,
  composers: Composers,
): Promise<string | undefined> {
  const mailing = getMailing(ctx.db, id);
  ensureMailConfigured(ctx);
  const started = await ctx.write((tx) => {
    const failed = listFailedAgain(tx, mailing, ctx.now());
    if (failed.length === 0) return undefined;
    const { kind } = mailing;
    const again =
      kind === 'invitations'
        ? queueAgain(tx, mailing, failed, actor)
        : remindAgain(tx, mailing, failed, actor);
    return { again, count: failed.length };
  });
  if (!started) return undefined;
  const { again, count } = started;
  if (mailing.kind === 'reminders' && count <= SENT_AT_ONCE) await sendMailing(ctx, again, composers, actor);
  return again;
}

/** Lists the invites whose mail in this mailing failed and may be sent again. Mails of results have their own page. */
export function listFailedAgain(reader: Reader, mailing: Mailing, now: number): Invite[] {
  if (mailing.finished_at === null || mailing.kind === 'results') return [];
  const invites = build.selectFrom('invites').selectAll('invites');
  const failed =
    mailing.kind === 'invitations'
      ? invites.where('mailing_id', '=', mailing.id).where('status', '=', 'FAILED')
      : invites
          .innerJoin('mailing_mails', 'mailing_mails.invite_id', 'invites.id')
          .where('mailing_mails.mailing_id', '=', mailing.id)
          .where('mailing_mails.state', '=', 'FAILED')
          .where('invites.status', '=', 'SENT')
          // A different time means that another mail was sent meanwhile, or is being sent.
          .whereRef('invites.mailed_at', 'is', 'mailing_mails.mailed_before');
  const open = new Map<string, boolean>();
  const isOpen = (id: string) => {
    if (!open.has(id)) {
      const status = electionStatus(getElection(reader, id), now);
      open.set(id, mailing.kind === 'invitations' ? status !== 'closed' : status === 'open');
    }
    return open.get(id) === true;
  };
  return reader.all(failed).filter(
    ({ email, election_id, token_hash }) =>
      // Missing and erased addresses are left out.
      email.includes('@') &&
      isOpen(election_id) &&
      findToken(reader, election_id, token_hash ?? '')?.used === false,
  );
}

/** Queues the invitations again. The earlier mailing keeps its counts. */
function queueAgain(tx: Tx, { election_id }: Mailing, failed: Invite[], actor: Actor): string {
  const id = createMailing(tx, { kind: 'invitations', election_id, total: failed.length }, [], actor);
  const set = { status: 'QUEUED', claimed_by: null, error: null, mailing_id: id, ...NOT_PUT_OFF } as const;
  for (const invite of failed) tx.run(build.updateTable('invites').set(set).where('id', '=', invite.id));
  for (const [election, invites] of Map.groupBy(failed, (invite) => invite.election_id)) {
    const metadata = { count: invites.length };
    recordAudit(tx, actor, { action: 'invite.queued', election_id: election, metadata });
  }
  return id;
}

/** Stores the new reminders. As with the first ones, the invites count as mailed from now on. */
function remindAgain(tx: Tx, { election_id }: Mailing, failed: Invite[], actor: Actor): string {
  for (const { id } of failed)
    tx.run(build.updateTable('invites').set({ mailed_at: actor.at }).where('id', '=', id));
  const mails = failed.map(({ id, email, mailed_at }) => ({
    email,
    invite_id: id,
    mailed_before: mailed_at,
  }));
  return createMailing(tx, { kind: 'reminders', election_id }, mails, actor);
}
