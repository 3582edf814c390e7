import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE audit_log (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      action TEXT NOT NULL,
      ip_address TEXT NOT NULL,
      election_id TEXT,
      timestamp INTEGER NOT NULL,
      metadata TEXT NOT NULL CHECK (json_valid(metadata)),
      hash TEXT NOT NULL
    ) STRICT`.execute(db);
  await sql`CREATE INDEX audit_log_action ON audit_log (action, seq)`.execute(db);
  await sql`CREATE INDEX audit_log_election ON audit_log (election_id, seq)`.execute(db);
  for (const verb of ['UPDATE', 'DELETE']) {
    await sql`
      CREATE TRIGGER ${sql.raw(`audit_log_no_${verb.toLowerCase()}`)} BEFORE ${sql.raw(verb)} ON audit_log
      BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`.execute(db);
  }
}
