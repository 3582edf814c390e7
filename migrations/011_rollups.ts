import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await counts(db);
  await sql`
    CREATE TABLE setlist_rollups (
      surface TEXT NOT NULL,
      range TEXT NOT NULL,
      position INTEGER NOT NULL,
      payload BLOB NOT NULL,
      etag TEXT NOT NULL,
      computed_at INTEGER NOT NULL,
      max_play_id INTEGER NOT NULL,
      PRIMARY KEY (surface, range)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    CREATE TABLE rollup_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL,
      max_play_id INTEGER NOT NULL,
      today INTEGER NOT NULL,
      open INTEGER NOT NULL CHECK (open IN (0, 1)),
      settled INTEGER NOT NULL CHECK (settled IN (0, 1))
    ) STRICT`.execute(db);
  await sql`INSERT INTO rollup_state VALUES (1, 0, 0, 0, 0, 0)`.execute(db);
  await sql`
    CREATE TABLE share_clicks (
      day TEXT NOT NULL,
      surface TEXT NOT NULL,
      channel TEXT NOT NULL CHECK (channel IN ('native', 'copy', 'download', 'qr', 'other')),
      clicks INTEGER NOT NULL CHECK (clicks > 0),
      PRIMARY KEY (day, surface, channel)
    ) STRICT, WITHOUT ROWID`.execute(db);
}

async function counts(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE rollup_nights (
      night INTEGER PRIMARY KEY,
      starts_at INTEGER NOT NULL UNIQUE,
      plays INTEGER NOT NULL DEFAULT 0,
      songs INTEGER NOT NULL DEFAULT 0,
      late_plays INTEGER NOT NULL DEFAULT 0,
      dwell_ms INTEGER NOT NULL DEFAULT 0,
      hours TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(hours)),
      first_play_id INTEGER,
      last_play_id INTEGER,
      song_ids BLOB,
      stale INTEGER NOT NULL DEFAULT 1 CHECK (stale IN (0, 1, 2))
    ) STRICT`.execute(db);
  await sql`CREATE INDEX rollup_nights_stale ON rollup_nights (night) WHERE stale > 0`.execute(db);
  await sql`
    CREATE TABLE rollup_subjects (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('song', 'artist', 'album', 'genre')),
      key TEXT NOT NULL,
      UNIQUE (kind, key)
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE rollup_counts (
      subject INTEGER NOT NULL,
      night INTEGER NOT NULL,
      kind TEXT NOT NULL,
      plays INTEGER NOT NULL CHECK (plays > 0),
      dwell_ms INTEGER NOT NULL,
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      last_play_id INTEGER NOT NULL,
      PRIMARY KEY (subject, night)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX rollup_counts_night ON rollup_counts (night, kind)`.execute(db);
  await sql`
    CREATE TABLE rollup_spans (
      span TEXT PRIMARY KEY,
      from_night INTEGER NOT NULL,
      to_night INTEGER NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE rollup_totals (
      span TEXT NOT NULL,
      subject INTEGER NOT NULL,
      kind TEXT NOT NULL,
      plays INTEGER NOT NULL CHECK (plays > 0),
      nights INTEGER NOT NULL,
      dwell_ms INTEGER NOT NULL,
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      streak INTEGER NOT NULL,
      PRIMARY KEY (subject, span)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    CREATE INDEX rollup_totals_top ON rollup_totals (span, kind, plays DESC, nights DESC, last_at DESC)`.execute(
    db,
  );
  await sql`
    CREATE INDEX rollup_totals_new ON rollup_totals (kind, first_at) WHERE span = 'all'`.execute(db);
  await sql`
    CREATE INDEX rollup_totals_streak ON rollup_totals (span, kind, streak DESC, plays DESC, last_at DESC)
    WHERE streak >= 3`.execute(db);
  // A genre is found after its song was heard: the nights of that song are counted again.
  for (const [name, event] of [
    ['rollup_genre_found', sql`INSERT ON track_genres WHEN NEW.genre IS NOT NULL`],
    ['rollup_genre_changed', sql`UPDATE OF genre ON track_genres WHEN NEW.genre IS NOT OLD.genre`],
  ] as const) {
    await sql`
      CREATE TRIGGER ${sql.raw(name)} AFTER ${event}
      BEGIN
        UPDATE rollup_nights SET stale = 1 WHERE night IN (
          SELECT night FROM rollup_counts WHERE subject =
            (SELECT id FROM rollup_subjects WHERE kind = 'song' AND key = NEW.track_key)
        );
      END`.execute(db);
  }
}
