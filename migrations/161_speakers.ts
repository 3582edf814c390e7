import { type Kysely, sql } from 'kysely';

/** Who asked to speak at a meeting, in their order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE speakers (
      id TEXT PRIMARY KEY,
      meeting_id TEXT NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      began_at INTEGER,
      UNIQUE (meeting_id, position)
    ) STRICT`.execute(db);
  await sql`ALTER TABLE meetings ADD COLUMN members_ask INTEGER NOT NULL DEFAULT 0 CHECK (members_ask IN (0, 1))`.execute(
    db,
  );
}
