import { type Kysely, sql } from 'kysely';

/** Pages of other hosts that screens show: when each was looked at, and why it cannot be shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE web_pages (
      url TEXT PRIMARY KEY,
      looked_at INTEGER NOT NULL,
      fault TEXT
    ) STRICT, WITHOUT ROWID`.execute(db);
}
