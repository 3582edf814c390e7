import { type Selectable, sql } from 'kysely';
import { type Actor, recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build, ONE, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { InvitesTable, MailingsTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { type NewMail, type OutboxMail, putMail } from '#kernel/mail/outbox.ts';

export type Mailing = Selectable<MailingsTable>;
/** A mailing with more mails than this is sent after the answer, at the pace of the job. */
export const SENT_AT_ONCE = 100;

/** The progress of a mailing. */
export interface MailingProgress {
  /** Not tried yet, or being sent. */
  waiting: number;
  sent: number;
  failed: number;
  unsure: number;
}

type NewMailing = Pick<Mailing, 'kind' | 'election_id'> &
  Partial<Pick<Mailing, 'skipped' | 'plan' | 'total'>>;

/**
 * Stores a mailing with its mails.
 * @param run as in `putMail`
 */
export function createMailing(
  tx: Tx,
  mailing: NewMailing,
  mails: readonly NewMail[],
  actor: Actor,
  run?: string,
): { id: string; mails: OutboxMail[] } {
  const id = newId(actor.at);
  tx.run(
    build.insertInto('mailings').values({
      total: mails.length,
      ...mailing,
      id,
      started_at: actor.at,
      started_by: actor.person === undefined ? (actor.by ?? null) : `person:${actor.person}`,
    }),
  );
  return { id, mails: mails.map((mail) => putMail(tx, { ...mail, group_id: id }, actor.at, run)) };
}

const mailingById = prepare((p: { id: string }) =>
  build.selectFrom('mailings').selectAll().where('id', '=', p.id),
);

export const findMailing = (reader: Reader, id: string): Mailing | undefined =>
  reader.first(mailingById({ id }));

/** @throws 404 */
export function getMailing(reader: Reader, id: string): Mailing {
  const mailing = findMailing(reader, id);
  if (!mailing) throw notFound('mailing_not_found');
  return mailing;
}

/** The mailings of an election, the newest first. */
export function listMailings(reader: Reader, electionId: string): Mailing[] {
  return reader.all(
    build
      .selectFrom('mailings')
      .selectAll()
      .where('election_id', '=', electionId)
      .orderBy(sql`rowid`, 'desc'),
  );
}

/** Returns the newest mailing of a kind. */
export function lastMailing(reader: Reader, electionId: string, kind: Mailing['kind']): Mailing | undefined {
  return reader.first(
    build
      .selectFrom('mailings')
      .selectAll()
      .where('election_id', '=', electionId)
      .where('kind', '=', kind)
      .orderBy(sql`rowid`, 'desc')
      .limit(ONE),
  );
}

/** Returns the progress of a mailing. While it runs, its mails or invitations are counted. */
export function progressOf(reader: Reader, mailing: Mailing): MailingProgress {
  const { id, kind, finished_at, sent, failed, unsure, total } = mailing;
  if (finished_at !== null) return { waiting: 0, sent, failed, unsure };
  const counts = kind === 'invitations' ? countInvites(reader, id) : countMails(reader, id);
  if (mailing.plan === null) return counts;
  return { ...counts, waiting: Math.max(0, total - counts.sent - counts.failed) };
}

function countMails(reader: Reader, mailingId: string): MailingProgress {
  const counts = new Map(
    reader
      .all(
        build
          .selectFrom('outbox')
          .select((of) => ['state', of.fn.countAll<number>().as('mails')])
          .where('group_id', '=', mailingId)
          .groupBy('state'),
      )
      .map(({ state, mails }) => [state, mails]),
  );
  const of = (state: OutboxMail['state']) => counts.get(state) ?? 0;
  return {
    waiting: of('WAITING') + of('SENDING'),
    sent: of('SENT'),
    failed: of('FAILED'),
    unsure: of('UNSURE'),
  };
}

function countInvites(reader: Reader, mailingId: string): MailingProgress {
  const counts = new Map(
    reader
      .all(
        build
          .selectFrom('invites')
          .select((of) => ['status', of.fn.countAll<number>().as('invites')])
          .where('mailing_id', '=', mailingId)
          .groupBy('status'),
      )
      .map(({ status, invites }) => [status, invites]),
  );
  const of = (status: InvitesTable['status']) => counts.get(status) ?? 0;
  return { waiting: of('QUEUED'), sent: of('SENT'), failed: of('FAILED'), unsure: 0 };
}

/** The actor of what the service does for a mailing: the person who started it. */
export function byStarter(reader: Reader, mailingId: string | null, actor: Actor): Actor {
  const by = actor.ip === SERVICE && mailingId !== null ? findMailing(reader, mailingId)?.started_by : null;
  return by ? { ...actor, by } : actor;
}

/** Stores the final counts of a mailing once all its mails were tried, and records a mailed result. */
export function finishMailing(tx: Tx, id: string | null, actor: Actor): void {
  if (id === null || hasOpenMails(tx, id)) return;
  const mailing = findMailing(tx, id);
  if (!mailing || mailing.finished_at !== null || mailing.plan !== null) return;
  const { kind, election_id, total, skipped } = mailing;
  const { sent, failed, unsure } = progressOf(tx, mailing);
  const set = { sent, failed, unsure, finished_at: actor.at };
  const left = kind === 'invitations' ? skipped : skipped + total - sent - failed - unsure;
  tx.run(
    build
      .updateTable('mailings')
      .set({ ...set, skipped: left })
      .where('id', '=', id),
  );
  if (kind === 'results') {
    const metadata = { sent, failed, ...(unsure > 0 && { unsure }) };
    recordAudit(tx, byStarter(tx, id, actor), { action: 'results.emailed', election_id, metadata });
  }
  if (kind === 'reminders')
    tx.run(build.deleteFrom('outbox').where('group_id', '=', id).where('state', '!=', 'FAILED'));
}

/** Whether mails of a mailing wait, or are being sent. */
export const hasOpenMails = (reader: Reader, id: string): boolean =>
  reader.first(openMails({ id })) !== undefined;

const openMails = prepare((p: { id: string }) =>
  build
    .selectFrom('outbox')
    .select('id')
    .where('group_id', '=', p.id)
    .where('state', 'in', ['WAITING', 'SENDING'])
    .limit(ONE),
);

/** Ends a mailing whose mails must not be sent any more. */
export function abandonMailing(tx: Tx, id: string | null, note: string, at: number): void {
  if (id === null) return;
  tx.run(build.updateTable('mailings').set({ note }).where('id', '=', id));
  tx.run(
    build
      .updateTable('outbox')
      .set({ state: 'SKIPPED', ended_at: at, error: note })
      .where('group_id', '=', id)
      .where('state', '=', 'WAITING'),
  );
}

/** The failed mails of a finished mailing, with the reasons. */
export function listFailedMails(reader: Reader, mailingId: string): Pick<OutboxMail, 'email' | 'error'>[] {
  return reader.all(
    build
      .selectFrom('outbox')
      .select(['email', 'error'])
      .where('group_id', '=', mailingId)
      .where('state', '=', 'FAILED')
      .orderBy('email'),
  );
}
