import { type Kysely, sql } from 'kysely';

/** Follow-ups of elections, and from where in the roll the electors of an election came. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE elections ADD COLUMN follow_up_of TEXT`.execute(db);
  await sql`
    ALTER TABLE elections ADD COLUMN follow_up_kind TEXT
    CHECK (follow_up_kind IN ('two_best', 'unelected', 'all', 'repeat'))`.execute(db);
  await sql`ALTER TABLE elections ADD COLUMN invited_from TEXT`.execute(db);
  await sql`
    CREATE INDEX elections_follow_ups ON elections (follow_up_of)
    WHERE follow_up_of IS NOT NULL`.execute(db);
}
