import { type Kysely, sql } from 'kysely';

/** The index of the questions of a paper covers all elections. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP INDEX elections_paper`.execute(db);
  await sql`CREATE INDEX elections_paper ON elections (paper_id, paper_position)`.execute(db);
}
