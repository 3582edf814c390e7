import { type Kysely, sql } from 'kysely';

/** Whether the holder of a lost card was handed another one for its stub: once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE voting_cards ADD COLUMN replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, 1))`.execute(
    db,
  );
}
