import { type Kysely, sql } from 'kysely';

/**
 * Meetings that are called off, and what calendars need of every meeting: the number of its changes, and the time of the
 * last one. Files of earlier versions had the seconds since 2020 as their number, and a later one has to be higher.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    'called_off_at INTEGER',
    'called_off_reason TEXT',
    'sequence INTEGER NOT NULL DEFAULT 0',
    'changed_at INTEGER NOT NULL DEFAULT 0',
    'told_at INTEGER',
  ])
    await sql`ALTER TABLE meetings ADD COLUMN ${sql.raw(column)}`.execute(db);
  await sql`UPDATE meetings SET sequence = max(0, unixepoch() - 1577836800), changed_at = created_at`.execute(
    db,
  );
}
