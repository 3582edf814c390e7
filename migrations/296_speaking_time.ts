import { type Kysely, sql } from 'kysely';

/** Until when somebody may speak; null: as long as they like. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE speakers ADD COLUMN ends_at INTEGER`.execute(db);
}
