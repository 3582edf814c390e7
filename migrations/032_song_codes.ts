import { type Kysely, sql } from 'kysely';

/** The recording codes under which artist and title were heard, filled from the plays when they are counted again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE song_codes (
      name_key TEXT NOT NULL,
      code TEXT NOT NULL,
      first_at INTEGER NOT NULL,
      PRIMARY KEY (name_key, code)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX song_codes_code ON song_codes (code)`.execute(db);
}
