import { type Kysely, sql } from 'kysely';

/** The index of a paper's questions covers all elections: for a partial one SQLite plans each look-up anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP INDEX elections_paper`.execute(db);
  await sql`CREATE INDEX elections_paper ON elections (paper_id, paper_position)`.execute(db);
}
