import { type Kysely, sql } from 'kysely';

/**
 * Whether everybody can read a meeting. Those that exist stay as they are; one with PDFs, which were uploaded for the
 * invited alone, does not become public with them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE meetings ADD COLUMN public INTEGER NOT NULL DEFAULT 1 CHECK (public IN (0, 1))`.execute(
    db,
  );
  await sql`UPDATE meetings SET public = 0 WHERE id IN (SELECT meeting_id FROM meeting_documents)`.execute(
    db,
  );
}
