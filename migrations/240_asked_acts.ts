import { type Kysely, sql } from 'kysely';

/** Which act waits, at which address, and its valid input: the same request by another person does it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['kind', 'path', 'body'])
    await sql`ALTER TABLE approvals ADD COLUMN ${sql.ref(column)} TEXT`.execute(db);
}
