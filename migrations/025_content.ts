import { type Kysely, sql } from 'kysely';

/** The club's own content: records with their revisions, pictures, and what takes the screens over for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE content_records (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      published_version INTEGER,
      uid_base TEXT NOT NULL,
      origin TEXT UNIQUE,
      created_at INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      removed_at INTEGER
    ) STRICT`.execute(db);
  await sql`CREATE INDEX content_records_by_kind ON content_records (kind)`.execute(db);
  await sql`
    CREATE TABLE content_revisions (
      record_id TEXT NOT NULL REFERENCES content_records (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      body TEXT NOT NULL CHECK (json_valid(body)),
      at INTEGER NOT NULL,
      by TEXT,
      reason TEXT NOT NULL,
      published_at INTEGER,
      PRIMARY KEY (record_id, version)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    CREATE TABLE pictures (
      id TEXT PRIMARY KEY,
      sha256 TEXT NOT NULL UNIQUE,
      alt TEXT NOT NULL,
      decorative INTEGER NOT NULL CHECK (decorative IN (0, 1)),
      focus INTEGER NOT NULL CHECK (focus BETWEEN 1 AND 9),
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      added_at INTEGER NOT NULL,
      added_by TEXT
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE picture_files (
      picture_id TEXT NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
      size INTEGER NOT NULL CHECK (size IN (480, 1920)),
      type TEXT NOT NULL,
      etag TEXT NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (picture_id, size)
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE takeovers (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      title TEXT NOT NULL,
      text TEXT NOT NULL,
      qr TEXT,
      screens TEXT NOT NULL CHECK (json_valid(screens)),
      started_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      ended_at INTEGER,
      started_by TEXT,
      ended_by TEXT
    ) STRICT`.execute(db);
}
