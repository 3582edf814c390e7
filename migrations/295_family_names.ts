import { type Kysely, sql } from 'kysely';

/** The family name of a person, by which lists are sorted. Only an import whose list has a column of family names knows it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE persons ADD COLUMN family_name TEXT`.execute(db);
}
