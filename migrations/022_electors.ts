import { type Kysely, sql } from 'kysely';

/**
 * Electors: whom an election takes from the roll, as they were when their invitations were placed. An invitation is one
 * person's where the person is known, so that two people with one address have one each.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // person_id is no foreign key: what happens to the roll changes no election.
  await sql`
    CREATE TABLE electors (
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      person_id TEXT NOT NULL,
      name TEXT NOT NULL,
      email TEXT,
      standing TEXT,
      as_of TEXT,
      added_at INTEGER NOT NULL,
      added_by TEXT NOT NULL,
      PRIMARY KEY (election_id, person_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX electors_person ON electors (person_id)`.execute(db);

  await sql`
    CREATE TABLE new_invites (
      id TEXT PRIMARY KEY,
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      person_id TEXT,
      email TEXT NOT NULL,
      mode TEXT NOT NULL DEFAULT 'individual' CHECK (mode IN ('individual', 'batch')),
      status TEXT NOT NULL CHECK (status IN ('QUEUED', 'SENT', 'FAILED')),
      wait_for_open INTEGER NOT NULL DEFAULT 0 CHECK (wait_for_open IN (0, 1)),
      claimed_by TEXT,
      created_at INTEGER NOT NULL,
      sent_at INTEGER,
      mailed_at INTEGER,
      token_hash TEXT,
      token_plaintext TEXT,
      error TEXT
    ) STRICT`.execute(db);
  const columns = sql.raw(
    'id, election_id, email, mode, status, wait_for_open, claimed_by, created_at, sent_at, mailed_at, token_hash, token_plaintext, error',
  );
  await sql`INSERT INTO new_invites (${columns}) SELECT ${columns} FROM invites`.execute(db);
  await sql`DROP TABLE invites`.execute(db);
  await sql`ALTER TABLE new_invites RENAME TO invites`.execute(db);
  await sql`
    CREATE UNIQUE INDEX invites_person ON invites (election_id, person_id)
    WHERE person_id IS NOT NULL`.execute(db);
  await sql`
    CREATE UNIQUE INDEX invites_address ON invites (election_id, email)
    WHERE person_id IS NULL`.execute(db);
  await sql`CREATE INDEX invites_election ON invites (election_id, id)`.execute(db);
  await sql`CREATE INDEX invites_email ON invites (email)`.execute(db);
  await sql`CREATE INDEX invites_token ON invites (token_hash)`.execute(db);
  await sql`CREATE INDEX invites_queued ON invites (election_id) WHERE status = 'QUEUED'`.execute(db);

  await sql`ALTER TABLE magic_links ADD COLUMN person_id TEXT`.execute(db);
}
