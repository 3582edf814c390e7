import { type Kysely, sql } from 'kysely';

/** Public keys of devices that sign people in, and the challenges that such a device has still to answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE passkeys (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      public_key BLOB NOT NULL,
      counter INTEGER NOT NULL,
      transports TEXT NOT NULL,
      name TEXT NOT NULL,
      rp_id TEXT NOT NULL,
      backed_up INTEGER NOT NULL CHECK (backed_up IN (0, 1)),
      created_at INTEGER NOT NULL,
      used_at INTEGER
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX passkeys_person ON passkeys (person_id)`.execute(db);
  await sql`
    CREATE TABLE passkey_challenges (
      challenge TEXT PRIMARY KEY,
      browser_hash TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('sign-in', 'register')),
      person_id TEXT REFERENCES persons (id) ON DELETE CASCADE,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX passkey_challenges_browser ON passkey_challenges (browser_hash)`.execute(db);
  await sql`CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at)`.execute(db);
  // Whoever removes a passkey ends the sessions that it made.
  await sql`ALTER TABLE sessions ADD COLUMN passkey_id TEXT REFERENCES passkeys (id) ON DELETE CASCADE`.execute(
    db,
  );
}
