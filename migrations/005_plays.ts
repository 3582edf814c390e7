import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE plays (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      started_at INTEGER NOT NULL,
      artist TEXT NOT NULL,
      title TEXT NOT NULL,
      album TEXT,
      album_art_url TEXT NOT NULL DEFAULT '',
      isrc TEXT NOT NULL DEFAULT '',
      source TEXT CHECK (source IN ('program', 'wallstereo', 'wallxlr')),
      confidence REAL CHECK (confidence BETWEEN 0 AND 1),
      duration_ms INTEGER CHECK (duration_ms > 0),
      silent INTEGER NOT NULL DEFAULT 0 CHECK (silent IN (0, 1)),
      kind TEXT NOT NULL DEFAULT 'music' CHECK (kind IN ('music', 'video')),
      screening_id TEXT,
      track_key TEXT NOT NULL DEFAULT '',
      genre TEXT,
      request_id TEXT,
      hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1))
    ) STRICT`.execute(db);
  await sql`CREATE INDEX plays_started ON plays (started_at, id)`.execute(db);
  // The public history: what was music and may be shown.
  await sql`
    CREATE INDEX plays_public ON plays (started_at, id)
    WHERE silent = 0 AND kind = 'music' AND hidden = 0`.execute(db);
  await sql`CREATE INDEX plays_track ON plays (track_key, started_at) WHERE silent = 0`.execute(db);
  await sql`CREATE INDEX plays_screening ON plays (screening_id) WHERE screening_id IS NOT NULL`.execute(db);
}
