import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE display_images (
      kind TEXT NOT NULL CHECK (kind IN ('announcement', 'tender', 'tender-qr')),
      page_id TEXT NOT NULL,
      edited TEXT NOT NULL,
      type TEXT NOT NULL,
      etag TEXT NOT NULL,
      bytes BLOB NOT NULL,
      fetched_at INTEGER NOT NULL,
      PRIMARY KEY (kind, page_id)
    ) STRICT`.execute(db);
}
