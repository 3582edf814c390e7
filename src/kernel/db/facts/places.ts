import type { MeetingTables } from '#kernel/db/schema/meetings.ts';
import type { VotingTables } from '#kernel/db/schema/voting.ts';
import type { Message } from '#kernel/language/message.ts';

/** The tables of voting and meetings. */
export type FactTables = VotingTables & MeetingTables;

/** What a column is to a vote: every column of voting and meetings has one place in `FACTS`. */
export type Place =
  /**
   * A fact: each change of it is stated in the log by an entry `facts.recorded` of the same transaction, and the last
   * one must fit the row. `name` says it in sentences. `from`: SQL on a row; before it holds, the value is not recorded,
   * where its changes would tell when somebody came.
   */
  | { is: 'fact'; name: Message; from?: (row: string) => string }
  /** A fact of which the log has a sum or a hash, in the entry of another action: single changes would tell too much. */
  | { is: 'summed'; name: string; action: string }
  /** Follows from other columns, which are compared. */
  | { is: 'derived'; from: string }
  /** Names and addresses, which can be erased. */
  | { is: 'personal' }
  /** No fact of a vote, and why. */
  | { is: 'none'; why: string };

export const fact = (name: Message, from?: (row: string) => string): Place => ({
  is: 'fact',
  name,
  ...(from && { from }),
});
export const summed = (name: string, action: string): Place => ({ is: 'summed', name, action });
export const derived = (from: string): Place => ({ is: 'derived', from });
export const personal: Place = { is: 'personal' };
export const none = (why: string): Place => ({ is: 'none', why });

/** A table of voting or meetings. */
export interface FactTable<Columns = Record<string, unknown>> {
  /**
   * The column with the id of the election, the paper or the meeting that a row belongs to; or a column that refers to
   * the `id` of another table.
   */
  of: keyof Columns & string;
  parent?: keyof FactTables;
  /** What a row is called in sentences: of a table with facts. */
  row?: Message;
  /** Whether a column is recorded for all rows of a subject together: long lists. */
  together?: true;
  /** Its rows are elections, papers or meetings themselves. */
  root?: true;
  columns: { [Column in keyof Columns]-?: Place };
}
