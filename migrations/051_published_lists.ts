import { type Kysely, sql } from 'kysely';

/** Lists of ballots that are public stay so: rankings of many candidates are published from a hundred ballots on now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE elections SET settings = json_set(settings, '$.publish_ballots', json('true'))
    WHERE closed_at IS NOT NULL AND settings ->> '$.publish_ballots' IS NULL`.execute(db);
}
