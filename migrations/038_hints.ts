import { type Kysely, sql } from 'kysely';

/** Hints about an election that officers have dismissed: a JSON list of their names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE elections ADD COLUMN dismissed_hints TEXT NOT NULL DEFAULT '[]'`.execute(db);
}
