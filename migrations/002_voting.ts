import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE elections (
      id TEXT PRIMARY KEY,
      title TEXT NOT NULL CHECK (title <> ''),
      description TEXT,
      ballot_type TEXT NOT NULL CHECK (ballot_type IN ('SIMPLE_TRIPLE', 'RANKED_CONDORCET', 'POLL')),
      open_at INTEGER NOT NULL,
      close_at INTEGER NOT NULL CHECK (close_at > open_at),
      closed_at INTEGER,
      settings TEXT NOT NULL CHECK (json_valid(settings)),
      attachment_url TEXT,
      invite_mode TEXT CHECK (invite_mode IN ('individual', 'batch')),
      created_at INTEGER NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE options (
      id TEXT PRIMARY KEY,
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      number INTEGER NOT NULL CHECK (number > 0),
      name TEXT NOT NULL CHECK (name <> ''),
      display_order INTEGER NOT NULL,
      is_none_of_the_above INTEGER NOT NULL DEFAULT 0 CHECK (is_none_of_the_above IN (0, 1)),
      UNIQUE (election_id, number)
    ) STRICT`.execute(db);
  // Tokens and ballots are keyed by their election first, so that those of one lie together and are counted in one
  // walk without an index that each ballot would have to rewrite.
  await sql`
    CREATE TABLE tokens (
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      token_hash TEXT NOT NULL,
      batch_name TEXT,
      created_at INTEGER NOT NULL,
      used_at INTEGER,
      submission_hash TEXT,
      PRIMARY KEY (election_id, token_hash)
    ) STRICT, WITHOUT ROWID`.execute(db);
  // No row id: the random id alone decides the stored order.
  await sql`
    CREATE TABLE ballots (
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      id TEXT NOT NULL,
      choice TEXT NOT NULL,
      PRIMARY KEY (election_id, id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    CREATE TABLE results (
      election_id TEXT PRIMARY KEY REFERENCES elections (id) ON DELETE CASCADE,
      result TEXT NOT NULL CHECK (json_valid(result)),
      computed_at INTEGER NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE manual_results (
      election_id TEXT PRIMARY KEY REFERENCES elections (id) ON DELETE CASCADE,
      payload TEXT NOT NULL CHECK (json_valid(payload)),
      set_at INTEGER NOT NULL
    ) STRICT`.execute(db);
  // token_hash is no foreign key: deleting a batch of tokens leaves its invites (specification, Invite).
  await sql`
    CREATE TABLE invites (
      id TEXT PRIMARY KEY,
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
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
      error TEXT,
      UNIQUE (election_id, email)
    ) STRICT`.execute(db);
  await sql`CREATE INDEX invites_email ON invites (email)`.execute(db);
  await sql`CREATE INDEX invites_token ON invites (token_hash)`.execute(db);
  await sql`CREATE INDEX invites_queued ON invites (election_id) WHERE status = 'QUEUED'`.execute(db);
  await sql`
    CREATE TABLE magic_links (
      token_hash TEXT PRIMARY KEY,
      email TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE magic_link_elections (
      token_hash TEXT NOT NULL REFERENCES magic_links (token_hash) ON DELETE CASCADE,
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      PRIMARY KEY (token_hash, election_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX magic_link_elections_election ON magic_link_elections (election_id)`.execute(db);
  await sql`
    CREATE TABLE distribution_lists (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL CHECK (name <> ''),
      description TEXT,
      created_at INTEGER NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE distribution_list_emails (
      id TEXT PRIMARY KEY,
      list_id TEXT NOT NULL REFERENCES distribution_lists (id) ON DELETE CASCADE,
      email TEXT NOT NULL,
      UNIQUE (list_id, email)
    ) STRICT`.execute(db);
}
