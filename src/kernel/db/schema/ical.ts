import type { Generated } from 'kysely';

/** A calendar of somebody else that is read from an address. */
export interface IcalSourcesTable {
  id: string;
  name: string;
  /** Sealed: the address of a private calendar is its password. */
  address: string;
  host: string;
  /** The last four characters of the address. */
  hint: string;
  /** JSON: `["screens","calendar"]` or `"holidays"`. */
  goes_to: string;
  /** JSON: which events count; null: all. */
  filter: string | null;
  /** Of events that have none. */
  place: string | null;
  /** Stands before their titles. */
  prefix: string | null;
  created_at: number;
  /** Of the last answer that counted. */
  etag: string | null;
  last_modified: string | null;
  /** How often the calendar asks to be read. */
  refresh_ms: number | null;
  tried_at: number | null;
  read_at: number | null;
  /** When it is read next. */
  next_at: number;
  /** Tries that failed since the last one that did not. */
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
