import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE workspace_links (
      election_id TEXT PRIMARY KEY REFERENCES elections (id) ON DELETE CASCADE,
      database_id TEXT NOT NULL,
      page_id TEXT NOT NULL,
      status_property_name TEXT NOT NULL CHECK (status_property_name <> ''),
      synced_at INTEGER,
      last_error TEXT,
      last_status TEXT CHECK (last_status IN ('scheduled', 'open', 'closed'))
    ) STRICT`.execute(db);
}
