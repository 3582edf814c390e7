import { type Kysely, sql } from 'kysely';

/** Minutes of meetings: who signs them, their texts, and each signed version with its signatures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    'chair_id TEXT',
    'secretary_id TEXT',
    "invitations TEXT NOT NULL DEFAULT '[]'",
    'minutes_public INTEGER NOT NULL DEFAULT 0 CHECK (minutes_public IN (0, 1))',
    'elected_details INTEGER NOT NULL DEFAULT 0 CHECK (elected_details IN (0, 1))',
  ])
    await sql`ALTER TABLE meetings ADD COLUMN ${sql.raw(column)}`.execute(db);
  await sql`ALTER TABLE meeting_items ADD COLUMN old_text TEXT`.execute(db);
  await sql`
    CREATE TABLE meeting_minutes (
      meeting_id TEXT NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      texts TEXT NOT NULL CHECK (json_valid(texts)),
      reason TEXT,
      created_at INTEGER NOT NULL,
      content TEXT CHECK (json_valid(content)),
      sha256 TEXT,
      signed_at INTEGER,
      PRIMARY KEY (meeting_id, version)
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE minutes_signatures (
      meeting_id TEXT NOT NULL,
      version INTEGER NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('chair', 'secretary')),
      person_id TEXT,
      name TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      signed_at INTEGER NOT NULL,
      PRIMARY KEY (meeting_id, version, role),
      FOREIGN KEY (meeting_id, version) REFERENCES meeting_minutes (meeting_id, version) ON DELETE CASCADE
    ) STRICT`.execute(db);
  await sql`CREATE INDEX minutes_signatures_person ON minutes_signatures (person_id)`.execute(db);
}
