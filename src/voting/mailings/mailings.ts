import { type Selectable, sql } from 'kysely';
import type { Actor } from '#kernel/db/audit.ts';
import { build, ONE, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { MailingMailsTable, MailingsTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Invite } from '#voting/invitations/invites.ts';
import type { TriedMail } from '#voting/invitations/recipients.ts';

export type Mailing = Selectable<MailingsTable>;
export type MailingMail = Selectable<MailingMailsTable>;

/** Sends one mail of a mailing; `skipped` if it must not be sent any more. */
export type SendMail = (mail: MailingMail) => Promise<TriedMail | 'skipped'>;

/** A mail that is added to a mailing. */
export interface NewMail {
  email: string;
  invite_id?: string | null;
  mailed_before?: number | null;
}

/** The progress of a mailing. */
export interface MailingProgress {
  /** Not tried yet, or being sent. */
  waiting: number;
  sent: number;
  failed: number;
  unsure: number;
}

const insertMail = prepare(
  (mail: Pick<MailingMail, 'id' | 'mailing_id' | 'invite_id' | 'email' | 'mailed_before'>) =>
    build.insertInto('mailing_mails').values({
      id: mail.id,
      mailing_id: mail.mailing_id,
      invite_id: mail.invite_id,
      email: mail.email,
      mailed_before: mail.mailed_before,
      state: 'WAITING',
    }),
);

type NewMailing = Pick<Mailing, 'kind' | 'election_id'> &
  Partial<Pick<Mailing, 'skipped' | 'plan' | 'total'>>;

/** Stores a mailing with its mails, before the first of them is sent. @returns its id */
export function createMailing(tx: Tx, mailing: NewMailing, mails: readonly NewMail[], actor: Actor): string {
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
  for (const { email, invite_id = null, mailed_before = null } of mails)
    tx.run(insertMail({ id: newId(actor.at), mailing_id: id, invite_id, email, mailed_before }));
  return id;
}

const mailingById = prepare((p: { id: string }) =>
  build.selectFrom('mailings').selectAll().where('id', '=', p.id),
);

export const findMailing = (reader: Reader, id: string): Mailing | undefined =>
  reader.first(mailingById({ id }));

/** @throws 404 */
export function getMailing(reader: Reader, id: string): Mailing {
  const mailing = findMailing(reader, id);
  if (!mailing) throw notFound('Mailing not found');
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

export function countMails(reader: Reader, mailingId: string): MailingProgress {
  const counts = new Map(
    reader
      .all(
        build
          .selectFrom('mailing_mails')
          .select((of) => ['state', of.fn.countAll<number>().as('mails')])
          .where('mailing_id', '=', mailingId)
          .groupBy('state'),
      )
      .map(({ state, mails }) => [state, mails]),
  );
  const of = (state: MailingMail['state']) => counts.get(state) ?? 0;
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
  const of = (status: Invite['status']) => counts.get(status) ?? 0;
  return { waiting: of('QUEUED'), sent: of('SENT'), failed: of('FAILED'), unsure: 0 };
}

/** The failed mails of a finished mailing, with the reasons. */
export function listFailedMails(reader: Reader, mailingId: string): Pick<MailingMail, 'email' | 'error'>[] {
  return reader.all(
    build
      .selectFrom('mailing_mails')
      .select(['email', 'error'])
      .where('mailing_id', '=', mailingId)
      .where('state', '=', 'FAILED')
      .orderBy('email'),
  );
}
