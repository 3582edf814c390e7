import { type Kysely, sql } from 'kysely';

/** The question that an election's ballots answer, in its canonical text. Null: not opened yet, or by an earlier version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE elections ADD COLUMN question TEXT`.execute(db);
}
