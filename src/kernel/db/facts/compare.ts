import { type Reader, raw } from '#kernel/db/queries.ts';
import { type Message, t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import { Note } from '#kernel/language/words.ts';
import { findSalt } from './record.ts';
import { RECORDED, readStatements, type Stated } from './statements.ts';
import {
  ALL,
  allRows,
  hashRows,
  type RecordedTable,
  recordedTables,
  rootIds,
  rowOfSubject,
} from './tables.ts';

/** A fact that is not stored as the log states it last. */
export interface FactDifference {
  /** The election, the ballot paper or the meeting. */
  subject: string;
  /** The name of the fact in sentences: "the number of hands". */
  name: Message;
  table: string;
  key: string;
  /** None where a row is missing, or the log does not know it. */
  column?: string;
}

/**
 * Compares every recorded fact of an election, a ballot paper or a meeting with the log.
 * @param key compares only the rows with this key, in the tables whose key is one column
 */
export function listFactDifferences(reader: Reader, subject: string, key?: string): FactDifference[] {
  const stated = readStatements(reader, subject).get(subject);
  if (!stated && !hasStatements(reader)) return [];
  return compare(reader, recordedTables(reader), subject, stated, key);
}

/** Before its first start with this version, a database has no facts in its log. */
const hasStatements = (reader: Reader): boolean =>
  reader.first(raw(`SELECT 1 FROM audit_log WHERE action = '${RECORDED}' LIMIT 1`, [])) !== undefined;

/**
 * Compares every recorded fact of the database with the log, by subject. A subject that the log does not know was not
 * made by the service.
 */
export function listAllFactDifferences(reader: Reader): FactDifference[] {
  const tables = recordedTables(reader);
  const statements = readStatements(reader);
  if (statements.size === 0) return [];
  const subjects = new Set(statements.keys());
  for (const table of tables)
    if (table.root) for (const { id } of reader.all(rootIds(table))) subjects.add(id);
  return [...subjects].flatMap((subject) => compare(reader, tables, subject, statements.get(subject)));
}

function compare(
  reader: Reader,
  tables: readonly RecordedTable[],
  subject: string,
  stated: Stated | undefined,
  only?: string,
): FactDifference[] {
  const salt = findSalt(reader, subject) ?? '';
  const root = findRoot(reader, tables, subject, stated);
  // What is lost as a whole is named once.
  if (root && stated?.rows.get(root.name)?.get(subject) && !reader.first(allRows(root, subject)))
    return only === undefined ? [{ subject, name: root.row, table: root.name, key: subject }] : [];
  return tables.flatMap((table) => {
    // A row of another table with the id of the subject is one that the service has not made.
    if (root && !table.root && !table.subjects.includes(root.name)) return [];
    if (only !== undefined && (table.together || table.key.length > 1)) return [];
    const rows = reader.all(
      only === undefined ? allRows(table, subject) : rowOfSubject(table, subject, only),
    );
    const differs = (key: string, name = table.row, column?: string): FactDifference[] => [
      { subject, name, table: table.name, key, ...(column !== undefined && { column }) },
    ];
    const known = stated?.rows.get(table.name) ?? new Map();
    // Of what an earlier version made, the log knows what it has recorded.
    if (stated && !stated.tables.has(table.name) && known.size === 0) return [];
    const byKey = Map.groupBy(rows, (row) => (table.together ? ALL : keyOf(row)));
    const all = table.together ? [ALL] : [...new Set([...byKey.keys(), ...known.keys()])];
    const keys = only === undefined ? all : all.filter((key) => key === only);
    return keys.flatMap((key) => {
      const row = known.get(key);
      const present = byKey.get(key) ?? [];
      if (stated?.isDeleted && present.length === 0) return [];
      if (row == null) return present.length === 0 ? [] : differs(key);
      if (!table.together && present.length === 0) return differs(key);
      const hashes = hashRows(salt, table, present);
      return table.columns.flatMap(({ name, said }) =>
        row[name] === undefined || row[name] === hashes[name] ? [] : differs(key, said, name),
      );
    });
  });
}

/** The table of the subject itself: by what the log states, otherwise by where its row is. */
const findRoot = (
  reader: Reader,
  tables: readonly RecordedTable[],
  subject: string,
  stated: Stated | undefined,
): RecordedTable | undefined => {
  const roots = tables.filter(({ root }) => root);
  return (
    roots.find(({ name }) => stated?.rows.get(name)?.has(subject)) ??
    roots.find((table) => reader.first(allRows(table, subject)))
  );
};

const keyOf = (row: Record<string, unknown>): string => row['row key'] as string;

/** What differs, each name once, as a sentence; undefined where nothing does. */
export function factSentence(differences: readonly FactDifference[]): Note | undefined {
  // `t` makes one text for each name.
  const what = commas([...new Set(differences.map(({ name }) => name))]);
  return what && new Note(t('voting.difference.recorded', { what }));
}
