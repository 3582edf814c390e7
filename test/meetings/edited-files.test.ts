import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { verify } from '#test/support/accusations.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { heldMeeting } from './held-meeting.ts';

const LIMITS = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000' };

/** A meeting that was held, in a file that somebody edits while the service is stopped. */
async function edited(edit: (sqlite: Sqlite.Database, meeting: string) => void, returns = false) {
  const file = `${tempFolder()}/service.db`;
  const env = { ...LIMITS, DATABASE_URL: `file:${file}` };
  const { one, end } = await heldMeeting({}, { env });
  // Before the end and after it: no difference, as `verify` says below.
  const scan = (code: string | undefined) => one.service.post(`${one.base}/door/return`, { code });
  if (returns) expect((await scan(one.codes[9])).statusCode).toBe(200);
  expect((await end()).statusCode).toBe(200);
  if (returns) expect((await scan(one.codes[8])).statusCode).toBe(200);
  const at = one.service.clock.now;
  await one[Symbol.asyncDispose]();
  expect(await verify(file)).toEqual({ code: 0, said: '' });
  const sqlite = new Sqlite(file);
  edit(sqlite, one.id);
  sqlite.close();
  const service = await testApp(env);
  onTestFinished(() => service[Symbol.asyncDispose]());
  service.clock.now = at;
  return { service, file, id: one.id, base: one.base };
}

const page = async (service: TestApp, url: string, who: Record<string, string> = {}) =>
  (await service.get(url, { accept: 'text/html', ...who })).body;

it('a meeting that was deleted in the file is an alarm: its address, the health page and audit:verify say so', async () => {
  const { service, file, id } = await edited((sqlite, meeting) => {
    sqlite.pragma('foreign_keys = ON');
    sqlite.prepare('DELETE FROM meetings WHERE id = ?').run(meeting);
  });
  const gone = await service.get(`/m/${id}`);
  const { logged } = gone.json();
  expect([gone.statusCode, gone.json().error]).toEqual([
    410,
    message('meeting_lost', { title: 'AGM', at: '2026-11-21T17:00:00.000Z' }),
  ]);
  expect(logged).toEqual({ kind: 'meeting', id, title: 'AGM', created_at: '2026-11-21T17:00:00.000Z' });
  for (const url of [`/m/${id}/minutes`, `/admin/meetings/${id}`, `/m/${id}/wall`])
    expect([url, (await service.get(url)).statusCode]).toEqual([url, 410]);
  expect(await page(service, `/m/${id}`)).toContain('This database does not have it any more');
  const owner = await appoint(service, 'owner@club.example', 'owner');
  expect(await page(service, '/admin/health', owner)).toContain(
    'The log has what this database has lost, and nobody deleted it: the meeting “AGM”',
  );
  const { code, said } = await verify(file);
  expect([code, said]).toEqual([2, expect.stringContaining(`the meeting “AGM” (${id}) is in the log`)]);
});

it('an election of a meeting that was deleted in the file is one too, with its result', async () => {
  let question = '';
  const { service, file } = await edited((sqlite) => {
    sqlite.pragma('foreign_keys = OFF');
    question = String(sqlite.prepare("SELECT id FROM elections WHERE title = 'Fees'").pluck().get());
    sqlite.prepare('DELETE FROM elections WHERE id = ?').run(question);
  });
  const gone = await service.get(`/e/${question}`);
  expect([gone.statusCode, gone.json().logged]).toEqual([
    410,
    expect.objectContaining({ kind: 'election', title: 'Fees', total_ballots: 4 }),
  ]);
  const { code, said } = await verify(file);
  expect([code, said]).toEqual([2, expect.stringContaining('is in the log with a result of 4 ballots')]);
});

it('the pages of a meeting name the fact that is not as the log has it', async () => {
  const { service, file, id, base } = await edited((sqlite) =>
    sqlite.exec(
      `UPDATE meeting_items SET counted = json_set(counted, '$.yes', 1, '$.no', 3) WHERE counted LIKE '%"no":1%'`,
    ),
  );
  const named = 'The log has recorded otherwise: the number of hands.';
  for (const url of [`/m/${id}`, base]) {
    expect([url, (await service.get(url)).json().differences]).toEqual([
      url,
      ['the log has recorded otherwise: the number of hands'],
    ]);
    const shown = await page(service, url);
    expect([url, shown.includes('Something does not agree'), shown.includes(named)]).toEqual([
      url,
      true,
      true,
    ]);
  }
  // What the chair and members have open while it is held, and the minutes.
  for (const url of [`${base}/chair`, `/m/${id}?card=other`, `${base}/minutes`]) {
    const shown = await page(service, url);
    expect([url, shown.includes('recorded otherwise: the number of hands')]).toEqual([url, true]);
  }
  expect(await verify(file)).toEqual({ code: 2, said: expect.stringContaining('the number of hands') });
});

it('codes that were returned count among those of the close: another one in their place is an alarm', async () => {
  const returned =
    'SELECT token_hash FROM withdrawn_codes WHERE election_id IN (SELECT paper_id FROM meetings)';
  const { file } = await edited((sqlite) => {
    const count = sqlite.prepare(`SELECT count(*) FROM (${returned})`).pluck().get();
    expect(count).toBeGreaterThan(0);
    sqlite.exec(`UPDATE withdrawn_codes SET token_hash = lower(hex(randomblob(32))) WHERE token_hash IN (
      ${returned} LIMIT 1)`);
  }, true);
  const { code, said } = await verify(file);
  expect([code, said]).toEqual([
    2,
    expect.stringContaining('the voting codes are not those that existed at the close'),
  ]);
});
