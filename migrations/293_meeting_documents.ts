import { type Kysely, sql } from 'kysely';

/** PDFs that are uploaded for a meeting or an item of its agenda. Their bytes stand apart: lists do not read them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE meeting_documents (
      id TEXT PRIMARY KEY,
      meeting_id TEXT NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
      item_id TEXT REFERENCES meeting_items (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      size INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      added_at INTEGER NOT NULL,
      added_by TEXT
    ) STRICT`.execute(db);
  await sql`CREATE INDEX meeting_documents_meeting ON meeting_documents (meeting_id)`.execute(db);
  await sql`
    CREATE INDEX meeting_documents_item ON meeting_documents (item_id) WHERE item_id IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE meeting_document_files (
      document_id TEXT PRIMARY KEY REFERENCES meeting_documents (id) ON DELETE CASCADE,
      bytes BLOB NOT NULL
    ) STRICT`.execute(db);
}
