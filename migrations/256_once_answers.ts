import type { Kysely } from 'kysely';

/** What a form of officers and staff was answered, for ten minutes: a second press gets the same answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('once_answers')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('made', 'text')
    .execute();
}
