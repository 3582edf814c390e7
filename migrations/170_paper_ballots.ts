import { type Kysely, sql } from 'kysely';

/** Ballots on paper that are counted with the others of a meeting: whom they were handed to is stored nowhere. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE tokens ADD COLUMN on_paper INTEGER NOT NULL DEFAULT 0 CHECK (on_paper IN (0, 1))`.execute(
    db,
  );
  await sql`ALTER TABLE elections ADD COLUMN paper_ballots INTEGER NOT NULL DEFAULT 0`.execute(db);
  await sql`ALTER TABLE elections ADD COLUMN invalid_papers INTEGER NOT NULL DEFAULT 0`.execute(db);
  await sql`
    CREATE TABLE paper_sheets (
      item_id TEXT PRIMARY KEY REFERENCES meeting_items (id) ON DELETE CASCADE,
      handed_out INTEGER NOT NULL DEFAULT 0,
      printed INTEGER,
      returned INTEGER,
      in_box INTEGER
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    CREATE TABLE paper_batches (
      id TEXT PRIMARY KEY,
      item_id TEXT NOT NULL REFERENCES meeting_items (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      valid INTEGER NOT NULL,
      blank INTEGER NOT NULL,
      invalid INTEGER NOT NULL,
      reason TEXT,
      state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'joined')),
      teller_1 TEXT,
      teller_2 TEXT,
      settled INTEGER NOT NULL DEFAULT 0,
      late INTEGER NOT NULL DEFAULT 0 CHECK (late IN (0, 1)),
      UNIQUE (item_id, number)
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE paper_batch_questions (
      batch_id TEXT NOT NULL REFERENCES paper_batches (id) ON DELETE CASCADE,
      item_id TEXT NOT NULL REFERENCES meeting_items (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      valid INTEGER NOT NULL DEFAULT 0,
      blank INTEGER NOT NULL DEFAULT 0,
      invalid INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (batch_id, item_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX paper_batch_questions_item ON paper_batch_questions (item_id)`.execute(db);
  await sql`
    CREATE TABLE paper_entries (
      batch_id TEXT NOT NULL REFERENCES paper_batches (id) ON DELETE CASCADE,
      teller INTEGER NOT NULL CHECK (teller IN (1, 2)),
      number INTEGER NOT NULL,
      item_id TEXT NOT NULL,
      choice TEXT NOT NULL,
      ballot_id TEXT,
      PRIMARY KEY (batch_id, teller, number, item_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
}
