import { type Kysely, sql } from 'kysely';

/**
 * What stored prices are in is a row of the settings. Here it is only marked that there are some: their currency depends on
 * the environment, which the start knows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO settings (name, value, sealed, set_at)
    SELECT 'price_unit', 'null', 0, 0
    WHERE EXISTS (SELECT 1 FROM settings WHERE name = 'min_price_per_unit')
      OR EXISTS (
        SELECT 1 FROM content_revisions AS revision
        JOIN content_records AS record ON record.id = revision.record_id
        WHERE record.kind IN ('menu_item', 'offer') AND revision.body GLOB '*price":[0-9]*')`.execute(db);
}
