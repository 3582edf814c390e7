import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE scoreboards (
      league TEXT NOT NULL,
      day TEXT NOT NULL,
      games TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(games)),
      read_at INTEGER,
      failures INTEGER NOT NULL DEFAULT 0,
      status INTEGER,
      error TEXT,
      next_at INTEGER NOT NULL,
      PRIMARY KEY (league, day)
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE team_logos (
      league TEXT NOT NULL,
      team TEXT NOT NULL,
      source TEXT NOT NULL,
      image BLOB,
      read_at INTEGER NOT NULL,
      PRIMARY KEY (league, team)
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE now_showing (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      mode TEXT NOT NULL CHECK (mode IN ('automatic', 'movie', 'game', 'generic', 'off')),
      label TEXT CHECK (label <> ''),
      game_id TEXT CHECK ((mode = 'game') = (game_id IS NOT NULL)),
      set_by TEXT NOT NULL,
      set_at INTEGER NOT NULL,
      expires_at INTEGER CHECK ((mode = 'automatic') = (expires_at IS NULL))
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE screenings (
      id TEXT PRIMARY KEY,
      title TEXT CHECK (title <> ''),
      kind TEXT NOT NULL CHECK (kind IN ('movie', 'sports', 'tv', 'other')),
      origin TEXT NOT NULL CHECK (origin IN ('auto', 'operator')),
      shadow INTEGER NOT NULL CHECK (shadow IN (0, 1)),
      confidence REAL CHECK (confidence BETWEEN 0 AND 1),
      opened_at INTEGER NOT NULL,
      override_at INTEGER,
      pub_was_open INTEGER NOT NULL DEFAULT 0 CHECK (pub_was_open IN (0, 1)),
      doubted_at INTEGER,
      closed_at INTEGER CHECK (closed_at >= opened_at),
      close_reason TEXT CHECK (close_reason IN ('verdict', 'override', 'length', 'pub_closed', 'operator')),
      reverted_at INTEGER,
      reverted_by TEXT,
      CHECK ((closed_at IS NULL) = (close_reason IS NULL)),
      CHECK (reverted_at IS NULL OR closed_at IS NOT NULL)
    ) STRICT`.execute(db);
  // One film at a time.
  await sql`CREATE UNIQUE INDEX screenings_open ON screenings (closed_at IS NULL) WHERE closed_at IS NULL`.execute(
    db,
  );
  await sql`CREATE INDEX screenings_opened ON screenings (opened_at, id)`.execute(db);
}
