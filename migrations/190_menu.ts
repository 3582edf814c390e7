import { type Kysely, sql } from 'kysely';

/** What is on tap, and what is sold out. The list itself is content. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE menu_stock (
      item_id TEXT PRIMARY KEY REFERENCES content_records (id) ON DELETE CASCADE,
      state TEXT NOT NULL CHECK (state IN ('on', 'last', 'out')),
      until INTEGER,
      changed_at INTEGER NOT NULL,
      changed_by TEXT
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE taps (
      tap INTEGER PRIMARY KEY CHECK (tap BETWEEN 1 AND 60),
      label TEXT NOT NULL DEFAULT '',
      item_id TEXT REFERENCES content_records (id) ON DELETE SET NULL,
      next_item_id TEXT REFERENCES content_records (id) ON DELETE SET NULL,
      state TEXT NOT NULL CHECK (state IN ('on', 'last', 'out', 'cleaning')),
      tapped_at INTEGER,
      changed_at INTEGER NOT NULL,
      changed_by TEXT
    ) STRICT`.execute(db);
}
