import { type Kysely, sql } from 'kysely';

/** Accounts at an OpenID provider that sign people in, and sign-ins that are under way there; links that officers make. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE oidc_links (
      id TEXT PRIMARY KEY,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      UNIQUE (issuer, subject)
    ) STRICT`.execute(db);
  await sql`CREATE INDEX oidc_links_person ON oidc_links (person_id)`.execute(db);
  await sql`
    CREATE TABLE oidc_flows (
      state_hash TEXT PRIMARY KEY,
      browser_hash TEXT NOT NULL,
      nonce TEXT NOT NULL,
      verifier TEXT NOT NULL,
      next TEXT,
      stay INTEGER NOT NULL CHECK (stay IN (0, 1)),
      link_person_id TEXT REFERENCES persons (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      used_at INTEGER,
      issuer TEXT,
      subject TEXT,
      email TEXT,
      sudo_session TEXT,
      kept TEXT
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX oidc_flows_browser ON oidc_flows (browser_hash)`.execute(db);
  await sql`CREATE INDEX oidc_flows_expiry ON oidc_flows (expires_at)`.execute(db);
  // The account that a code links once it is given.
  await sql`ALTER TABLE sign_ins ADD COLUMN oidc_issuer TEXT`.execute(db);
  await sql`ALTER TABLE sign_ins ADD COLUMN oidc_subject TEXT`.execute(db);
  // A link that an officer makes is for a person, who may have no address.
  await sql`ALTER TABLE sign_ins ADD COLUMN person_id TEXT REFERENCES persons (id) ON DELETE CASCADE`.execute(
    db,
  );
  // Whoever removes a link ends the sessions that it made.
  await sql`ALTER TABLE sessions ADD COLUMN oidc_link TEXT REFERENCES oidc_links (id) ON DELETE CASCADE`.execute(
    db,
  );
}
