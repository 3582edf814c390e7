import { type Kysely, sql } from 'kysely';

/** When members put a name on the list of speakers, and a hash of where from; the names of the chair have neither. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE speakers ADD COLUMN asked_at INTEGER`.execute(db);
  await sql`ALTER TABLE speakers ADD COLUMN client TEXT`.execute(db);
}
