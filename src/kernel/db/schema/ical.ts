import type { Generated } from 'kysely';

/** An external calendar that is read from an address. */
export interface IcalSourcesTable {
  id: string;
  name: string;
  /** Sealed: the address of a private calendar works like a password. */
  address: string;
  host: string;
  /** The last four characters of the address. */
  hint: string;
  /** JSON: `["screens","calendar"]` or `"holidays"`. */
  goes_to: string;
  /** JSON: which events count; null: all. */
  filter: string | null;
  /** The place of events that have none. */
  place: string | null;
  /** Added before their titles. */
  prefix: string | null;
  created_at: number;
  /** From the last accepted answer. */
  etag: string | null;
  last_modified: string | null;
  /** How often the calendar asks to be read. */
  refresh_ms: number | null;
  tried_at: number | null;
  read_at: number | null;
  /** When it is read next. */
  next_at: number;
  /** Failed tries since the last successful one. */
  fails: Generated<number>;
  /** When an answer was held back because nearly everything was missing in it. */
  doubted_at: number | null;
  /** In words; null: the last try succeeded. */
  error: string | null;
  /** Dates in the content. */
  events: Generated<number>;
  /** JSON, see IcalContent: what was last read. */
  content: string | null;
}
