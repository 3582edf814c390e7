import { type Kysely, sql } from 'kysely';

/** Who was asked by mail to sign a version of minutes: each once, and again once their signature is void. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['chair_asked', 'secretary_asked'])
    await sql`ALTER TABLE meeting_minutes ADD COLUMN ${sql.raw(column)} TEXT`.execute(db);
}
