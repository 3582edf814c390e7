import { oncePerObject } from '#kernel/cache.ts';
import { type Reader, raw } from '#kernel/db/queries.ts';
import type { Message } from '#kernel/language/message.ts';
import { sha256 } from '#kernel/secrets.ts';
import { MEETING_FACTS } from './meetings.ts';
import type { FactTable, FactTables, Place } from './places.ts';
import { VOTING_FACTS } from './voting.ts';

/** Every column of every table of voting and meetings, and what it is to a vote. */
export const FACTS: { [Name in keyof FactTables]: FactTable<FactTables[Name]> } = {
  ...VOTING_FACTS,
  ...MEETING_FACTS,
};

/** A table with facts, as it is read. */
export interface RecordedTable {
  name: string;
  row: Message;
  together: boolean;
  root: boolean;
  /** The tables of the subjects that can have its rows. */
  subjects: readonly string[];
  /** Its column with the key of `parent`; without a parent the id of the subject. */
  of: string;
  parent: RecordedTable | undefined;
  /** Columns of the primary key. */
  key: string[];
  columns: { name: string; said: Message; from?: (row: string) => string }[];
}

/** The tables that the column of a table without a parent refers to: what issues codes is an election or a paper. */
const REFERRED: Record<string, readonly string[]> = {
  election_id: ['elections', 'papers'],
  meeting_id: ['meetings'],
};

/** The tables that have facts, in a database of this version. */
export const recordedTables = oncePerObject((reader: Reader): RecordedTable[] => {
  const known = new Map<string, RecordedTable>();
  const read = (name: string): RecordedTable => {
    const before = known.get(name);
    if (before) return before;
    const facts = FACTS[name as keyof FactTables] as FactTable;
    const parent = facts.parent && read(facts.parent);
    const made: RecordedTable = {
      name,
      row: facts.row!,
      together: facts.together === true,
      root: facts.root === true,
      subjects: parent?.subjects ?? REFERRED[facts.of] ?? [name],
      of: facts.of,
      parent,
      key: reader
        .all(raw<{ name: string }>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', [name]))
        .map((column) => column.name),
      columns: Object.entries(facts.columns as Record<string, Place>).flatMap(([column, place]) =>
        place.is === 'fact'
          ? [{ name: column, said: place.name, ...(place.from && { from: place.from }) }]
          : [],
      ),
    };
    known.set(name, made);
    return made;
  };
  return Object.keys(FACTS)
    .map(read)
    .filter(({ columns }) => columns.length > 0);
});

/** The value of a column as it is recorded. @param row the SQL name of the row */
export const recordedValue = ({ name, from }: RecordedTable['columns'][number], row: string): string =>
  from ? `CASE WHEN ${from(row)} THEN ${row}.${name} END` : `${row}.${name}`;

/** The key of a row as text: the value itself, or a JSON list. */
export const keyOf = ({ key }: RecordedTable, row: string): string =>
  key.length === 1 ? `CAST(${row}.${key[0]} AS TEXT)` : `json_array(${key.map((of) => `${row}.${of}`)})`;

/** The id of the subject of a row; null once the row that it refers to is gone. */
export const subjectOf = ({ of, parent }: RecordedTable, row: string): string =>
  parent
    ? `(SELECT ${subjectOf(parent, parent.name)} FROM main.${parent.name} WHERE ${parent.name}.${parent.key[0]} = ${row}.${of})`
    : `${row}.${of}`;

/** Selects the rows of a subject, or of a row of the parent. Its one parameter is the id. */
const rowsOf = ({ of, parent }: RecordedTable): string =>
  parent ? `${of} IN (SELECT ${parent.key[0]} FROM ${parent.name} WHERE ${rowsOf(parent)})` : `${of} = ?`;

type Row = Record<string, unknown>;

const select = (table: RecordedTable): string =>
  `SELECT ${keyOf(table, table.name)} AS "row key", ${table.columns.map(
    (column) => `${recordedValue(column, table.name)} AS ${column.name}`,
  )} FROM ${table.name}`;

const selectOfSubject = oncePerObject((table: RecordedTable) => `${select(table)} WHERE ${rowsOf(table)}`);

/** The rows of a subject in the order of their keys. */
export const allRows = (table: RecordedTable, subject: string) =>
  raw<Row>(`${selectOfSubject(table)} ORDER BY 1`, [subject]);

/** The row of a subject with a key, in a table whose key is one column. */
export const rowOfSubject = (table: RecordedTable, subject: string, key: string) =>
  raw<Row>(`${selectOfSubject(table)} AND ${table.key[0]} = ?`, [subject, key]);

export const oneRow = (table: RecordedTable, key: string) =>
  raw<Row>(`${select(table)} WHERE ${table.key.map((of) => `${of} = ?`).join(' AND ')}`, [
    ...(table.key.length === 1 ? [key] : (JSON.parse(key) as unknown[])),
  ]);

/** Keys of the rows that refer to a row of the parent. */
export const childKeys = (table: RecordedTable, parent: string) =>
  raw<{ key: string }>(`SELECT ${keyOf(table, table.name)} AS key FROM ${table.name} WHERE ${table.of} = ?`, [
    parent,
  ]);

/** The id of every subject that has a row of its own. */
export const rootIds = (table: RecordedTable) => raw<{ id: string }>(`SELECT id FROM ${table.name}`, []);

/** Stands for all rows in the entries of a table that is recorded as a whole. */
export const ALL = '*';

/** Hashes of the columns of a row, or of all rows of a table that is recorded as a whole; null: the row is gone. */
export type StatedRow = Record<string, string> | null;

/** Hashes the columns of rows. @param rows one, or all of a table that is recorded as a whole */
export function hashRows(
  salt: string,
  table: RecordedTable,
  rows: readonly Row[],
  only?: ReadonlySet<string>,
) {
  const stated: Record<string, string> = {};
  for (const { name } of table.columns) {
    if (only && !only.has(name)) continue;
    const values = rows.map((row) => [row['row key'], row[name]]);
    stated[name] = sha256(JSON.stringify([salt, table.name, name, values])).slice(0, 32);
  }
  return stated;
}
