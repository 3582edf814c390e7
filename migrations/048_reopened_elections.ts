import { type Kysely, sql } from 'kysely';

/** When an election was opened again after its result was shown, with how many ballots, and whether figures are withheld. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE elections ADD COLUMN reopened_at INTEGER`.execute(db);
  await sql`ALTER TABLE elections ADD COLUMN reopened_ballots INTEGER`.execute(db);
  await sql`ALTER TABLE elections ADD COLUMN figures_withheld INTEGER NOT NULL DEFAULT 0
    CHECK (figures_withheld IN (0, 1))`.execute(db);
  // Used codes of deleted batches are refused as used ones.
  await sql`
    CREATE TABLE deleted_used_codes (
      token_hash TEXT PRIMARY KEY,
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      submission_hash TEXT
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX deleted_used_codes_election ON deleted_used_codes (election_id)`.execute(db);
}
