import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { DatabaseError } from '#kernel/db/database-error.ts';
import { openContext } from '#kernel/open-context.ts';
import {
  modeOf,
  modesIn,
  PRIVATE,
  runToEnd,
  type ServiceProcess,
  startService,
  tempFolder,
} from '#test/support/process/process.ts';
import { WRONG_VARIABLES } from '#test/support/wrong-variables.ts';
import { TRUST_UNSET, testApp } from './support/app.ts';
import { openStream } from './support/stream-client.ts';

const GUARD = path.join(import.meta.dirname, '../scripts/guard.cjs');
/** A program in a temporary folder needs no compile cache. */
const UNCACHED = { NODE_DISABLE_COMPILE_CACHE: '1' };
const DEVICE_TOKEN = 'a token of the player in the bar';
const EDGE_WARNING = expect.stringContaining('Edge-Access-Authenticated-User-Email');

test('it starts without configuration in a folder of any name, keeps others off its database, and stops on SIGTERM', async () => {
  const folder = tempFolder();
  const file = path.join(folder, 'data/service.db');
  const DATABASE_URL = `file:${file}`;
  const main = installedIn(path.join(folder, 'Müller & club #1 50%2e'));
  const service = await startService(folder, { ...UNCACHED, DATABASE_URL }, main);
  // Without an owner it prints the code for the set-up page, but not in the JSON log.
  const printed = service.logged.find((line) => line.startsWith('Set up: '));
  expect(printed).toMatch(
    /^Set up: http:\/\/127\.0\.0\.1:\d+\/set-up code [0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/,
  );
  const code = printed?.slice(-14) ?? '';
  // Below it the same as a link; browsers do not send what follows #.
  expect(service.logged).toContain(`${printed?.split(' ')[2]}#${code}`);
  expect(service.logged.filter((line) => line.startsWith('{')).join()).not.toContain(code);
  // In development it warns that the e-mail header of the edge is trusted.
  expect(warningsOf(service)).toContainEqual(EDGE_WARNING);
  // Only its own user may read the files it writes.
  expect(modesIn(path.dirname(file))).toEqual(PRIVATE);
  expect(modeOf(path.dirname(file))).toBe('700');

  const second = await runToEnd(folder, { DATABASE_URL });
  expect([second.code, second.stderr.trim().split('\n')]).toEqual([
    1,
    [expect.stringContaining('another process already serves')],
  ]);
  const [link, name] = [path.join(folder, 'link.db'), path.join(folder, 'name.db')];
  fs.symlinkSync(file, link);
  await expect(opening(link)).rejects.toThrow('another process already serves');
  fs.linkSync(file, name);
  await expect(opening(name)).rejects.toThrow('has 2 names (hard links)');

  const health = await fetch(`${service.url}/health`).then((answer) => answer.json());
  expect(health).toMatchObject({ service: 'publichouse', status: 'ok', checks: { database: 'ok' } });
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
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

test('a start with every variable wrong prints one line for each, which says what it may be', async () => {
  const wrong = Object.fromEntries([...WRONG_VARIABLES].map(([name, { values }]) => [name, values[0]!]));

  const { code, stderr } = await runToEnd(tempFolder(), wrong);

  const lines = [...WRONG_VARIABLES].map(([name, { says }]) => `${name}: ${says}`);
  expect([code, stderr.trim().split('\n').toSorted()]).toEqual([1, lines.toSorted()]);
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

test('a database that cannot be opened is refused with one line', async () => {
  const folder = tempFolder();
  fs.writeFileSync(path.join(folder, 'file'), '');

  await expect(opening(`${folder}/file/service.db`)).rejects.toThrow(/^DATABASE_URL: cannot open [^\n]*$/);
  await expect(opening(`${folder}/file/service.db`)).rejects.toBeInstanceOf(DatabaseError);
});

test('a file or a host name that cannot be used is named, and not HOST and PORT for all', async () => {
  const folder = tempFolder();
  fs.mkdirSync(path.join(folder, 'service.key'));
  const lines = async (env: Record<string, string>) =>
    (await runToEnd(tempFolder(), env)).stderr.trim().split('\n');

  expect(await lines({ SETUP_ANEW: 'on', DATABASE_URL: `file:${folder}/service.db` })).toEqual([
    expect.stringMatching(/^The key file .*service\.key cannot be read: EISDIR/),
  ]);
  expect(await lines({ HOST: 'nowhere.invalid' })).toEqual([expect.stringMatching(/^HOST: getaddrinfo/)]);
  expect(await lines({ HOST: '192.0.2.1' })).toEqual([expect.stringMatching(/^HOST, PORT: .*EADDRNOTAVAIL/)]);
});

test('a second signal that follows at once is the same wish, so the stop is complete', async () => {
  const service = await startService(tempFolder());

  service.process.kill('SIGINT');
  service.process.kill('SIGINT');
  service.process.kill('SIGTERM');

  expect(await service.ended).toBe(0);
});

test('the guard prints the comment of a script for --help, and keeps the exit code when the pipe is closed', () => {
  const scripts = path.dirname(GUARD);
  for (const name of fs.readdirSync(scripts).filter((name) => name.endsWith('.ts'))) {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['-r', GUARD, path.join(scripts, name), '--help'],
      { encoding: 'utf8', env: { PATH: process.env.PATH } },
    );
    expect([name, status, stderr]).toEqual([name, 0, '']);
    // How it is called: some are no command of npm.
    expect(stdout).toMatch(new RegExp(`npm run|--|node scripts/${name}`));
  }
  const print = "process.exitCode = 2; for (let i = 0; i < 1e5; i++) console.log('a line of the report')";
  const piped = `"${process.execPath}" -r "${GUARD}" -e "${print}" | head -1; exit \${PIPESTATUS[0]}`;
  const { status, stderr } = spawnSync('bash', ['-c', piped], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, '']);
});

test('an edge whose tokens are verified causes no warning', async () => {
  await using verified = await testApp({
    ...TRUST_UNSET,
    NODE_ENV: 'development',
    EDGE_ACCESS_CERTS_URL: 'https://edge.club.example/certs',
    EDGE_ACCESS_ISSUER: 'https://edge.club.example',
    EDGE_ACCESS_AUDIENCE: 'the club',
  });

  expect(warningsOf(verified)).not.toContainEqual(EDGE_WARNING);
});

test('in production streams follow the clock and the local bypass is off; a stop ends streams, waits for requests and not for idle connections', async () => {
  // No requests to other hosts.
  const alone = { LYRICS_API_URL: '', GENRE_API_URL: '' };
  const service = await startService(tempFolder(), {
    NODE_ENV: 'production',
    NOW_PLAYING_INGEST_TOKEN: DEVICE_TOKEN,
    ...alone,
  });
  expect((await fetch(`${service.url}/admin/elections`)).status).toBe(401);
  const client = await openStream(service.url);
  const heard = (event: string) => client.heard.filter((one) => one.event === event).map(({ data }) => data);
  await ingest(service.url, { heartbeat: true });
  await ingest(service.url, { artist: 'A', title: 'B' });
  await client.until(() => heard('status').length === 2 && heard('track').length === 2);
  service.moveClock(91 * SECOND);
  await client.until(() => heard('status').length === 3);
  service.moveClock(10 * MINUTE);
  await client.until(() => heard('track').length === 3);
  expect(heard('status').map(({ state }) => state)).toEqual(['offline', 'online', 'offline']);
  expect(heard('track')).toEqual([null, expect.objectContaining({ artist: 'A' }), null]);

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
  await client.ended;
  const code = await service.ended;
  asking = false;
  await Promise.all(clients);

  // A stop that takes too long ends with 1.
  expect(code).toBe(0);
});

test('on an old Node the guard says in one line what is missing', () => {
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";

  const { status, stderr } = spawnSync(
    process.execPath,
    ['-e', `${pretend}; require(${JSON.stringify(GUARD)})`],
    { encoding: 'utf8' },
  );

  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/needs Node 26\+.*`node scripts\/ensure.cjs` installs/),
  ]);
});

test('a program whose packages are not installed says in one line what to do', () => {
  const folder = tempFolder();
  fs.mkdirSync(path.join(folder, 'scripts'));
  fs.copyFileSync(GUARD, path.join(folder, 'scripts/guard.cjs'));
  const run = () =>
    spawnSync(process.execPath, ['-r', path.join(folder, 'scripts/guard.cjs'), '-e', 'console.log("runs")'], {
      encoding: 'utf8',
    });

  const { status, stdout, stderr } = run();
  fs.mkdirSync(path.join(folder, 'node_modules'));

  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^Nothing is installed.*`node scripts\/ensure.cjs` installs/),
  ]);
  expect(run()).toMatchObject({ status: 0, stdout: 'runs\n' });
});

test('the scripts keep their compile cache in node_modules, unless it cannot be created there', () => {
  const folder = tempFolder();
  const kept = path.join(folder, 'node_modules/.cache/node-compile');
  fs.mkdirSync(path.join(folder, 'scripts'));
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.copyFileSync(GUARD, `${folder}/scripts/guard.cjs`);
  const folderOfCache = () => {
    const script = "console.log(require('node:module').getCompileCacheDir())";
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['-r', `${folder}/scripts/guard.cjs`, '-e', script],
      { encoding: 'utf8', env: { PATH: process.env.PATH } },
    );
    return [status, stdout.trim(), stderr];
  };

  expect(folderOfCache()).toEqual([0, expect.stringContaining(kept), '']);
  fs.rmSync(path.join(folder, 'node_modules/.cache'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'node_modules/.cache'), 'no folder');
  expect(folderOfCache()).toEqual([0, 'undefined', '']);
});

async function ingest(url: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/api/now-playing/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${DEVICE_TOKEN}` },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

/** Opens a database as the service does at its start, in the process of the test. */
async function opening(file: string): Promise<void> {
  await using _ctx = await openContext(readConfig({ DATABASE_URL: `file:${file}`, LOG_LEVEL: 'silent' }, ''));
}

/** Copies the program into a folder. @returns its entry module */
function installedIn(folder: string): string {
  const root = path.join(import.meta.dirname, '..');
  for (const name of ['src', 'views', 'migrations', 'package.json'])
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return path.join(folder, 'src/main.ts');
}

/** Messages of the warnings that a process logged while it started. */
function warningsOf({ logged }: Pick<ServiceProcess, 'logged'>): string[] {
  const lines = logged
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  return lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
}
