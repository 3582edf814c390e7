import { type Kysely, sql } from 'kysely';

/** Whether the voters of a meeting get inclusion codes. Meetings that exist go on without them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE meetings ADD COLUMN inclusion_codes INTEGER NOT NULL DEFAULT 0
    CHECK (inclusion_codes IN (0, 1))`.execute(db);
}
