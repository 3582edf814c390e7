import { type Kysely, sql } from 'kysely';

/** One table for every mail that must arrive. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE outbox (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      ref TEXT,
      facts TEXT NOT NULL,
      email TEXT NOT NULL,
      bundle TEXT,
      group_id TEXT,
      state TEXT NOT NULL CHECK (state IN ('WAITING', 'SENDING', 'SENT', 'FAILED', 'SKIPPED', 'UNSURE')),
      created_at INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      tries INTEGER NOT NULL DEFAULT 0,
      put_off_at INTEGER,
      claimed_by TEXT,
      claimed_at INTEGER,
      ended_at INTEGER,
      error TEXT
    ) STRICT`.execute(db);
  await sql`CREATE INDEX outbox_due ON outbox (state, due_at)`.execute(db);
  await sql`CREATE INDEX outbox_ref ON outbox (ref, kind) WHERE ref IS NOT NULL`.execute(db);
  await sql`CREATE INDEX outbox_bundle ON outbox (bundle, state) WHERE bundle IS NOT NULL`.execute(db);
  await sql`CREATE INDEX outbox_group ON outbox (group_id, state) WHERE group_id IS NOT NULL`.execute(db);
  await sql`CREATE INDEX outbox_email ON outbox (email)`.execute(db);
}
