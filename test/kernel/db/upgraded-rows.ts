import type Sqlite from 'better-sqlite3';
import { HOUR } from '#kernel/clock.ts';

type Row = Record<string, unknown>;

/** Queries for the rows of tables that a migration has replaced. */
const MOVED: Record<string, string> = {
  pub_admin_roles: `SELECT email, role, granted_by, granted_at
    FROM person_roles JOIN addresses USING (person_id)`,
  room_wishes: 'SELECT * FROM relay_commands',
  mailing_mails: `SELECT outbox.*, group_id AS mailing_id, ended_at AS sent_at,
      iif(kind = 'reminder', ref, NULL) AS invite_id, facts ->> 'mailed_before' AS mailed_before,
      nullif(due_at, created_at) AS due_at
    FROM outbox WHERE kind IN ('results', 'reminder')`,
  invites: `SELECT invites.*, claimed_by, put_off_at, nullif(due_at, outbox.created_at) AS due_at,
      coalesce(facts ->> 'waits', 0) AS wait_for_open
    FROM invites LEFT JOIN outbox ON ref = invites.id AND kind = 'invitation'`,
  // Which run was storing the plan of an ended process tells nothing.
  mailings: 'SELECT *, NULL AS claimed_by FROM mailings',
  // The cards of those who left are counted from people.
  meetings: `SELECT *, (SELECT json_group_object(class, cards) FROM (
      SELECT class, count(*) AS cards FROM attendance WHERE meeting_id = meetings.id AND card = 'back' GROUP BY class
    )) AS leaver_cards FROM meetings`,
  // Nothing read it.
  meeting_items: 'SELECT *, NULL AS void_asked_by FROM meeting_items',
  remote_presence: `SELECT meeting_id, token_hash AS code_hash
    FROM remote_presence JOIN invites ON room_number = remote_presence.number`,
};

/** The counts of the setlist, which the service makes again from the plays. */
const COUNTED_AGAIN = /^rollup_(nights|subjects|counts|spans|totals)$/;

/** Removes what a migration adds to rows on purpose. */
const WITHOUT: Record<string, (row: Row) => Row> = {
  // When the ballots of earlier versions were cast, voters had not been told of a published list of ballots.
  elections: ({ settings, ...row }) => {
    const { publish_ballots: _, ...rest } = JSON.parse(String(settings));
    return { ...row, settings: JSON.stringify(rest) };
  },
  // Whether an invitation waits for the opening matters only until it is sent.
  invites: (row) => (row.status === 'QUEUED' ? row : { ...row, wait_for_open: 0 }),
  mailings: (row) => ({ ...row, claimed_by: null }),
  // Votes lose their client, and codes the moment of their use.
  audit_log: (row) => (row.action === 'vote.submitted' ? { ...row, client: null } : row),
  tokens: ({ used_at, ...row }) => ({
    ...row,
    used_at: typeof used_at === 'number' ? used_at - (used_at % HOUR) : used_at,
  }),
};

/** Returns tables with columns, references and checks, indexes and triggers, independent of the order of columns. */
export function schemaOf(database: Sqlite.Database): string[] {
  const rows = database
    .prepare(`SELECT type, name, tbl_name AS "of", sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'`)
    .all() as { type: string; name: string; of: string; sql: string }[];
  return rows
    .flatMap(({ type, name, of, sql }) => {
      const text = sql.replace(/\s+/g, ' ');
      if (type !== 'table') return [`${type} ${name} on ${of}: ${text}`];
      const columns = database.pragma(`table_xinfo("${name}")`) as Row[];
      const references = database.pragma(`foreign_key_list("${name}")`) as Row[];
      const checks = text.match(/CHECK \((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g) ?? [];
      const told = (row: Row) => JSON.stringify({ ...row, cid: undefined, id: undefined, seq: undefined });
      return [...columns.map(told), ...references.map(told), ...checks].map(
        (part) => `table ${name}: ${part}`,
      );
    })
    .sort();
}

/** Returns what an upgraded database has lost: tables, columns, rows, and changed values. */
export function lostRows(before: Sqlite.Database, after: Sqlite.Database): string[] {
  const tables = tablesOf(before).filter((table) => !COUNTED_AGAIN.test(table));
  return tables.flatMap((table) => {
    const rows = before.prepare(`SELECT * FROM "${table}"`).all() as Row[];
    const columns = columnsOf(before, table);
    const has = MOVED[table] ? columns : columnsOf(after, table);
    const gone = columns.filter((column) => !has.includes(column));
    if (gone.length > 0) return gone.map((column) => `${table}.${column}`);
    const textOf = (row: Row) => {
      const meant = WITHOUT[table]?.(row) ?? row;
      return JSON.stringify(columns.map((column) => meant[column]));
    };
    const kept = new Set(
      (after.prepare(MOVED[table] ?? `SELECT * FROM "${table}"`).all() as Row[]).map(textOf),
    );
    const lost = rows.map(textOf).filter((text) => !kept.has(text));
    return lost.map((text) => `${table}: ${text.slice(0, 200)}`);
  });
}

const tablesOf = (database: Sqlite.Database) =>
  database
    .prepare(
      `SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .pluck()
    .all() as string[];

const columnsOf = (database: Sqlite.Database, table: string) =>
  (database.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name);
