import { type Kysely, sql } from 'kysely';

/**
 * Screens get an id, what staff call them, groups (a JSON list), what they showed last, and when staff asked them to load
 * anew. Browsers that opened a TV page without a name are no screens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE screens RENAME TO old_screens`.execute(db);
  await sql`
    CREATE TABLE screens (
      id TEXT PRIMARY KEY,
      screen TEXT NOT NULL,
      page TEXT NOT NULL CHECK (page IN ('tv', 'bar-right', 'projector')),
      name TEXT,
      groups TEXT NOT NULL,
      version TEXT NOT NULL,
      viewport TEXT NOT NULL,
      showing TEXT,
      started_at INTEGER NOT NULL,
      offline_since INTEGER,
      first_seen_at INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL,
      reload_at INTEGER,
      told_at INTEGER,
      UNIQUE (screen, page)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    INSERT INTO screens (id, screen, page, groups, version, viewport, started_at, offline_since, first_seen_at, last_seen_at)
    SELECT lower(hex(randomblob(16))), screen, page, '[]', version, viewport, started_at, offline_since, first_seen_at, last_seen_at
    FROM old_screens WHERE screen NOT GLOB 'screen-[0-9a-z][0-9a-z][0-9a-z]*'`.execute(db);
  await sql`DROP TABLE old_screens`.execute(db);
}
