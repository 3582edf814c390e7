import { type Kysely, sql } from 'kysely';

/** Elections that were closed as void, and the elections that repeat them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['voided_at INTEGER', 'void_reason TEXT', 'repeat_of TEXT'])
    await sql`ALTER TABLE elections ADD COLUMN ${sql.raw(column)}`.execute(db);
}
