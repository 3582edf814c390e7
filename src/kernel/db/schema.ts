import type { Generated } from 'kysely';
import type { CalendarTables } from './schema/calendar.ts';
import type { ContentTables } from './schema/content.ts';
import type { IcalSourcesTable } from './schema/ical.ts';
import type { MailingTables } from './schema/mailings.ts';
import type { MeetingTables } from './schema/meetings.ts';
import type { PeopleTables } from './schema/people.ts';
import type { PubTables } from './schema/pub.ts';
import type { RollTables } from './schema/roll.ts';
import type { VotingTables } from './schema/voting.ts';

export type * from './schema/calendar.ts';
export type * from './schema/content.ts';
export type * from './schema/ical.ts';
export type * from './schema/mailings.ts';
export type * from './schema/meetings.ts';
export type * from './schema/people.ts';
export type * from './schema/pub.ts';
export type * from './schema/roll.ts';
export type * from './schema/rollups.ts';
export type * from './schema/screen.ts';
export type * from './schema/voting.ts';

/**
 * Every table as it is stored in SQLite: the first file to read, with those of schema/. Times are integer milliseconds,
 * flags 0 or 1, JSON is text. It changes together with migrations/.
 */
export interface Database
  extends PeopleTables,
    RollTables,
    ContentTables,
    VotingTables,
    MeetingTables,
    MailingTables,
    PubTables,
    CalendarTables {
  audit_log: AuditLogTable;
  fact_salts: FactSaltsTable;
  ical_sources: IcalSourcesTable;
  workspace_content: WorkspaceContentTable;
  once_answers: OnceAnswersTable;
}

/** Requests of forms that were sent within ten minutes, see `once.ts`. */
export interface OnceAnswersTable {
  /** A hash of who sent it, the random id of the form, and what it asks for. */
  key: string;
  at: number;
  /** JSON; null while it runs, and for answers with secrets, which are in memory alone. */
  answer: string | null;
  /** JSON of what such a request has made. */
  made: string | null;
}

/**
 * Append-only (triggers refuse other changes); `hash` covers the previous hash and this entry, so they form a chain. It
 * does not cover `personal` and `client`, which may only become null: their hashes are in `metadata`.
 */
export interface AuditLogTable {
  seq: Generated<number>;
  id: string;
  action: string;
  /** `service`, `shell`, `unknown`; empty if `client` contains it, or did. Older versions stored clients here. */
  ip_address: string;
  election_id: string | null;
  timestamp: number;
  metadata: string;
  hash: string;
  /** JSON with names and addresses, and a salt. */
  personal: Generated<string | null>;
  /** JSON with `ip`, the address of the client, and a salt. */
  client: Generated<string | null>;
}

/** The random salt of the hashes by which the log states the facts of an election, a paper or a meeting. */
export interface FactSaltsTable {
  subject: string;
  salt: string;
}

/** The last good content of each workspace source, so that a restart with the workspace down loses nothing. */
export interface WorkspaceContentTable {
  source: string;
  content: string;
  /** When it was read from the workspace. */
  read_at: number;
}
