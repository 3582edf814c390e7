import { type Kysely, sql } from 'kysely';

/** The commands of relays have the name that the code uses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE room_wishes RENAME TO relay_commands`.execute(db);
}
