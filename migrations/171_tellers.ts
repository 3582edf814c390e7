import { type Kysely, sql } from 'kysely';

/** The names of columns with whoever did something end alike. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const teller of [1, 2])
    await sql`ALTER TABLE paper_batches RENAME COLUMN ${sql.raw(`teller_${teller}`)} TO ${sql.raw(
      `teller_${teller}_by`,
    )}`.execute(db);
}
