import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

/** What a grave act will do, for the person who confirms it; every version of certified figures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE approvals ADD COLUMN details TEXT NOT NULL DEFAULT '[]'`.execute(db);
  await sql`
    CREATE TABLE certified_versions (
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      sha256 TEXT NOT NULL,
      payload TEXT NOT NULL,
      set_at INTEGER NOT NULL,
      PRIMARY KEY (election_id, sha256)
    ) STRICT, WITHOUT ROWID`.execute(db);
  const { rows } = await sql<{ election_id: string; payload: string; set_at: number }>`
    SELECT election_id, payload, set_at FROM manual_results`.execute(db);
  for (const { election_id, payload, set_at } of rows) {
    const sha256 = createHash('sha256').update(payload).digest('hex');
    await sql`INSERT INTO certified_versions VALUES (${election_id}, ${sha256}, ${payload}, ${set_at})`.execute(
      db,
    );
  }
}
