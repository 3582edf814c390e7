import { type Kysely, sql } from 'kysely';

/** How often each paired screen showed an announcement on a local day; kept for 90 days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE shown_announcements (
      slide TEXT NOT NULL,
      day TEXT NOT NULL,
      screen_id TEXT NOT NULL,
      screen TEXT NOT NULL,
      times INTEGER NOT NULL,
      PRIMARY KEY (slide, day, screen_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX shown_announcements_screen ON shown_announcements (screen_id, day)`.execute(db);
}
