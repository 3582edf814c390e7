import { type Kysely, sql } from 'kysely';

/**
 * Codes of single electors that were withdrawn or replaced; people without an address have a slip, which is a state of
 * its own; electors that a copy took over wait for their invitation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE withdrawn_codes (
      token_hash TEXT PRIMARY KEY,
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      replaced INTEGER NOT NULL CHECK (replaced IN (0, 1)),
      mailed INTEGER NOT NULL CHECK (mailed IN (0, 1))
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX withdrawn_codes_election ON withdrawn_codes (election_id)`.execute(db);

  await sql`
    CREATE TABLE new_invites (
      id TEXT PRIMARY KEY,
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      person_id TEXT,
      email TEXT NOT NULL,
      mode TEXT NOT NULL DEFAULT 'individual' CHECK (mode IN ('individual', 'batch')),
      status TEXT NOT NULL CHECK (status IN ('PREPARED', 'QUEUED', 'SENT', 'FAILED', 'SLIP')),
      wait_for_open INTEGER NOT NULL DEFAULT 0 CHECK (wait_for_open IN (0, 1)),
      claimed_by TEXT,
      created_at INTEGER NOT NULL,
      sent_at INTEGER,
      mailed_at INTEGER,
      token_hash TEXT,
      token_plaintext TEXT,
      error TEXT,
      recipient_name TEXT,
      mailing_id TEXT,
      put_off_at INTEGER,
      due_at INTEGER,
      slip_printed_at INTEGER,
      withdrawn_at INTEGER
    ) STRICT`.execute(db);
  const columns = sql.raw(
    `id, election_id, person_id, email, mode, status, wait_for_open, claimed_by, created_at, sent_at, mailed_at,
     token_hash, token_plaintext, error, recipient_name, mailing_id, put_off_at, due_at`,
  );
  await sql`INSERT INTO new_invites (${columns}) SELECT ${columns} FROM invites`.execute(db);
  await sql`DROP TABLE invites`.execute(db);
  await sql`ALTER TABLE new_invites RENAME TO invites`.execute(db);
  // Earlier versions stored a person without an address as a failed mail.
  await sql`
    UPDATE invites SET status = 'SLIP', error = NULL, slip_printed_at = (
      SELECT max(timestamp) FROM audit_log
      WHERE action = 'invite.slips_opened' AND audit_log.election_id = invites.election_id
        AND timestamp >= invites.created_at)
    WHERE status = 'FAILED' AND error = 'Has no address: print a slip'`.execute(db);

  await sql`
    CREATE UNIQUE INDEX invites_person ON invites (election_id, person_id)
    WHERE person_id IS NOT NULL`.execute(db);
  await sql`
    CREATE UNIQUE INDEX invites_address ON invites (election_id, email)
    WHERE person_id IS NULL AND email != ''`.execute(db);
  await sql`CREATE INDEX invites_election ON invites (election_id, id)`.execute(db);
  await sql`CREATE INDEX invites_email ON invites (email)`.execute(db);
  await sql`CREATE INDEX invites_token ON invites (token_hash)`.execute(db);
  await sql`CREATE INDEX invites_queued ON invites (election_id) WHERE status = 'QUEUED'`.execute(db);
  await sql`CREATE INDEX invites_mailing ON invites (mailing_id) WHERE mailing_id IS NOT NULL`.execute(db);
}
