import { type Kysely, sql } from 'kysely';

/** A hash of code and choice with each ballot; ballots that were cast before nobody was told of a list stay off it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE ballots ADD COLUMN receipt TEXT`.execute(db);
  await sql`
    UPDATE elections SET settings = json_set(settings, '$.publish_ballots', json('false'))
    WHERE EXISTS (SELECT 1 FROM ballots WHERE election_id = elections.id)`.execute(db);
}
