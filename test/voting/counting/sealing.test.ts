import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { isoTime } from '#kernel/clock.ts';
import { startService, tempFolder } from '#test/support/process.ts';

test('an election whose service was killed between its result and its sealing is sealed by the next start', async () => {
  const folder = tempFolder();
  const file = path.join(folder, 'service.db');
  const first = await startService(folder);
  const ask = async (url: string, method = 'GET', body?: object) =>
    (
      await fetch(`${url}`, {
        method,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    ).json() as Promise<Record<string, unknown>>;
  const now = Date.now();
  const times = { open_at: isoTime(now - 60_000), close_at: isoTime(now + 3_600_000) };
  const { id } = await ask(`${first.url}/admin/elections`, 'POST', {
    title: 'Piano',
    ballot_type: 'SIMPLE_TRIPLE',
    ...times,
  });
  const { tokens } = await ask(`${first.url}/admin/elections/${id}/tokens`, 'POST', { count: 5 });
  for (const token of tokens as string[])
    await ask(`${first.url}/e/${id}/vote`, 'POST', { token, choice: 'yes' });

  // While somebody reads, the result can be settled but the log cannot be erased.
  const reader = new Sqlite(file, { readonly: true });
  reader.exec('BEGIN');
  const ballots = reader.prepare('SELECT id FROM ballots').pluck().all() as string[];
  await ask(`${first.url}/admin/elections/${id}/close`, 'POST');
  first.process.kill('SIGKILL');
  await first.ended;
  reader.close();
  const inLog = () => ballots.filter((ballot) => fs.readFileSync(`${file}-wal`, 'latin1').includes(ballot));
  expect(inLog()).toHaveLength(5);

  const second = await startService(folder);
  const actions = async () => {
    const { logs } = await ask(`${second.url}/admin/audit-logs?election_id=${id}`);
    return (logs as { action: string }[]).map(({ action }) => action);
  };
  await expect.poll(actions).toContain('election.sealed');
  expect(inLog()).toEqual([]);
  expect(await ask(`${second.url}/e/${id}/results`)).toMatchObject({
    total_ballots: 5,
    books: { balanced: true },
    result_matches: true,
  });
});
