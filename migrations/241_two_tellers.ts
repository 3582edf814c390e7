import { type Kysely, sql } from 'kysely';

/** Control totals that wait for another person, and the note of papers that came late. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['note', 'control_asked', 'control_asked_by'])
    await sql`ALTER TABLE paper_batches ADD COLUMN ${sql.ref(column)} TEXT`.execute(db);
}
