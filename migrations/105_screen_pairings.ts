import { type Kysely, sql } from 'kysely';

/**
 * A screen that was paired by a code has a secret of its own and no name in its address; staff decide its page, its
 * place and when it is expected to be off. Pairings live for minutes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE screens RENAME TO old_screens`.execute(db);
  await sql`
    CREATE TABLE screens (
      id TEXT PRIMARY KEY,
      screen TEXT,
      page TEXT NOT NULL CHECK (page IN ('tv', 'bar-right', 'projector')),
      name TEXT,
      place TEXT NOT NULL DEFAULT '',
      groups TEXT NOT NULL,
      turn INTEGER NOT NULL DEFAULT 0 CHECK (turn IN (0, 90, 180, 270)),
      inset REAL,
      off_hours TEXT NOT NULL DEFAULT '"outside_opening"',
      revision INTEGER NOT NULL DEFAULT 1,
      secret_hash TEXT UNIQUE,
      paired_at INTEGER,
      paired_by TEXT,
      version TEXT NOT NULL,
      viewport TEXT NOT NULL,
      showing TEXT,
      started_at INTEGER NOT NULL,
      offline_since INTEGER,
      outdated_since INTEGER,
      skew_ms INTEGER,
      first_seen_at INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL,
      reload_at INTEGER,
      identify_until INTEGER,
      told_at INTEGER,
      UNIQUE (screen, page),
      CHECK (screen IS NOT NULL OR (name IS NOT NULL AND paired_at IS NOT NULL))
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    INSERT INTO screens (id, screen, page, name, groups, version, viewport, showing, started_at, offline_since,
      first_seen_at, last_seen_at, reload_at, told_at)
    SELECT id, screen, page, name, groups, version, viewport, showing, started_at, offline_since,
      first_seen_at, last_seen_at, reload_at, told_at
    FROM old_screens`.execute(db);
  await sql`DROP TABLE old_screens`.execute(db);
  await sql`
    CREATE TABLE pairings (
      id TEXT PRIMARY KEY,
      code TEXT NOT NULL,
      secret_hash TEXT UNIQUE,
      client TEXT,
      made_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      screen_id TEXT REFERENCES screens (id) ON DELETE CASCADE,
      delivered_at INTEGER
    ) STRICT`.execute(db);
  await sql`CREATE INDEX pairings_code ON pairings (code)`.execute(db);
  await sql`CREATE INDEX pairings_screen ON pairings (screen_id) WHERE screen_id IS NOT NULL`.execute(db);
}
