import { type Kysely, sql } from 'kysely';

/** Calendars of others that are shown, with what was last read of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE ical_sources (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      address TEXT NOT NULL,
      host TEXT NOT NULL,
      hint TEXT NOT NULL,
      goes_to TEXT NOT NULL CHECK (json_valid(goes_to)),
      filter TEXT CHECK (json_valid(filter)),
      place TEXT,
      prefix TEXT,
      created_at INTEGER NOT NULL,
      etag TEXT,
      last_modified TEXT,
      refresh_ms INTEGER,
      tried_at INTEGER,
      read_at INTEGER,
      next_at INTEGER NOT NULL,
      fails INTEGER NOT NULL DEFAULT 0,
      doubted_at INTEGER,
      error TEXT,
      events INTEGER NOT NULL DEFAULT 0,
      content TEXT
    ) STRICT`.execute(db);
}
