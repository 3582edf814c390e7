import { type Kysely, sql } from 'kysely';

/** What a candidate or an option says of itself, and its picture. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE options ADD COLUMN text TEXT`.execute(db);
  await sql`ALTER TABLE options ADD COLUMN picture TEXT REFERENCES pictures (id)`.execute(db);
  await sql`CREATE INDEX options_picture ON options (picture) WHERE picture IS NOT NULL`.execute(db);
}
