import { type Kysely, sql } from 'kysely';

/** Cards that were made valid while voting on an item was open, those that were valid before, and how many were handed out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    'late_cards INTEGER NOT NULL DEFAULT 0',
    'cards_before INTEGER NOT NULL DEFAULT 0',
    'late_cards_out INTEGER',
  ])
    await sql`ALTER TABLE meeting_items ADD COLUMN ${sql.raw(column)}`.execute(db);
}
