import { type Kysely, sql } from 'kysely';

/** How people come in by a mailed code, and who is in. Of codes and tokens hashes alone are stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A row for each ask, whether somebody has the address or not: the answer tells nobody.
  await sql`
    CREATE TABLE sign_ins (
      id TEXT PRIMARY KEY,
      browser_hash TEXT NOT NULL,
      link_hash TEXT NOT NULL UNIQUE,
      code_mac TEXT NOT NULL,
      email TEXT NOT NULL,
      next TEXT,
      stay INTEGER NOT NULL DEFAULT 0 CHECK (stay IN (0, 1)),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      tries INTEGER NOT NULL DEFAULT 0,
      link_tries INTEGER NOT NULL DEFAULT 0,
      used_at INTEGER,
      link_alone INTEGER NOT NULL DEFAULT 0 CHECK (link_alone IN (0, 1))
    ) STRICT`.execute(db);
  await sql`CREATE INDEX sign_ins_browser ON sign_ins (browser_hash)`.execute(db);
  await sql`CREATE INDEX sign_ins_expiry ON sign_ins (expires_at)`.execute(db);
  await sql`
    CREATE TABLE sessions (
      token_hash TEXT PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      method TEXT NOT NULL,
      address_id TEXT REFERENCES addresses (id) ON DELETE CASCADE,
      credential_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      sudo_until INTEGER NOT NULL,
      stay INTEGER NOT NULL CHECK (stay IN (0, 1)),
      browser TEXT NOT NULL,
      network TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX sessions_person ON sessions (person_id)`.execute(db);
  await sql`
    CREATE TABLE recovery_codes (
      code_hash TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      used_at INTEGER
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX recovery_codes_person ON recovery_codes (person_id)`.execute(db);
  // One row at most: of two people who set the club up at once one is the first owner.
  await sql`
    CREATE TABLE club_setup (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      person_id TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT`.execute(db);
}
