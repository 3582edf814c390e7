import { type Kysely, sql } from 'kysely';

/** Music that players report, beside what the capture device hears. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE plays ADD COLUMN origin TEXT NOT NULL DEFAULT 'device'
    CHECK (origin IN ('device', 'player', 'import'))`.execute(db);
  // What is current: an import tells of the past alone.
  await sql`CREATE INDEX plays_live ON plays (started_at, id) WHERE origin <> 'import'`.execute(db);
  await sql`
    CREATE TABLE music_player (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      name TEXT,
      play_id INTEGER NOT NULL,
      reported_at INTEGER NOT NULL,
      until INTEGER NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE scrobbles (
      play_id INTEGER PRIMARY KEY,
      listened INTEGER NOT NULL DEFAULT 0 CHECK (listened IN (0, 1)),
      sent_at INTEGER,
      refused TEXT
    ) STRICT`.execute(db);
  await sql`CREATE INDEX scrobbles_waiting ON scrobbles (play_id) WHERE sent_at IS NULL AND refused IS NULL`.execute(
    db,
  );
  await sql`
    CREATE TABLE scrobble_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      failures INTEGER NOT NULL,
      next_at INTEGER NOT NULL,
      error TEXT,
      stopped INTEGER NOT NULL CHECK (stopped IN (0, 1))
    ) STRICT`.execute(db);
}
