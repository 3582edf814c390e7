import { type Kysely, sql } from 'kysely';

/** When a result was announced, where an officer announces it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE elections ADD COLUMN announced_at INTEGER`.execute(db);
}
