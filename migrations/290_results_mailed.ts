import { type Kysely, sql } from 'kysely';

/** When the results of a meeting were mailed to those who were invited, and which version of its minutes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['results_mailed_at INTEGER', 'minutes_mailed INTEGER'])
    await sql`ALTER TABLE meetings ADD COLUMN ${sql.raw(column)}`.execute(db);
}
