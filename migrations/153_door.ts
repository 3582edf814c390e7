import { type Kysely, sql } from 'kysely';

/** Who is present, proxies, and voting cards. No row tells a time, an order, or which card somebody was handed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE meeting_items ADD COLUMN present INTEGER`.execute(db);
  await sql`
    CREATE TABLE attendance (
      id TEXT PRIMARY KEY,
      meeting_id TEXT NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
      person_id TEXT,
      name TEXT NOT NULL,
      class TEXT,
      state TEXT NOT NULL CHECK (state IN ('in', 'out')),
      UNIQUE (meeting_id, person_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX attendance_person ON attendance (person_id)`.execute(db);
  await sql`
    CREATE TABLE proxies (
      id TEXT PRIMARY KEY,
      meeting_id TEXT NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
      giver_id TEXT,
      holder_id TEXT,
      class TEXT NOT NULL,
      document TEXT,
      state TEXT NOT NULL CHECK (state IN ('given', 'used', 'ended')),
      UNIQUE (meeting_id, giver_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    CREATE TABLE card_packs (
      id TEXT PRIMARY KEY,
      meeting_id TEXT NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      class TEXT NOT NULL,
      cards INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('printed', 'open', 'void')),
      UNIQUE (meeting_id, number)
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE voting_cards (
      code_hash TEXT PRIMARY KEY,
      pack_id TEXT NOT NULL REFERENCES card_packs (id) ON DELETE CASCADE,
      stub_hash TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL CHECK (state IN ('valid', 'returned', 'lost'))
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX voting_cards_pack ON voting_cards (pack_id)`.execute(db);
}
