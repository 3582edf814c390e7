import { type Kysely, sql } from 'kysely';

/** Grave acts that wait for a second person. The payload goes once it is decided. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE approvals (
      id TEXT PRIMARY KEY,
      act TEXT NOT NULL,
      permission TEXT NOT NULL,
      method TEXT NOT NULL,
      url TEXT NOT NULL,
      is_form INTEGER NOT NULL CHECK (is_form IN (0, 1)),
      payload TEXT,
      hash TEXT NOT NULL,
      asked_by TEXT NOT NULL,
      asked_at INTEGER NOT NULL,
      decided_by TEXT,
      decided_at INTEGER,
      decision TEXT CHECK (decision IN ('confirmed', 'refused'))
    ) STRICT`.execute(db);
}
