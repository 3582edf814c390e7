import { type Reader, raw } from '#kernel/db/queries.ts';
import { FACTS, type StatedRow } from './tables.ts';

/** The action of the entries that state facts. */
export const RECORDED = 'facts.recorded';

/** What an entry states of its subject, whose id is its `election_id`. */
export interface Statement {
  /** Tables of which the log knows every row of the subject from this entry on. */
  tables?: string[];
  /** Of what an earlier version made: it recorded no facts, and this entry states them as they were at the upgrade. */
  earlier?: true;
  /** Of an election, a paper or a meeting whose own row it states, to name it once it is lost. */
  title?: string;
  /** By table and key. */
  facts: Record<string, Record<string, StatedRow>>;
}

/** What the log states of an election, a paper or a meeting, all its entries together. */
export interface Stated {
  /** Tables of which it knows every row. */
  tables: Set<string>;
  /** By table and key; null: the row was deleted. */
  rows: Map<string, Map<string, StatedRow>>;
  title?: string;
  /** Whether the election, the paper or the meeting itself was deleted. */
  isDeleted: boolean;
}

interface Entry {
  subject: string;
  metadata: string;
}

/** Reads what the log states, by the id of the subject. @param subject all if absent */
export function readStatements(reader: Reader, subject?: string): Map<string, Stated> {
  const entries = reader.all(
    raw<Entry>(
      `SELECT election_id AS subject, metadata FROM audit_log
        WHERE action = 'facts.recorded'${subject === undefined ? '' : ' AND election_id = ?'} ORDER BY seq`,
      subject === undefined ? [] : [subject],
    ),
  );
  const all = new Map<string, Stated>();
  for (const { subject, metadata } of entries) {
    const stated: Stated = all.get(subject) ?? { tables: new Set(), rows: new Map(), isDeleted: false };
    all.set(subject, stated);
    const { tables = [], facts, title }: Statement = JSON.parse(metadata);
    if (title !== undefined) stated.title = title;
    for (const name of tables) stated.tables.add(name);
    for (const [name, rows] of Object.entries(facts)) {
      const known = stated.rows.get(name) ?? new Map<string, StatedRow>();
      stated.rows.set(name, known);
      for (const [key, row] of Object.entries(rows)) {
        known.set(key, row === null ? null : { ...known.get(key), ...row });
        if (ROOTS.has(name)) stated.isDeleted = row === null;
      }
    }
  }
  return all;
}

/** Since when the log states facts of what earlier versions made, and of how many elections, papers and meetings. */
export function findEarlier(reader: Reader): { subjects: number; since: number } | undefined {
  const found = reader.first(
    raw<{ subjects: number; since: number | null }>(
      `SELECT count(*) AS subjects, min(timestamp) AS since FROM audit_log
        WHERE action = 'facts.recorded' AND metadata ->> 'earlier' = 1`,
      [],
    ),
  );
  return found?.since == null ? undefined : { subjects: found.subjects, since: found.since };
}

const ROOTS = new Set(Object.entries(FACTS).flatMap(([name, { root }]) => (root ? [name] : [])));
