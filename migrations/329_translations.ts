import { type Kysely, sql } from 'kysely';

/** The texts of elections and options in a second language, as JSON; null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE elections ADD COLUMN translations TEXT`.execute(db);
  await sql`ALTER TABLE options ADD COLUMN translations TEXT`.execute(db);
}
