import type { Generated } from 'kysely';

/** Mails to many about an election. */
export interface MailingTables {
  mailings: MailingsTable;
  mailing_mails: MailingMailsTable;
}

/** One press of a button that mails many: what was sent stands here for good. */
export interface MailingsTable {
  id: string;
  kind: 'results' | 'reminders' | 'invitations';
  /** Of several elections the first. */
  election_id: string;
  started_at: number;
  /** Who pressed: `person:<id>`, an address, the name of a key; null where nobody is known. */
  started_by: string | null;
  /** Mails to be sent. */
  total: number;
  /** Recipients who get none, for they had one or need none. */
  skipped: Generated<number>;
  /** Counted when it is finished. */
  sent: Generated<number>;
  failed: Generated<number>;
  /** Of which nobody knows whether they went out: the service ended meanwhile. */
  unsure: Generated<number>;
  finished_at: Generated<number | null>;
  /** Of invitations that are not stored yet: JSON of whom to invite to what. */
  plan: Generated<string | null>;
  /** The run of the service that is storing them. */
  claimed_by: Generated<string | null>;
  /** Why it ended early. */
  note: Generated<string | null>;
}

/** A mail of a mailing. Those of reminders go when it is finished: they would tell who had not voted. */
export interface MailingMailsTable {
  id: string;
  mailing_id: string;
  /** Of a reminder. */
  invite_id: string | null;
  email: string;
  state: 'WAITING' | 'SENDING' | 'SENT' | 'FAILED' | 'SKIPPED' | 'UNSURE';
  /** The run of the service that is sending it. */
  claimed_by: Generated<string | null>;
  /** Of a reminder: the `mailed_at` that its invite had before. */
  mailed_before: number | null;
  sent_at: Generated<number | null>;
  error: Generated<string | null>;
  /** When the mail server first put it off, and when it is tried next; see `nextTry`. */
  put_off_at: Generated<number | null>;
  due_at: Generated<number | null>;
}
