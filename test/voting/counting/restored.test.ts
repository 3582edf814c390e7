import fs from 'node:fs';
import { expect, it } from 'vitest';
import { listServiceChecks } from '#kernel/checks/service.ts';
import { backUp } from '#kernel/db/backup.ts';
import { restore } from '#kernel/db/restore.ts';
import { sentences } from '#kernel/language/times.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { testApp } from '#test/support/app.ts';
import { addElection, addTokens, cast, castAll, page } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { recheckRecentResults } from '#voting/counting/recheck.ts';

it('a restore that repeats a vote is recorded, and said on every page that it concerns', async () => {
  const folder = tempFolder();
  const file = `${folder}/service.db`;
  const env = { DATABASE_URL: `file:${file}` };
  let backup: string;
  let id: string;
  let before: string;
  let later: string;
  let tokens: string[];
  let settled: { ballot_set_sha256: string };
  {
    await using service = await testApp(env);
    before = await addElection(service, { title: 'Long ago' });
    await castAll(service, before, [{ choice: 'yes' }]);
    await service.post(`/admin/elections/${before}/close`);
    id = await addElection(service, { title: 'Piano' });
    tokens = await addTokens(service, id, 2);
    service.clock.now += 60_000;
    backup = await backUp(file, { folder: `${folder}/backups`, keep: 14, at: service.clock.now });
    service.clock.now += 60_000;
    await cast(service, id, { token: tokens[0], choice: 'no' });
    await service.post(`/admin/elections/${id}/close`);
    settled = (await service.get(`/e/${id}/results`)).json();
    later = await addElection(service, { title: 'Made later' });
    await castAll(service, later, [{ choice: 'yes' }]);
    await service.post(`/admin/elections/${later}/close`);
    await service.get(`/e/${later}/results`);
  }
  expect((fs.statSync(`${folder}/settled.log`).mode & 0o777).toString(8)).toBe('600');
  await restore(backup, file, Date.parse('2026-11-21T18:00:00Z'));

  await using service = await testApp(env);
  service.clock.now = Date.parse('2026-11-21T18:01:00Z');
  const { logs } = (await service.get('/admin/audit-logs?action=database.restored')).json();
  expect(logs.map(({ metadata }: { metadata: string }) => JSON.parse(metadata))).toEqual([
    {
      from: backup.split('/').at(-1),
      made_at: '2026-11-21T17:01:00.000Z',
      restored_at: '2026-11-21T18:00:00.000Z',
    },
  ]);
  const shown = async (election: string) => (await page(service, `/e/${election}`)).body;
  const restored = 'The database was restored from a copy made 2026-11-21 17:01 UTC';
  expect(await shown(id)).toContain(restored);
  expect(await shown(before)).not.toContain(restored);

  // The same code votes the other way.
  await cast(service, id, { token: tokens[0], choice: 'yes' });
  await service.post(`/admin/elections/${id}/close`);
  await recheckRecentResults(service.ctx);
  expect((await service.get(`/e/${id}/results`)).json()).toMatchObject({
    result_matches: false,
    differences: [expect.stringContaining(settled.ballot_set_sha256)],
  });
  expect(await shown(id)).toContain('an older copy was put back');
  expect(await shown(id)).toContain(restored);
  const untouched = (await service.get(`/e/${before}/results`)).json();
  expect(untouched).toMatchObject({ result_matches: true });

  const gone = await service.get(`/e/${later}`);
  expect([gone.statusCode, gone.json().settled]).toMatchObject([
    410,
    { title: 'Made later', total_ballots: 1 },
  ]);
  const goneHtml = await page(service, `/e/${later}`);
  expect([goneHtml.statusCode, goneHtml.body]).toEqual([410, expect.stringContaining('Made later')]);
  // JSON has one sentence for any number.
  expect([gone.json().error, goneHtml.body]).toEqual([
    expect.stringContaining('a result of 1 ballot, settled'),
    expect.stringContaining('a result of 1 ballot, settled'),
  ]);
  const checks = await listServiceChecks(service.ctx);
  const found = checks.find(({ name }) => name === 'settled_elections');
  expect(sentences([found?.text])?.for(ENGLISH)).toContain('Made later');
  expectRefusal(await service.get('/e/unknown'), 404, 'election_not_found');
});
