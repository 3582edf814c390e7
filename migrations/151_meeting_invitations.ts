import { type Kysely, sql } from 'kysely';

/** When a meeting was called, and how many mails went out for that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE meetings ADD COLUMN invited_at INTEGER`.execute(db);
  await sql`ALTER TABLE meetings ADD COLUMN invited INTEGER NOT NULL DEFAULT 0`.execute(db);
}
