import type { Generated } from 'kysely';

/** The tables of the calendar domain. */
export interface CalendarTables {
  calendars: CalendarsTable;
  subscribers: SubscribersTable;
  verifications: VerificationsTable;
  feed_tokens: FeedTokensTable;
  feed_accesses: FeedAccessesTable;
  feeds: FeedsTable;
}

export interface CalendarsTable {
  id: string;
  /** As calendar programs show it. */
  title: string;
  enabled: Generated<0 | 1>;
}

/** A person whose address was verified, once for each calendar. */
export interface SubscribersTable {
  id: string;
  calendar_id: string;
  /** Lower case. */
  email: string;
  name: string;
  /** Name and address in lower case: SQLite itself lowers only the letters a to z. */
  search: string;
  created_at: number;
  /** When the last link was confirmed. */
  verified_at: number;
  /** Set: stopped by an officer. */
  disabled_at: number | null;
  /** Set: unsubscribed, and no subscriber until the next link is confirmed. */
  left_at: number | null;
  last_access_at: number | null;
  /** The family of the program that read the feed last. */
  client: string | null;
}

/** A link that was mailed, or is about to be. */
export interface VerificationsTable {
  id: string;
  calendar_id: string;
  email: string;
  name: string;
  /** SHA-256 of the code in the link. */
  code_hash: string;
  /** `renewal`: mailed by the service before an address of the feed expires. */
  kind: 'request' | 'renewal';
  created_at: number;
  expires_at: number;
  consumed_at: number | null;
}

/** The secret part of one person's feed address; several are valid at once, for several devices. */
export interface FeedTokensTable {
  id: string;
  subscriber_id: string;
  token_hash: string;
  /** The end of the token, by which a person can tell one from another. */
  last_four: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  reminded_at: number | null;
}

/** One answered request for a feed. */
export interface FeedAccessesTable {
  id: Generated<number>;
  calendar_id: string;
  token_id: string;
  at: number;
  /** Family of the user agent, see access-log.ts. */
  client: string;
  /** The client's address, reduced to its network. */
  address: string;
}

/** The last feed that was generated and parsed again without errors. */
export interface FeedsTable {
  calendar_id: string;
  body: string;
  /** Including the quotes. */
  etag: string;
  changed_at: number;
  /** SHA-256 of all its inputs. */
  made_of: string;
}
