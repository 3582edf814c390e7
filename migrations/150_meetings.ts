import { type Kysely, sql } from 'kysely';

/** Meetings with their agendas. The questions of a meeting are elections; an item without one is only talked about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE meetings (
      id TEXT PRIMARY KEY,
      title TEXT NOT NULL,
      held_at INTEGER NOT NULL,
      place TEXT,
      notes TEXT,
      documents TEXT NOT NULL DEFAULT '[]',
      quorum INTEGER,
      quorum_share TEXT,
      remote INTEGER NOT NULL DEFAULT 0 CHECK (remote IN (0, 1)),
      proxies_per_person INTEGER NOT NULL DEFAULT 0,
      proxies_count INTEGER NOT NULL DEFAULT 0 CHECK (proxies_count IN (0, 1)),
      classes TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'prepared' CHECK (state IN ('prepared', 'running', 'closed')),
      paper_id TEXT,
      event_id TEXT,
      created_at INTEGER NOT NULL,
      began_at INTEGER,
      ended_at INTEGER
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE meeting_items (
      id TEXT PRIMARY KEY,
      meeting_id TEXT NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('text', 'motion', 'election')),
      title TEXT NOT NULL,
      text TEXT,
      mover TEXT,
      election_id TEXT UNIQUE REFERENCES elections (id) ON DELETE SET NULL,
      classes TEXT,
      state TEXT NOT NULL DEFAULT 'prepared' CHECK (state IN ('prepared', 'open', 'closed', 'declared', 'void')),
      opened_at INTEGER,
      closed_at INTEGER,
      declared_at INTEGER
    ) STRICT`.execute(db);
  await sql`CREATE INDEX meeting_items_meeting ON meeting_items (meeting_id, position)`.execute(db);
}
