import { type Kysely, sql } from 'kysely';

/** Mails to many about an election, so that nobody gets one twice after a restart; names that came with addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE mailings (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('results', 'reminders', 'invitations')),
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      started_at INTEGER NOT NULL,
      started_by TEXT,
      total INTEGER NOT NULL,
      skipped INTEGER NOT NULL DEFAULT 0,
      sent INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      unsure INTEGER NOT NULL DEFAULT 0,
      finished_at INTEGER,
      plan TEXT,
      claimed_by TEXT,
      note TEXT
    ) STRICT`.execute(db);
  await sql`CREATE INDEX mailings_election ON mailings (election_id, started_at)`.execute(db);
  await sql`CREATE INDEX mailings_running ON mailings (started_at) WHERE finished_at IS NULL`.execute(db);
  await sql`
    CREATE TABLE mailing_mails (
      id TEXT PRIMARY KEY,
      mailing_id TEXT NOT NULL REFERENCES mailings (id) ON DELETE CASCADE,
      invite_id TEXT,
      email TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('WAITING', 'SENDING', 'SENT', 'FAILED', 'SKIPPED', 'UNSURE')),
      claimed_by TEXT,
      mailed_before INTEGER,
      sent_at INTEGER,
      error TEXT
    ) STRICT`.execute(db);
  await sql`CREATE INDEX mailing_mails_mailing ON mailing_mails (mailing_id, state)`.execute(db);
  await sql`CREATE INDEX mailing_mails_email ON mailing_mails (email)`.execute(db);

  await sql`ALTER TABLE invites ADD COLUMN recipient_name TEXT`.execute(db);
  await sql`ALTER TABLE invites ADD COLUMN mailing_id TEXT`.execute(db);
  await sql`CREATE INDEX invites_mailing ON invites (mailing_id) WHERE mailing_id IS NOT NULL`.execute(db);
  await sql`ALTER TABLE distribution_list_emails ADD COLUMN name TEXT`.execute(db);
}
