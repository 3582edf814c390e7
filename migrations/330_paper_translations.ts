import { type Kysely, sql } from 'kysely';

/** The texts of ballot papers in a second language, as JSON; null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE papers ADD COLUMN translations TEXT`.execute(db);
}
