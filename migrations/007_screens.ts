import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE screens (
      screen TEXT NOT NULL,
      page TEXT NOT NULL CHECK (page IN ('tv', 'bar-right', 'projector')),
      version TEXT NOT NULL,
      viewport TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      offline_since INTEGER,
      first_seen_at INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL,
      PRIMARY KEY (screen, page)
    ) STRICT, WITHOUT ROWID`.execute(db);
}
