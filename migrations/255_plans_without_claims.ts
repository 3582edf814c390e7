import { type Kysely, sql } from 'kysely';

/** Plans of invitations that are being stored are known in memory: only one process serves the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE mailings DROP COLUMN claimed_by`.execute(db);
}
