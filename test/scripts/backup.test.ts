import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { INHERITED, startService, tempFolder } from '#test/support/process.ts';

const run = promisify(execFile);
const script = (name: string) => path.join(import.meta.dirname, `../../scripts/${name}.ts`);

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

async function node(folder: string, name: string, ...args: string[]): Promise<Ended> {
  const env = { ...INHERITED, DATABASE_URL: `file:${folder}/service.db` };
  return run(process.execPath, [script(name), ...args], { cwd: folder, env }).then(
    (ended) => ({ code: 0, ...ended }),
    (error) => error as Ended,
  );
}

const election = (title: string) => ({
  title,
  ballot_type: 'SIMPLE_TRIPLE',
  open_at: '2026-01-01T00:00:00Z',
  close_at: '2099-01-01T00:00:00Z',
});

async function create(url: string, title: string): Promise<void> {
  const answer = await fetch(`${url}/admin/elections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(election(title)),
  });
  expect(answer.status).toBe(200);
}

async function titles(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/admin/elections`, { headers: { accept: 'application/json' } });
  const { elections } = (await answer.json()) as { elections: { title: string }[] };
  return elections.map(({ title }) => title).sort();
}

test('a backup of a running service brings back what it held, and what came later is set aside', async () => {
  const folder = tempFolder();
  const service = await startService(folder);
  await create(service.url, 'Before');
  const made = await node(folder, 'backup');
  await create(service.url, 'After');
  const [backup = ''] = fs.readdirSync(`${folder}/backups`).filter((name) => name.endsWith('.db'));

  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(backup) });
  const modeOf = (name: string) => (fs.statSync(`${folder}/${name}`).mode & 0o777).toString(8);
  expect(modeOf('backups')).toBe('700');
  for (const name of fs.readdirSync(`${folder}/backups`)) expect(modeOf(`backups/${name}`)).toBe('600');
  const whileItRuns = await node(folder, 'restore', `${folder}/backups/${backup}`);
  expect(whileItRuns).toMatchObject({ code: 1, stderr: expect.stringContaining('another process') });
  expect(await titles(service.url)).toEqual(['After', 'Before']);

  service.process.kill('SIGTERM');
  await service.ended;
  const restored = await node(folder, 'restore', `${folder}/backups/${backup}`);
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/service\.db\.before-\d+/) });
  for (const name of fs.readdirSync(folder).filter((one) => one.startsWith('service.')))
    expect([name, modeOf(name)]).toEqual([name, '600']);
  const again = await startService(folder);
  expect(await titles(again.url)).toEqual(['Before']);
  again.process.kill('SIGTERM');
  await again.ended;
});

test('a damaged backup is refused, and the newest ones alone are kept', async () => {
  const folder = tempFolder();
  const service = await startService(folder);
  await create(service.url, 'Kept');
  service.process.kill('SIGTERM');
  await service.ended;
  fs.mkdirSync(`${folder}/backups`);
  for (const day of ['01', '02', '03'])
    fs.writeFileSync(`${folder}/backups/publichouse-2026-01-${day}T00-00-00Z.db`, 'old');
  fs.writeFileSync(`${folder}/backups/notes.txt`, 'mine');

  expect(await node(folder, 'backup', '--keep', '2')).toMatchObject({ code: 0 });
  const names = fs.readdirSync(`${folder}/backups`).filter((name) => name.endsWith('.db'));
  expect(names).toEqual(['publichouse-2026-01-03T00-00-00Z.db', expect.stringContaining('publichouse-')]);
  expect(fs.existsSync(`${folder}/backups/notes.txt`)).toBe(true);

  const backup = `${folder}/backups/${names[1]}`;
  const bytes = fs.readFileSync(backup);
  bytes.fill(0x5a, 8_192, 8_192 + 4_096 * 4);
  fs.writeFileSync(backup, bytes);
  const refused = await node(folder, 'restore', backup);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/damaged|no sound copy|broken/) });
  expect(await node(folder, 'restore', `${folder}/none.db`)).toMatchObject({ code: 1 });
});
