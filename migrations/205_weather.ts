import { type Kysely, sql } from 'kysely';

/** The last forecast for a place, and the outcome of the requests since then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE weather (
      lat REAL NOT NULL,
      lon REAL NOT NULL,
      hours TEXT,
      read_at INTEGER,
      last_modified TEXT,
      failures INTEGER NOT NULL DEFAULT 0,
      error TEXT,
      next_at INTEGER NOT NULL,
      PRIMARY KEY (lat, lon)
    ) STRICT, WITHOUT ROWID`.execute(db);
}
