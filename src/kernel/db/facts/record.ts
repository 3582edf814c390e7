import { isDeepStrictEqual } from 'node:util';
import type Sqlite from 'better-sqlite3';
import { type AuditEntry, recordAudits, SERVICE } from '#kernel/db/audit.ts';
import type { OpenDatabase } from '#kernel/db/database.ts';
import { build, type Reader, raw, type Tx } from '#kernel/db/queries.ts';
import { newCode } from '#kernel/ids.ts';
import { RECORDED, readStatements, type Statement } from './statements.ts';
import {
  ALL,
  allRows,
  childKeys,
  hashRows,
  keyOf,
  oneRow,
  type RecordedTable,
  recordedTables,
  recordedValue,
  rootIds,
  type StatedRow,
  subjectOf,
} from './tables.ts';

interface Change {
  subject: string;
  name: string;
  key: string;
  column: string;
}

/**
 * Watches the facts of votes on a connection: each transaction that changes some ends with an entry in the log that
 * states them. Changes are noted by triggers of this connection alone, so that nothing but this service states facts: a
 * file that is edited otherwise differs from its log. Facts of an earlier version, which the log does not know yet, are
 * recorded first.
 */
export async function watchFacts(database: OpenDatabase, now: () => number): Promise<void> {
  const { sqlite, db } = database;
  const tables = recordedTables(db);
  noteChanges(sqlite, tables);
  const byName = new Map(tables.map((table) => [table.name, table]));
  const noted = sqlite.prepare('SELECT 1 FROM changed_facts LIMIT 1').pluck();
  database.beforeCommit((tx) => {
    if (noted.get() !== undefined) recordChanges(tx, byName, now());
  });
  if (listMissing(db, tables).length === 0) return;
  await database.write((tx) => recordAll(tx, listMissing(tx, tables), now()));
}

function noteChanges(sqlite: Sqlite.Database, tables: readonly RecordedTable[]): void {
  sqlite.exec(`CREATE TEMP TABLE changed_facts (
    subject TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, column TEXT NOT NULL,
    PRIMARY KEY (subject, name, key, column)) WITHOUT ROWID`);
  for (const table of tables) {
    const { name, together, columns } = table;
    const note = (row: string, column: string) =>
      `INSERT OR IGNORE INTO changed_facts SELECT coalesce(${subjectOf(table, row)}, ''), '${name}',
        ${together ? `'${ALL}'` : keyOf(table, row)}, ${column}`;
    for (const [verb, row] of [
      ['INSERT', 'NEW'],
      ['DELETE', 'OLD'],
    ])
      sqlite.exec(`CREATE TEMP TRIGGER facts_${name}_${verb} AFTER ${verb} ON main.${name}
        BEGIN ${note(row!, `'${ALL}'`)}; END`);
    const changed = columns.map((column) => {
      const differs = `${recordedValue(column, 'OLD')} IS NOT ${recordedValue(column, 'NEW')}`;
      return `(CASE WHEN ${differs} THEN '${column.name}' END)`;
    });
    // One statement for all columns: each is compiled again for every connection, and for every change that it prepares.
    sqlite.exec(`CREATE TEMP TRIGGER facts_${name}_UPDATE AFTER UPDATE OF ${columns.map((one) => one.name)} ON main.${name}
      BEGIN ${note('NEW', 'column1')} FROM (VALUES ${changed}) WHERE column1 IS NOT NULL; END`);
  }
  // Whoever is erased cannot be found again by hashing guesses: the salt of what named them is renewed.
  sqlite.exec(`CREATE TEMP TRIGGER facts_erased AFTER UPDATE OF erased_at ON main.persons
    WHEN NEW.erased_at IS NOT NULL
    BEGIN INSERT OR IGNORE INTO changed_facts VALUES ('', 'persons', '', 'erased_at'); END`);
}

/** States what a transaction has changed. The time is the hour: none tells more than the entry of the act itself. */
function recordChanges(tx: Tx, tables: ReadonlyMap<string, RecordedTable>, now: number): void {
  const changes = tx.all(raw<Change>('SELECT subject, name, key, "column" FROM changed_facts', []));
  tx.run(raw('DELETE FROM changed_facts', []));
  const bySubject = Map.groupBy(changes, ({ subject }) => subject);
  const lost = bySubject.get('') ?? [];
  bySubject.delete('');
  const isErasure = lost.some(({ name }) => name === 'persons');
  // The row that tells the subject of these is gone: they were deleted with it.
  const gone = lost.filter(({ name }) => tables.has(name));
  const entries = [...bySubject].map(([subject, own]) => {
    const changed = [...own, ...gone];
    return entryOf(tx, subject, stateChanges(tx, { subject, changes: changed, isErasure }, tables));
  });
  const stating = entries.filter(({ metadata }) => Object.keys(metadata.facts).length > 0);
  recordAudits(tx, { ip: SERVICE, at: now }, stating);
}

function stateChanges(
  tx: Tx,
  { subject, changes, isErasure }: { subject: string; changes: readonly Change[]; isErasure: boolean },
  tables: ReadonlyMap<string, RecordedTable>,
): Statement {
  const isRoot = ({ name, key, column }: Change) =>
    key === subject && column === ALL && tables.get(name)?.root === true;
  const root = changes.find(isRoot);
  if (root && !tx.first(oneRow(tables.get(root.name)!, root.key))) {
    tx.run(build.deleteFrom('fact_salts').where('subject', '=', subject));
    return { facts: { [root.name]: { [root.key]: null } } };
  }
  const known = findSalt(tx, subject);
  const isNew = root !== undefined && known === undefined;
  const salt = known === undefined || isErasure ? newSalt(tx, subject) : known;
  const facts: Statement['facts'] = {};
  const rows = Map.groupBy(withChildren(tx, changes, tables), ({ name, key }) => JSON.stringify([name, key]));
  for (const own of rows.values()) {
    const { name, key } = own[0]!;
    const table = tables.get(name)!;
    const only = own.some(({ column }) => column === ALL)
      ? undefined
      : new Set(own.map(({ column }) => column));
    const found = tx.all(table.together ? allRows(table, subject) : oneRow(table, key));
    const stated = table.together || found.length > 0 ? hashRows(salt, table, found, only) : null;
    // Rows of a long list that are written anew as they were.
    if (table.together && isDeepStrictEqual(stated, lastOfList(tx, subject, name))) continue;
    facts[name] = { ...facts[name], [key]: stated };
  }
  if (!isNew && !isErasure) return { facts };
  const own = [...tables.values()].filter(({ subjects }) => !isNew || subjects.includes(root.name));
  const all = stateAll(tx, subject, own, salt);
  for (const [name, stated] of Object.entries(all)) facts[name] = { ...facts[name], ...stated };
  return { ...(isNew && { tables: [...tables.keys()] }), facts };
}

/** What the log has stated last of a table that is recorded as a whole. */
function lastOfList(reader: Reader, subject: string, table: string): StatedRow | undefined {
  const path = `$.facts.${table}`;
  const last = reader.first(
    raw<{ rows: string }>(
      `SELECT metadata -> ? AS rows FROM audit_log WHERE action = '${RECORDED}' AND election_id = ?
        AND metadata -> ? IS NOT NULL ORDER BY seq DESC LIMIT 1`,
      [path, subject, path],
    ),
  );
  return last && JSON.parse(last.rows)[ALL];
}

/** Adds the rows whose recorded values depend on a changed row of their parent. */
function withChildren(
  tx: Tx,
  changes: readonly Change[],
  tables: ReadonlyMap<string, RecordedTable>,
): Change[] {
  const depending = [...tables.values()].filter(
    ({ columns, parent }) => parent && columns.some(({ from }) => from),
  );
  return [
    ...changes,
    ...depending.flatMap((table) =>
      changes
        .filter(({ name }) => name === table.parent!.name)
        .flatMap(({ subject, key }) =>
          tx
            .all(childKeys(table, key))
            .map((row) => ({ subject, name: table.name, key: row.key, column: ALL })),
        ),
    ),
  ];
}

/** States everything of a subject. */
function stateAll(
  reader: Reader,
  subject: string,
  tables: readonly RecordedTable[],
  salt: string,
): Statement['facts'] {
  const facts: Statement['facts'] = {};
  for (const table of tables) {
    const rows = reader.all(allRows(table, subject));
    if (rows.length > 0) facts[table.name] = stateRows(salt, table, rows);
  }
  return facts;
}

const stateRows = (
  salt: string,
  table: RecordedTable,
  rows: readonly Record<string, unknown>[],
  only?: ReadonlySet<string>,
): Record<string, StatedRow> =>
  table.together
    ? { [ALL]: hashRows(salt, table, rows, only) }
    : Object.fromEntries(rows.map((row) => [row['row key'] as string, hashRows(salt, table, [row], only)]));

/** The title of a subject whose own row is stated. */
function titleOf(tx: Tx, subject: string, { facts }: Statement): { title?: string } {
  const root = ['elections', 'papers', 'meetings'].find((name) => facts[name]?.[subject]);
  const row = root && tx.first(raw<{ title: string }>(`SELECT title FROM ${root} WHERE id = ?`, [subject]));
  return row ? { title: row.title } : {};
}

const entryOf = (tx: Tx, subject: string, statement: Statement) =>
  ({
    action: RECORDED,
    election_id: subject,
    metadata: { ...titleOf(tx, subject, statement), ...statement } satisfies Record<string, unknown> &
      Statement,
    hourOnly: true,
  }) satisfies AuditEntry;

export const findSalt = (reader: Reader, subject: string): string | undefined =>
  reader.first(build.selectFrom('fact_salts').select('salt').where('subject', '=', subject))?.salt;

function newSalt(tx: Tx, subject: string): string {
  const salt = newCode();
  tx.run(build.replaceInto('fact_salts').values({ subject, salt }));
  return salt;
}

/** What the log does not know of a subject, because an earlier version made or changed it. */
interface Missing {
  subject: string;
  /** Whether the log knows nothing of it. */
  earlier: boolean;
  tables: RecordedTable[];
  /** New columns of tables that it knows. */
  columns: { table: RecordedTable; columns: Set<string> }[];
}

/** The facts that the log cannot know: no version has recorded these tables and columns yet. */
function listMissing(reader: Reader, tables: readonly RecordedTable[]): Missing[] {
  const statements = readStatements(reader);
  // Once facts were recorded, a subject that the log does not know was not made by this service.
  const isFirst = statements.size === 0;
  const subjects = isFirst
    ? tables.filter(({ root }) => root).flatMap((table) => reader.all(rootIds(table)).map(({ id }) => id))
    : [...statements].filter(([, { isDeleted }]) => !isDeleted).map(([subject]) => subject);
  return subjects.flatMap((subject) => {
    const known = statements.get(subject);
    const missing: Missing = {
      subject,
      earlier: known === undefined,
      tables: tables.filter(({ name }) => !known?.tables.has(name)),
      columns: [],
    };
    for (const table of tables) {
      const rows = [...(known?.rows.get(table.name)?.values() ?? [])].filter((row) => row !== null);
      const columns = table.columns
        .map(({ name }) => name)
        .filter((name) => rows.some((row) => !(name in row)));
      if (columns.length > 0) missing.columns.push({ table, columns: new Set(columns) });
    }
    return missing.tables.length + missing.columns.length > 0 ? [missing] : [];
  });
}

function recordAll(tx: Tx, missing: readonly Missing[], now: number): void {
  const entries = missing.map(({ subject, earlier, tables, columns }) => {
    const salt = findSalt(tx, subject) ?? newSalt(tx, subject);
    const facts = stateAll(tx, subject, tables, salt);
    for (const { table, columns: only } of columns)
      facts[table.name] = stateRows(salt, table, tx.all(allRows(table, subject)), only);
    const names = tables.map(({ name }) => name);
    return entryOf(tx, subject, { ...(earlier && { earlier }), tables: names, facts });
  });
  recordAudits(tx, { ip: SERVICE, at: now }, entries);
}
