import { type Kysely, sql } from 'kysely';

/** The language that a person has chosen for pages and mails; null: none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE persons ADD COLUMN language TEXT`.execute(db);
}
