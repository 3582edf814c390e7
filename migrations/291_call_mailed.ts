import { type Kysely, sql } from 'kysely';

/** When a call for candidates was mailed to those who may vote. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE nomination_calls ADD COLUMN mailed_at INTEGER`.execute(db);
}
