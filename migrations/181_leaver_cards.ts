import { type Kysely, sql } from 'kysely';

/** How many of those who left have returned their card, by class: until then they count in the base of a vote. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE meetings ADD COLUMN leaver_cards TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(leaver_cards))`.execute(
    db,
  );
}
