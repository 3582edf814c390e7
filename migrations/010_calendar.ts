import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE calendars (
      id TEXT PRIMARY KEY,
      title TEXT NOT NULL CHECK (title <> ''),
      enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1))
    ) STRICT`.execute(db);
  await sql`
    INSERT INTO calendars (id, title)
    VALUES ('programs', 'Club programme'), ('internal', 'Internal calendar')`.execute(db);
  await sql`
    CREATE TABLE subscribers (
      id TEXT PRIMARY KEY,
      calendar_id TEXT NOT NULL REFERENCES calendars (id),
      email TEXT NOT NULL CHECK (email = lower(email)),
      name TEXT NOT NULL,
      search TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      verified_at INTEGER NOT NULL,
      disabled_at INTEGER,
      left_at INTEGER,
      last_access_at INTEGER,
      client TEXT,
      UNIQUE (calendar_id, email)
    ) STRICT`.execute(db);
  await sql`CREATE INDEX subscribers_listed ON subscribers (calendar_id, created_at)`.execute(db);
  await sql`
    CREATE TABLE verifications (
      id TEXT PRIMARY KEY,
      calendar_id TEXT NOT NULL REFERENCES calendars (id),
      email TEXT NOT NULL CHECK (email = lower(email)),
      name TEXT NOT NULL,
      code_hash TEXT NOT NULL UNIQUE CHECK (length(code_hash) = 64),
      kind TEXT NOT NULL CHECK (kind IN ('request', 'renewal')),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL CHECK (expires_at > created_at),
      consumed_at INTEGER
    ) STRICT`.execute(db);
  await sql`CREATE INDEX verifications_email ON verifications (email, created_at)`.execute(db);
  await sql`CREATE INDEX verifications_created ON verifications (created_at)`.execute(db);
  await sql`
    CREATE TABLE feed_tokens (
      id TEXT PRIMARY KEY,
      subscriber_id TEXT NOT NULL REFERENCES subscribers (id) ON DELETE CASCADE,
      token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
      last_four TEXT NOT NULL CHECK (length(last_four) = 4),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      revoked_at INTEGER,
      reminded_at INTEGER
    ) STRICT`.execute(db);
  await sql`CREATE INDEX feed_tokens_subscriber ON feed_tokens (subscriber_id, created_at)`.execute(db);
  await sql`CREATE INDEX feed_tokens_live ON feed_tokens (expires_at) WHERE revoked_at IS NULL`.execute(db);
  // Without a reference: what was read stays countable for its ninety days, also of a token that is gone.
  await sql`
    CREATE TABLE feed_accesses (
      id INTEGER PRIMARY KEY,
      calendar_id TEXT NOT NULL,
      token_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      client TEXT NOT NULL,
      address TEXT NOT NULL
    ) STRICT`.execute(db);
  await sql`CREATE INDEX feed_accesses_at ON feed_accesses (at)`.execute(db);
  await sql`
    CREATE TABLE feeds (
      calendar_id TEXT PRIMARY KEY REFERENCES calendars (id),
      body TEXT NOT NULL,
      etag TEXT NOT NULL,
      changed_at INTEGER NOT NULL,
      made_of TEXT NOT NULL
    ) STRICT`.execute(db);
}
