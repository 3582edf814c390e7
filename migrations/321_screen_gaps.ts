import { type Kysely, sql } from 'kysely';

/** When a screen was not heard from, for the page about the evening: written when it reports again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE screen_gaps (
      screen_id TEXT NOT NULL REFERENCES screens (id) ON DELETE CASCADE,
      from_at INTEGER NOT NULL,
      until_at INTEGER NOT NULL CHECK (until_at > from_at),
      PRIMARY KEY (screen_id, from_at)
    ) STRICT, WITHOUT ROWID`.execute(db);
}
