import { type Kysely, sql } from 'kysely';

/** Whether the figures of a question wait for papers, and why the chair does not wait for more of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE paper_sheets ADD COLUMN no_more TEXT`.execute(db);
  await sql`ALTER TABLE elections ADD COLUMN papers_awaited INTEGER NOT NULL DEFAULT 0
    CHECK (papers_awaited IN (0, 1))`.execute(db);
  await sql`UPDATE elections SET papers_awaited = 1 WHERE id IN (
    SELECT election_id FROM meeting_items JOIN paper_sheets ON paper_sheets.item_id = meeting_items.id
    WHERE state IN ('open', 'closed') AND handed_out > 0 AND counted IS NULL AND in_box IS NOT (
      SELECT coalesce(sum(valid + blank + invalid), 0) FROM paper_batch_questions AS counted_papers
      WHERE counted_papers.item_id = meeting_items.id))`.execute(db);
}
