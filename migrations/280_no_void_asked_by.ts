import { type Kysely, sql } from 'kysely';

/** Whoever asks to make an item void is in `approvals`, as for all acts of two people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE meeting_items DROP COLUMN void_asked_by`.execute(db);
}
