import { type Kysely, sql } from 'kysely';

/** For which time zone the evenings were counted, and for which locale the surfaces were written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE rollup_state ADD COLUMN zone TEXT`.execute(db);
  await sql`ALTER TABLE rollup_state ADD COLUMN locale TEXT`.execute(db);
}
