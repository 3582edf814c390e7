import { type Kysely, sql } from 'kysely';

/** A takeover can show a page of the service, such as the wall of a meeting, in place of a text. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE takeovers ADD COLUMN page TEXT`.execute(db);
}
