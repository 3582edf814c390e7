import { type Kysely, sql } from 'kysely';

/**
 * Motions of members before a meeting, and what the agenda has of them: reasons, seconders, and a number for each item that
 * stays once the invitation went out. Until now the number of an item was its place.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    "number TEXT NOT NULL DEFAULT ''",
    'reason TEXT',
    "seconders TEXT NOT NULL DEFAULT '[]'",
    'told_at INTEGER',
  ])
    await sql`ALTER TABLE meeting_items ADD COLUMN ${sql.raw(column)}`.execute(db);
  await sql`
    UPDATE meeting_items SET number = (
      SELECT CAST(count(*) AS TEXT) FROM meeting_items AS before
      WHERE before.meeting_id = meeting_items.meeting_id
        AND (before.position, before.id) <= (meeting_items.position, meeting_items.id))`.execute(db);
  await sql`
    CREATE TABLE motion_calls (
      meeting_id TEXT PRIMARY KEY REFERENCES meetings (id) ON DELETE CASCADE,
      opens_at INTEGER NOT NULL,
      closes_at INTEGER NOT NULL CHECK (closes_at > opens_at),
      first_closes_at INTEGER NOT NULL,
      who TEXT NOT NULL CHECK (who IN ('members', 'anybody')),
      seconders INTEGER NOT NULL CHECK (seconders BETWEEN 0 AND 5),
      mailed_at INTEGER
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE motions (
      id TEXT PRIMARY KEY,
      meeting_id TEXT NOT NULL REFERENCES motion_calls (meeting_id) ON DELETE CASCADE,
      code_hash TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      email TEXT NOT NULL,
      title TEXT NOT NULL,
      text TEXT NOT NULL,
      reason TEXT,
      created_at INTEGER NOT NULL,
      consented_at INTEGER,
      withdrawn_at INTEGER,
      decision TEXT CHECK (decision IN ('accepted', 'refused')),
      decision_reason TEXT,
      decided_at INTEGER,
      decided_by TEXT,
      item_id TEXT REFERENCES meeting_items (id) ON DELETE SET NULL
    ) STRICT`.execute(db);
  await sql`CREATE INDEX motions_meeting ON motions (meeting_id)`.execute(db);
  await sql`CREATE INDEX motions_email ON motions (email)`.execute(db);
  await sql`CREATE INDEX motions_item ON motions (item_id) WHERE item_id IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE motion_seconders (
      id TEXT PRIMARY KEY,
      motion_id TEXT NOT NULL REFERENCES motions (id) ON DELETE CASCADE,
      code_hash TEXT NOT NULL UNIQUE,
      email TEXT NOT NULL,
      name TEXT NOT NULL,
      seconded_at INTEGER,
      UNIQUE (motion_id, email)
    ) STRICT`.execute(db);
  await sql`CREATE INDEX motion_seconders_email ON motion_seconders (email)`.execute(db);
}
