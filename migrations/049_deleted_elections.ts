import { type Kysely, sql } from 'kysely';

/** Deleted elections that had ballots, and their voting codes. What is published of them is in the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deleted_elections (
      id TEXT PRIMARY KEY,
      log_erased_at INTEGER
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    CREATE TABLE deleted_codes (
      code_sha256 TEXT PRIMARY KEY,
      election_id TEXT NOT NULL REFERENCES deleted_elections (id)
    ) STRICT, WITHOUT ROWID`.execute(db);
}
