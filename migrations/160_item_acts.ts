import { type Kysely, sql } from 'kysely';

/** What the chair does with an item: what was counted by hand, who accepts, why it is void, and where the meeting is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE meetings ADD COLUMN current_item TEXT`.execute(db);
  for (const column of [
    'quorate INTEGER CHECK (quorate IN (0, 1))',
    'extended_at INTEGER',
    'counted TEXT',
    'accepts TEXT',
    'note TEXT',
    'void_reason TEXT',
    'void_asked_by TEXT',
  ])
    await sql`ALTER TABLE meeting_items ADD COLUMN ${sql.raw(column)}`.execute(db);
  await sql`
    CREATE TABLE remote_presence (
      meeting_id TEXT NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
      code_hash TEXT NOT NULL,
      PRIMARY KEY (meeting_id, code_hash)
    ) STRICT, WITHOUT ROWID`.execute(db);
}
