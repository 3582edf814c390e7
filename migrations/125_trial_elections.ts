import { type Kysely, sql } from 'kysely';

/** Trial elections, which are deleted some days after their creation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE elections ADD COLUMN trial INTEGER NOT NULL DEFAULT 0`.execute(db);
}
