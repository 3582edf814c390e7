import { type Kysely, sql } from 'kysely';

/** Candidates who withdrew after the opening: when, and the public note. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE options ADD COLUMN withdrawn_at INTEGER`.execute(db);
  await sql`ALTER TABLE options ADD COLUMN withdrawn_note TEXT`.execute(db);
}
