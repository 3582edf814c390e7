import { type Kysely, sql } from 'kysely';

/** The random id of the press at a door that made a person’s present state: sent again, it is the same press. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE attendance ADD COLUMN press TEXT`.execute(db);
}
