import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';
import { up as createSettings } from '../../../migrations/024_settings.ts';
import { up } from '../../../migrations/100_setting_names.ts';

test('the ticks of the parts become settings of their own, the leagues a list, and others stay', async () => {
  const sqlite = new Sqlite(':memory:');
  const database = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) });
  await createSettings(database);
  const add = (name: string, value: unknown) =>
    sqlite.prepare('INSERT INTO settings VALUES (?, ?, 7)').run(name, JSON.stringify(value));
  add('club_name', 'The Anchor');
  add('parts', { feedback: true, voting: false });
  add('sports_leagues', 'hockey/nhl, soccer/eng.1,,hockey/nhl');
  add('two_people', true);

  await up(database);

  expect(sqlite.prepare('SELECT * FROM settings ORDER BY name').raw().all()).toEqual([
    ['club_name', '"The Anchor"', 7, 0],
    ['parts.feedback', 'true', 7, 0],
    ['parts.voting', 'false', 7, 0],
    ['sports_leagues', '["hockey/nhl","soccer/eng.1"]', 7, 0],
    ['two_people', 'true', 7, 0],
  ]);
  await database.destroy();
});
