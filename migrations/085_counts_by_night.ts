import { type Kysely, sql } from 'kysely';

/** Counts of the setlist by evening only, which the next run fills: sums over evenings are computed when needed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const trigger of ['rollup_genre_found', 'rollup_genre_changed'])
    await sql`DROP TRIGGER ${sql.ref(trigger)}`.execute(db);
  for (const table of ['totals', 'spans', 'subjects', 'counts', 'nights'])
    await sql`DROP TABLE ${sql.ref(`rollup_${table}`)}`.execute(db);
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
      stale INTEGER NOT NULL DEFAULT 1 CHECK (stale IN (0, 1))
    ) STRICT`.execute(db);
  await sql`CREATE INDEX rollup_nights_stale ON rollup_nights (night) WHERE stale > 0`.execute(db);
  // An evening lies together in the file, so that it is written fast, and a span is read in one go.
  await sql`
    CREATE TABLE rollup_counts (
      night INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('song', 'artist', 'album', 'genre')),
      key TEXT NOT NULL,
      plays INTEGER NOT NULL CHECK (plays > 0),
      dwell_ms INTEGER NOT NULL,
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      last_play_id INTEGER NOT NULL,
      PRIMARY KEY (night, kind, key)
    ) STRICT, WITHOUT ROWID`.execute(db);
  // A song that plays past the end of an evening affects both evenings.
  await sql`
    CREATE TRIGGER rollup_play_changed
    AFTER UPDATE OF started_at, artist, title, album, isrc, silent, hidden, kind, track_key, genre, request_id ON plays
    BEGIN
      UPDATE rollup_nights SET stale = 1
      WHERE stale = 0 AND abs(night - (
        SELECT night FROM rollup_nights WHERE starts_at <= NEW.started_at ORDER BY starts_at DESC LIMIT 1
      )) <= 1;
    END`.execute(db);
}
