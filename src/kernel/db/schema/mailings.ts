import type { Generated } from 'kysely';

/** The tables of mails. */
export interface MailingTables {
  mailings: MailingsTable;
  outbox: OutboxTable;
}

/** One bulk mailing, started with a button; its row is kept for ever. */
export interface MailingsTable {
  id: string;
  kind: 'results' | 'reminders' | 'invitations';
  /** The first one, if there are several elections. */
  election_id: string;
  started_at: number;
  /** Who started it: `person:<id>`, an address, the name of a key; null if unknown. */
  started_by: string | null;
  /** Mails to be sent. */
  total: number;
  /** Recipients who get no mail, because they had one already or need none. */
  skipped: Generated<number>;
  /** Counted when it is finished. */
  sent: Generated<number>;
  failed: Generated<number>;
  /** Mails of which it is unknown whether they were sent: the service ended meanwhile. */
  unsure: Generated<number>;
  finished_at: Generated<number | null>;
  /** For invitations that are not stored yet: JSON of whom to invite to what. */
  plan: Generated<string | null>;
  /** Why it ended early. */
  note: Generated<string | null>;
}

/** A mail that must arrive, see `mail/outbox.ts`. */
export interface OutboxTable {
  id: string;
  /** A `MailKind`. */
  kind: string;
  /** Id of the row that it is about. */
  ref: string | null;
  /** JSON that it is composed from: `MailFacts` of its kind. Empty once it was sent. */
  facts: string;
  email: string;
  /** Mails with the same bundle that are due together are sent as one. */
  bundle: string | null;
  /**
   * The mailing that it belongs to. Those of reminders are deleted with its end: they would reveal who had not voted.
   */
  group_id: string | null;
  /** `UNSURE`: the service ended while it was being sent; `SKIPPED`: it is not needed any more. */
  state: 'WAITING' | 'SENDING' | 'SENT' | 'FAILED' | 'SKIPPED' | 'UNSURE';
  created_at: number;
  /** When it is tried next. */
  due_at: number;
  tries: Generated<number>;
  /** When the mail server first put it off, see `nextTry`. */
  put_off_at: Generated<number | null>;
  /** The run of the service that is sending it. The claim of another run is void: two never run at a time. */
  claimed_by: Generated<string | null>;
  claimed_at: Generated<number | null>;
  /** When it was sent, or given up. */
  ended_at: Generated<number | null>;
  error: Generated<string | null>;
}
