import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE hidden_names (
      id INTEGER PRIMARY KEY,
      name_key TEXT NOT NULL UNIQUE,
      artist TEXT NOT NULL,
      title TEXT,
      hidden_at INTEGER NOT NULL,
      hidden_by TEXT
    ) STRICT`.execute(db);
}
