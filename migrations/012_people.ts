import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await songRequests(db);
  await songIndex(db);
  await feedback(db);
  // What the lights and the sound last took up, for the staff: a wish itself is gone then.
  await sql`
    CREATE TABLE room_states (
      relay TEXT PRIMARY KEY CHECK (relay IN ('lighting', 'sound')),
      applied TEXT NOT NULL CHECK (json_valid(applied)),
      applied_at INTEGER NOT NULL
    ) STRICT`.execute(db);
}

async function songRequests(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE song_requests (
      id TEXT PRIMARY KEY,
      track_key TEXT NOT NULL,
      name_key TEXT NOT NULL,
      artist TEXT NOT NULL,
      title TEXT NOT NULL,
      note TEXT,
      album_art_url TEXT NOT NULL DEFAULT '',
      status TEXT NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'approved', 'played', 'declined', 'expired')),
      votes INTEGER NOT NULL DEFAULT 0 CHECK (votes >= 0),
      pub_day TEXT NOT NULL,
      browser_hash TEXT NOT NULL,
      client_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      decided_at INTEGER,
      decided_by TEXT,
      reason TEXT,
      played_at INTEGER,
      played_play_id INTEGER
    ) STRICT`.execute(db);
  // The same song is asked for once; who asks again votes.
  await sql`
    CREATE UNIQUE INDEX song_requests_open ON song_requests (track_key)
    WHERE status IN ('pending', 'approved')`.execute(db);
  await sql`CREATE INDEX song_requests_day ON song_requests (pub_day, created_at)`.execute(db);
  await sql`
    CREATE TABLE song_request_votes (
      request_id TEXT NOT NULL REFERENCES song_requests (id) ON DELETE CASCADE,
      browser_hash TEXT NOT NULL,
      PRIMARY KEY (request_id, browser_hash)
    ) STRICT, WITHOUT ROWID`.execute(db);
}

/** Every song that was ever heard, once, and the words of it: for suggestions while someone types. */
async function songIndex(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE song_index (
      id INTEGER PRIMARY KEY,
      track_key TEXT NOT NULL UNIQUE,
      artist TEXT NOT NULL,
      title TEXT NOT NULL,
      heard INTEGER NOT NULL
    ) STRICT`.execute(db);
  // Counts the plays of a song that the public history has, without a look at each.
  await sql`
    CREATE INDEX plays_song ON plays (track_key, started_at)
    WHERE silent = 0 AND kind = 'music' AND hidden = 0`.execute(db);
  await sql`
    CREATE VIRTUAL TABLE song_words USING fts5 (
      artist, title, content = 'song_index', content_rowid = 'id',
      tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
    )`.execute(db);
  await sql`
    CREATE TRIGGER song_index_words AFTER INSERT ON song_index
    BEGIN INSERT INTO song_words (rowid, artist, title) VALUES (NEW.id, NEW.artist, NEW.title); END`.execute(
    db,
  );
  for (const [name, event] of [
    ['plays_indexed', 'INSERT'],
    ['plays_indexed_again', 'UPDATE OF track_key'],
  ] as const) {
    await sql`
      CREATE TRIGGER ${sql.raw(name)} AFTER ${sql.raw(event)} ON plays
      WHEN NEW.silent = 0 AND NEW.track_key <> ''
      BEGIN
        INSERT INTO song_index (track_key, artist, title, heard)
        VALUES (NEW.track_key, NEW.artist, NEW.title, 1)
        ON CONFLICT (track_key) DO UPDATE SET heard = heard + 1;
      END`.execute(db);
  }
}

async function feedback(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE feedback (
      id TEXT PRIMARY KEY,
      created_at INTEGER NOT NULL,
      message TEXT NOT NULL,
      rating INTEGER CHECK (rating BETWEEN 1 AND 5),
      name TEXT,
      contact TEXT,
      page TEXT,
      browser_hash TEXT NOT NULL,
      client_hash TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'new'
        CHECK (state IN ('new', 'seen', 'in_progress', 'done', 'declined', 'duplicate', 'spam')),
      assignee TEXT,
      tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
      internal_note TEXT,
      updated_at INTEGER NOT NULL,
      resolved_at INTEGER
    ) STRICT`.execute(db);
  await sql`CREATE INDEX feedback_state ON feedback (state, id)`.execute(db);
  for (const sender of ['browser_hash', 'client_hash']) {
    await sql`
      CREATE INDEX ${sql.raw(`feedback_${sender}`)} ON feedback (${sql.raw(sender)}, created_at)
      WHERE ${sql.raw(sender)} <> ''`.execute(db);
  }
}
