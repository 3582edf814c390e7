import { type Kysely, sql } from 'kysely';

/** Calls for candidates, the nominations that came in, and who seconds them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE nomination_calls (
      item_id TEXT PRIMARY KEY REFERENCES meeting_items (id) ON DELETE CASCADE,
      opens_at INTEGER NOT NULL,
      closes_at INTEGER NOT NULL CHECK (closes_at > opens_at),
      first_closes_at INTEGER NOT NULL,
      who TEXT NOT NULL CHECK (who IN ('members', 'anybody')),
      seconders INTEGER NOT NULL CHECK (seconders BETWEEN 0 AND 5),
      picture INTEGER NOT NULL CHECK (picture IN (0, 1))
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE nominations (
      id TEXT PRIMARY KEY,
      item_id TEXT NOT NULL REFERENCES nomination_calls (item_id) ON DELETE CASCADE,
      code_hash TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      email TEXT NOT NULL,
      text TEXT NOT NULL,
      proposer TEXT,
      picture TEXT,
      created_at INTEGER NOT NULL,
      consented_at INTEGER,
      withdrawn_at INTEGER,
      decision TEXT CHECK (decision IN ('accepted', 'refused')),
      reason TEXT,
      decided_at INTEGER,
      decided_by TEXT,
      option_id TEXT
    ) STRICT`.execute(db);
  await sql`CREATE INDEX nominations_item ON nominations (item_id)`.execute(db);
  await sql`CREATE INDEX nominations_email ON nominations (email)`.execute(db);
  await sql`
    CREATE TABLE nomination_seconders (
      id TEXT PRIMARY KEY,
      nomination_id TEXT NOT NULL REFERENCES nominations (id) ON DELETE CASCADE,
      code_hash TEXT NOT NULL UNIQUE,
      email TEXT NOT NULL,
      seconded_at INTEGER,
      UNIQUE (nomination_id, email)
    ) STRICT`.execute(db);
  await sql`CREATE INDEX nomination_seconders_email ON nomination_seconders (email)`.execute(db);
}
