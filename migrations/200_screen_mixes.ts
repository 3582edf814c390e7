import { type Kysely, sql } from 'kysely';

/**
 * What a screen shows (a mix, null for the usual one), at which times of day another mix, what it shows while it is off,
 * and what its page reports about itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    'mix TEXT',
    "times TEXT NOT NULL DEFAULT '[]'",
    "off_shows TEXT NOT NULL DEFAULT 'dim' CHECK (off_shows IN ('dim', 'clock', 'black'))",
    'now_mix TEXT',
    'heap_mb INTEGER',
    'late_flips INTEGER',
  ])
    await sql`ALTER TABLE screens ADD COLUMN ${sql.raw(column)}`.execute(db);
}
