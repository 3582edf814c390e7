import { type Kysely, sql } from 'kysely';

/** When a person was sent a welcome, which they get once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE persons ADD COLUMN welcomed_at INTEGER`.execute(db);
}
