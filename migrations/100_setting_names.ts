import { type Kysely, sql } from 'kysely';

/** One row a setting, under its own name, and secrets among them, sealed with the key of the service. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE settings ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0 CHECK (sealed IN (0, 1))`.execute(
    db,
  );
  await sql`
    INSERT INTO settings (name, value, set_at)
    SELECT 'parts.' || part.key, json(iif(part.value, 'true', 'false')), settings.set_at
    FROM settings, json_each(settings.value) AS part
    WHERE settings.name = 'parts'`.execute(db);
  await sql`DELETE FROM settings WHERE name = 'parts'`.execute(db);
  const leagues = await sql<{ value: string }>`
    SELECT value FROM settings WHERE name = 'sports_leagues'`.execute(db);
  for (const { value } of leagues.rows) {
    const paths = String(JSON.parse(value))
      .split(',')
      .map((path) => path.trim())
      .filter(Boolean);
    await sql`UPDATE settings SET value = ${JSON.stringify([...new Set(paths)])} WHERE name = 'sports_leagues'`.execute(
      db,
    );
  }
}
