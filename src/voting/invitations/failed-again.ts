import { type SqlBool, sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { OutboxMail } from '#kernel/mail/outbox.ts';
import { isWaiting } from '#voting/ballots/tokens.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { getIssuer } from '#voting/elections/issuers.ts';
import type { Invite } from '#voting/invitations/invites.ts';
import { ensureMailConfigured, putInvitation, putReminders, sendClaimed } from './invite-mails.ts';
import { createMailing, getMailing, type Mailing, SENT_AT_ONCE } from './mailings.ts';

/**
 * Sends the failed mails of a mailing again, as a new mailing. It leaves out people who got a mail meanwhile or have
 * voted, so that pressing the button twice sends nothing twice.
 * @returns the id of the new mailing; undefined if there is nothing to send
 * @throws 404; 500 while no mail can be sent
 */
export async function mailFailedAgain(ctx: Context, id: string, actor: Actor): Promise<string | undefined> {
  const mailing = getMailing(ctx.db, id);
  ensureMailConfigured(ctx);
  const started = await ctx.write((tx) => {
    const failed = listFailedAgain(tx, mailing, ctx.now());
    if (failed.length === 0) return undefined;
    if (mailing.kind === 'invitations') return queueAgain(tx, mailing, failed, actor);
    return remindAgain(tx, mailing, failed, actor, failed.length <= SENT_AT_ONCE ? ctx.run : undefined);
  });
  if (!started) return undefined;
  await sendClaimed(ctx, started, actor);
  return started.id;
}

/** Lists the invites whose mail in this mailing failed and may be sent again. Mails of results have their own page. */
export function listFailedAgain(reader: Reader, mailing: Mailing, now: number): Invite[] {
  if (mailing.finished_at === null || mailing.kind === 'results') return [];
  const invites = build.selectFrom('invites').selectAll('invites');
  const failed =
    mailing.kind === 'invitations'
      ? invites.where('mailing_id', '=', mailing.id).where('status', '=', 'FAILED')
      : invites
          .innerJoin('outbox', 'outbox.ref', 'invites.id')
          .where('outbox.group_id', '=', mailing.id)
          .where('outbox.state', '=', 'FAILED')
          .where('invites.status', '=', 'SENT')
          // A different time means that another mail was sent meanwhile, or is being sent.
          .where(sql<SqlBool>`invites.mailed_at IS (outbox.facts ->> 'mailed_before')`);
  const open = new Map<string, boolean>();
  const isOpen = (id: string) => {
    if (!open.has(id)) {
      const status = electionStatus(getIssuer(reader, id), now);
      open.set(id, mailing.kind === 'invitations' ? status !== 'closed' : status === 'open');
    }
    return open.get(id) === true;
  };
  return reader.all(failed).filter(
    ({ email, election_id, token_hash }) =>
      // Missing and erased addresses are left out.
      email.includes('@') && isOpen(election_id) && isWaiting(reader, election_id, token_hash),
  );
}

interface Started {
  id: string;
  mails: OutboxMail[];
}

/** Queues the invitations again. The earlier mailing keeps its counts. */
function queueAgain(tx: Tx, { election_id }: Mailing, failed: Invite[], actor: Actor): Started {
  const { id } = createMailing(tx, { kind: 'invitations', election_id, total: failed.length }, [], actor);
  const set = { status: 'QUEUED', error: null, mailing_id: id } as const;
  const mails = failed.map((invite) => {
    tx.run(build.updateTable('invites').set(set).where('id', '=', invite.id));
    return putInvitation(tx, { ...invite, ...set }, { opens: undefined, now: actor.at });
  });
  for (const [election, invites] of Map.groupBy(failed, (invite) => invite.election_id)) {
    const metadata = { count: invites.length };
    recordAudit(tx, actor, { action: 'invite.queued', election_id: election, metadata });
  }
  return { id, mails };
}

/** Stores the new reminders. As with the first ones, the invites count as mailed from now on. */
function remindAgain(
  tx: Tx,
  { election_id }: Mailing,
  failed: Invite[],
  actor: Actor,
  run: string | undefined,
): Started {
  return createMailing(
    tx,
    { kind: 'reminders', election_id },
    putReminders(tx, failed, actor.at),
    actor,
    run,
  );
}
