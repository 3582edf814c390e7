import { type Kysely, sql } from 'kysely';

/** The entries that state the facts of votes are found by their subject; their hashes are salted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX audit_log_facts ON audit_log (election_id, seq) WHERE action = 'facts.recorded'`.execute(db);
  await sql`
    CREATE TABLE fact_salts (
      subject TEXT PRIMARY KEY,
      salt TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`.execute(db);
}
