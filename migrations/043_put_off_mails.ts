import { type Kysely, sql } from 'kysely';

/** When the mail server first put a mail off, and when it is tried next. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['invites', 'mailing_mails'])
    for (const column of ['put_off_at', 'due_at'])
      await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN ${sql.ref(column)} INTEGER`.execute(db);
}
