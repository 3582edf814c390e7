import { type Kysely, sql } from 'kysely';

/** Tables of what issues voting codes, now an election or a ballot paper: their election_id may be that of a paper. */
const OF_ISSUERS = ['tokens', 'invites', 'electors', 'magic_link_elections', 'mailings'];

/** Ballot papers: several questions that share codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE papers (
      id TEXT PRIMARY KEY,
      title TEXT NOT NULL CHECK (title <> ''),
      description TEXT,
      settings TEXT NOT NULL CHECK (json_valid(settings)),
      open_at INTEGER NOT NULL,
      close_at INTEGER NOT NULL CHECK (close_at > open_at),
      opened_at INTEGER,
      closed_at INTEGER,
      invite_mode TEXT CHECK (invite_mode IN ('individual', 'batch')),
      created_at INTEGER NOT NULL,
      tokens_deleted INTEGER NOT NULL DEFAULT 0,
      used_tokens_deleted INTEGER NOT NULL DEFAULT 0
    ) STRICT`.execute(db);
  await sql`ALTER TABLE elections ADD COLUMN paper_id TEXT REFERENCES papers (id)`.execute(db);
  await sql`ALTER TABLE elections ADD COLUMN paper_position INTEGER`.execute(db);
  await sql`
    CREATE INDEX elections_paper ON elections (paper_id, paper_position)
    WHERE paper_id IS NOT NULL`.execute(db);

  for (const table of OF_ISSUERS) await withoutReference(db, table);
  // A code of a paper ends in each of its questions.
  await sql`ALTER TABLE withdrawn_codes RENAME TO old_withdrawn_codes`.execute(db);
  await sql`DROP INDEX withdrawn_codes_election`.execute(db);
  await sql`
    CREATE TABLE withdrawn_codes (
      token_hash TEXT NOT NULL,
      election_id TEXT NOT NULL,
      replaced INTEGER NOT NULL CHECK (replaced IN (0, 1)),
      mailed INTEGER NOT NULL CHECK (mailed IN (0, 1)),
      PRIMARY KEY (token_hash, election_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX withdrawn_codes_election ON withdrawn_codes (election_id)`.execute(db);
  await sql`
    INSERT INTO withdrawn_codes SELECT token_hash, election_id, replaced, mailed
    FROM old_withdrawn_codes`.execute(db);
  await sql`DROP TABLE old_withdrawn_codes`.execute(db);
  await sql`ALTER TABLE deleted_used_codes RENAME TO old_deleted_used_codes`.execute(db);
  await sql`DROP INDEX deleted_used_codes_election`.execute(db);
  await sql`
    CREATE TABLE deleted_used_codes (
      token_hash TEXT NOT NULL,
      election_id TEXT NOT NULL,
      submission_hash TEXT,
      PRIMARY KEY (token_hash, election_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX deleted_used_codes_election ON deleted_used_codes (election_id)`.execute(db);
  await sql`
    INSERT INTO deleted_used_codes SELECT token_hash, election_id, submission_hash
    FROM old_deleted_used_codes`.execute(db);
  await sql`DROP TABLE old_deleted_used_codes`.execute(db);
  await sql`ALTER TABLE deleted_codes RENAME TO old_deleted_codes`.execute(db);
  await sql`
    CREATE TABLE deleted_codes (
      code_sha256 TEXT NOT NULL,
      election_id TEXT NOT NULL REFERENCES deleted_elections (id),
      PRIMARY KEY (code_sha256, election_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`INSERT INTO deleted_codes SELECT code_sha256, election_id FROM old_deleted_codes`.execute(db);
  await sql`DROP TABLE old_deleted_codes`.execute(db);
}

/** Makes a table again from its stored text, without its reference to elections. */
async function withoutReference(db: Kysely<unknown>, table: string): Promise<void> {
  const { rows } = await sql<{ type: 'table' | 'index'; sql: string }>`
    SELECT type, sql FROM sqlite_master WHERE tbl_name = ${table} AND sql IS NOT NULL`.execute(db);
  const text = rows.find(({ type }) => type === 'table')?.sql ?? '';
  const rebuilt = text
    .replace(/ REFERENCES "?elections"? \(id\) ON DELETE CASCADE/, '')
    .replace(new RegExp(`^CREATE TABLE "?${table}"?`), `CREATE TABLE new_${table}`);
  if (!rebuilt.startsWith('CREATE TABLE new_') || / REFERENCES "?elections\b/.test(rebuilt))
    throw new Error(`The table ${table} has another reference to elections than expected`);
  await sql.raw(rebuilt).execute(db);
  await sql.raw(`INSERT INTO new_${table} SELECT * FROM ${table}`).execute(db);
  await sql.raw(`DROP TABLE ${table}`).execute(db);
  await sql.raw(`ALTER TABLE new_${table} RENAME TO ${table}`).execute(db);
  for (const index of rows.filter(({ type }) => type === 'index')) await sql.raw(index.sql).execute(db);
}
