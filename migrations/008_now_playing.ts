import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Everything that was heard: the latest of it is compared with each new track.
  await sql`CREATE INDEX plays_heard ON plays (started_at, id) WHERE silent = 0`.execute(db);
  await sql`
    CREATE TABLE capture_device (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      last_seen INTEGER NOT NULL,
      verdict TEXT CHECK (json_valid(verdict)),
      candidate TEXT CHECK (json_valid(candidate)),
      qsys_down INTEGER NOT NULL DEFAULT 0 CHECK (qsys_down IN (0, 1)),
      quiet_active INTEGER NOT NULL DEFAULT 0 CHECK (quiet_active IN (0, 1)),
      device_id TEXT,
      version TEXT,
      uptime_s REAL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE display_settings (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bar_right_display INTEGER NOT NULL CHECK (bar_right_display IN (0, 1)),
      projector_lyrics INTEGER NOT NULL CHECK (projector_lyrics IN (0, 1)),
      bar_right_lyrics INTEGER NOT NULL CHECK (bar_right_lyrics IN (0, 1))
    ) STRICT`.execute(db);
  await sql`INSERT INTO display_settings VALUES (1, 1, 0, 0)`.execute(db);
  // REAL: the device may send any positive number.
  await sql`
    CREATE TABLE lyrics_offset (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      track_id REAL NOT NULL,
      offset_ms REAL NOT NULL,
      confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
      source TEXT NOT NULL,
      captured_at INTEGER NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE lyrics (
      name_key TEXT PRIMARY KEY,
      lrc TEXT,
      source TEXT NOT NULL CHECK (source IN ('lrclib', 'manual')),
      fetched_at INTEGER NOT NULL,
      expires_at INTEGER
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE track_genres (
      track_key TEXT PRIMARY KEY,
      genre TEXT,
      fetched_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE room_wishes (
      relay TEXT PRIMARY KEY CHECK (relay IN ('lighting', 'sound')),
      desired TEXT NOT NULL CHECK (json_valid(desired)),
      set_at INTEGER NOT NULL,
      set_by TEXT NOT NULL,
      failed_at INTEGER,
      error TEXT
    ) STRICT`.execute(db);
}
