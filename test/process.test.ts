import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runToEnd, type ServiceProcess, startService, tempFolder } from './support/process.ts';

const EDGE_WARNING = expect.stringContaining('Edge-Access-Authenticated-User-Email');

test('it starts without configuration, whatever the name of its folder, answers, and stops cleanly on SIGTERM', async () => {
  const folder = tempFolder();
  const service = await startService(folder, {}, installedIn(path.join(folder, 'Müller & club #1 50%2e')));
  // Without an owner it prints the code for the set-up page, and a log reader does not get it.
  const printed = service.logged.find((line) => line.startsWith('Set up: '));
  expect(printed).toMatch(
    /^Set up: http:\/\/127\.0\.0\.1:\d+\/set-up code [0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/,
  );
  const code = printed?.slice(-14) ?? '';
  expect(service.logged.filter((line) => line.startsWith('{')).join()).not.toContain(code);
  // Development says that the e-mail header of the edge is taken as identity.
  expect(warningsOf(service)).toContainEqual(EDGE_WARNING);

  const health = await fetch(`${service.url}/health`).then((answer) => answer.json());
  service.process.kill('SIGTERM');

  expect(health).toMatchObject({ service: 'publichouse', status: 'ok', checks: { database: 'ok' } });
  expect(await service.ended).toBe(0);
  expect(fs.statSync(path.join(folder, 'service.key')).mode & 0o777).toBe(0o600);
});

test('what it writes is for its own user alone, also what an older one left open', async () => {
  const folder = tempFolder();
  const file = path.join(folder, 'data/service.db');
  const modeOf = (name: string) => (fs.statSync(name).mode & 0o777).toString(8);
  const names = ['service.db', 'service.db-shm', 'service.db-wal', 'service.db.lock', 'service.key'];
  const modes = () => names.map((name) => `${name} ${modeOf(path.join(folder, 'data', name))}`);
  const expected = names.map((name) => `${name} 600`);

  const service = await startService(folder, { DATABASE_URL: `file:${file}` });
  expect(modes()).toEqual(expected);
  expect(modeOf(path.dirname(file))).toBe('700');

  // Killed, so that its log is still there.
  service.process.kill('SIGKILL');
  await service.ended;
  for (const name of names.slice(0, 4)) fs.chmodSync(path.join(folder, 'data', name), 0o644);
  await startService(folder, { DATABASE_URL: `file:${file}` });
  expect(modes()).toEqual(expected);
});

test('bad configuration stops the start with one line per problem', async () => {
  const { code, stderr } = await runToEnd(tempFolder(), { PORT: 'many', TIME_ZONE: 'Nowhere' });

  expect(code).not.toBe(0);
  expect(
    stderr
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0]),
  ).toEqual(['PORT', 'TIME_ZONE']);
});

test('a port in use stops the start with one line', async () => {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());

  const { port } = taken.address() as net.AddressInfo;
  const { code, stderr } = await runToEnd(tempFolder(), { PORT: String(port) });

  expect(code).not.toBe(0);
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^PORT: .*already in use/)]);
});

test('a folder that cannot be written stops the start with one line', async () => {
  const folder = tempFolder();
  fs.writeFileSync(path.join(folder, 'file'), '');

  const { code, stderr } = await runToEnd(folder, { DATABASE_URL: `file:${folder}/file/service.db` });

  expect(code).not.toBe(0);
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^DATABASE_URL: cannot open/)]);
});

test('a second process on the same database stops with one line, also through a link; after a kill -9 the next one starts', async () => {
  const folder = tempFolder();
  const first = await startService(folder);

  const second = await runToEnd(folder);
  const other = tempFolder();
  fs.symlinkSync(`${folder}/service.db`, `${other}/link.db`);
  const linked = await runToEnd(other, { DATABASE_URL: `file:${other}/link.db` });
  fs.linkSync(`${folder}/service.db`, `${other}/name.db`);
  const named = await runToEnd(other, { DATABASE_URL: `file:${other}/name.db` });
  fs.rmSync(`${other}/name.db`);
  first.process.kill('SIGKILL');
  await first.ended;
  const third = await startService(folder);

  expect([second.code, linked.code, named.code]).toEqual([1, 1, 1]);
  expect([second, linked, named].map(({ stderr }) => stderr.trim().split('\n'))).toEqual([
    [expect.stringContaining('another process already serves')],
    [expect.stringContaining('another process already serves')],
    [expect.stringContaining('has 2 names (hard links)')],
  ]);
  expect((await fetch(`${third.url}/health`)).status).toBe(200);
});

test('production without a verified edge says what it risks', async () => {
  const service = await startService(tempFolder(), { NODE_ENV: 'production' });

  const answer = await fetch(`${service.url}/admin/elections`);

  expect(answer.status).toBe(401);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test('a verified edge is not warned of', async () => {
  const verified = await startService(tempFolder(), {
    EDGE_ACCESS_CERTS_URL: 'https://edge.club.example/certs',
    EDGE_ACCESS_ISSUER: 'https://edge.club.example',
    EDGE_ACCESS_AUDIENCE: 'the club',
  });

  expect(warningsOf(verified)).not.toContainEqual(EDGE_WARNING);
});

test('a stop under requests waits for them, not for connections that clients keep', async () => {
  const service = await startService(tempFolder());
  let asking = true;
  const clients = Array.from({ length: 16 }, async () => {
    while (asking)
      await fetch(`${service.url}/`).then(
        (answer) => answer.text(),
        () => '',
      );
  });
  await fetch(`${service.url}/health`);

  service.process.kill('SIGTERM');
  const code = await service.ended;
  asking = false;
  await Promise.all(clients);

  // A stop that is held up too long ends with 1.
  expect(code).toBe(0);
});

test('on an old Node the start says in one line what is missing', () => {
  const guard = path.join(import.meta.dirname, '../scripts/guard.cjs');
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";

  const { status, stderr } = spawnSync(
    process.execPath,
    ['-e', `${pretend}; require(${JSON.stringify(guard)})`],
    { encoding: 'utf8' },
  );

  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('needs Node 26+')]);
});

/** Puts the program into a folder. @returns its first module */
function installedIn(folder: string): string {
  const root = path.join(import.meta.dirname, '..');
  for (const name of ['src', 'views', 'migrations', 'package.json'])
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return path.join(folder, 'src/main.ts');
}

/** Messages of the warnings that a process logged while it started. */
function warningsOf({ logged }: ServiceProcess): string[] {
  const lines = logged
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  return lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
}
