import { type Kysely, sql } from 'kysely';

const OLD = "'SIMPLE_TRIPLE', 'RANKED_CONDORCET', 'POLL'";

/**
 * Two more types of ballot. The table is made again from its stored text, whatever columns other migrations have added
 * before or will add: their order is not always that of their numbers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ type: 'table' | 'index'; sql: string }>`
    SELECT type, sql FROM sqlite_master WHERE tbl_name = 'elections' AND sql IS NOT NULL`.execute(db);
  const text = rows.find(({ type }) => type === 'table')?.sql ?? '';
  if (!text.includes(OLD)) throw new Error('The table of elections lists other types than expected');
  const rebuilt = text
    .replace(OLD, `${OLD}, 'YES_NO_EACH', 'RANKED_STV'`)
    .replace(/^CREATE TABLE "?elections"?/, 'CREATE TABLE new_elections');
  await sql.raw(rebuilt).execute(db);
  await sql`INSERT INTO new_elections SELECT * FROM elections`.execute(db);
  await sql`DROP TABLE elections`.execute(db);
  await sql`ALTER TABLE new_elections RENAME TO elections`.execute(db);
  for (const index of rows.filter(({ type }) => type === 'index')) await sql.raw(index.sql).execute(db);
}
