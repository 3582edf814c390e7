import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ensureDatabase } from '#test/support/app.ts';
import { INHERITED, tempFolder } from '#test/support/process/process.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const OWN = /^(?:exec )?node .*-r \.\/scripts\/guard\.cjs ((?:scripts|src|test)\/[\w/-]+\.ts)/;
/** The scripts that start a program of this repository, and that program. */
const PROGRAMS = Object.entries(scripts).flatMap(([name, command]) => {
  const program = OWN.exec(command)?.[1];
  return program === undefined ? [] : [[name, program] as const];
});

/** What is said without an option, in a folder with nothing in it. */
const WITHOUT_OPTION: Record<string, [code: number, said: RegExp]> = {
  admin: [1, /^Usage: npm run admin -- grant <email> <role>/],
  'audit:verify': [1, /^DATABASE_URL: there is no database at .*service\.db\n$/],
  backup: [1, /service\.db/],
  recount: [2, /npm run recount/],
  restore: [1, /^Name the backup: npm run restore -- /],
  routes: [0, /^GET +\/ /m],
  texts: [0, /^$/],
  'third-party': [0, /^# Third-party software/],
  'workspace:check': [1, /WORKSPACE_API_KEY/],
  'workspace:import': [1, /WORKSPACE_API_KEY/],
};
/** Started without an option by other tests and runs. */
const ELSEWHERE: Record<string, string> = {
  start: 'below, and test/process.slow.test.ts',
  dev: 'below',
  demo: 'test/scripts/demo.slow.test.ts',
  device: 'test/scripts/device.slow.test.ts',
  check: 'npm test begins with it',
  test: '.ci/run',
  'test:slow': '.ci/run',
  'test:fresh': '.ci/run',
  'test:pseudo': '.ci/run',
  'test:german': '.ci/run',
  'test:faults': 'takes three quarters of an hour',
  'lint:browsers': 'npm run check',
  format: 'changes files; npm run check looks for the same',
};

const run = (program: string, ...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const folder = tempFolder();
    execFile(
      process.execPath,
      ['-r', path.join(ROOT, 'scripts/guard.cjs'), path.join(ROOT, program), ...args],
      { cwd: folder, env: { ...INHERITED, DATABASE_URL: `file:${folder}/service.db` }, maxBuffer: 1e7 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

describe.each(PROGRAMS)('npm run %s', (_name, program) => {
  test('--help says what it does, and what its arguments are', async () => {
    const { code, stdout, stderr } = await run(program, '--help');

    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/npm (run|start)|--url URL/);
  });

  test('an unknown option is refused in one line', async () => {
    const { code, stdout, stderr } = await run(program, '--nonsense');

    expect([code, stdout, stderr]).toEqual([
      64,
      '',
      '--nonsense: unknown option; --help says what there is\n',
    ]);
  });
});

test.each(Object.entries(WITHOUT_OPTION))('npm run %s without an option', async (name, [code, said]) => {
  const ended = await run(new Map(PROGRAMS).get(name) ?? name);

  expect(ended.stdout + ended.stderr).toMatch(said);
  expect(ended.code).toBe(code);
  // An error is said in words, not by the lines of the program.
  expect(ended.stderr).not.toMatch(/^ +at /m);
});

test('every script is started without an option by a test or a run', () => {
  const known = (name: string) =>
    Object.hasOwn(WITHOUT_OPTION, name) ||
    Object.hasOwn(ELSEWHERE, name) ||
    // A bench measures for minutes: `npm run bench` starts the others.
    name.startsWith('bench') ||
    // Runs before another one.
    (name.startsWith('pre') && Object.hasOwn(scripts, name.slice('pre'.length)));

  expect(Object.keys(scripts).filter((name) => !known(name))).toEqual([]);
});

test.each([
  ['scripts/backup.ts', ['--keep'], '--keep: a value is missing'],
  ['scripts/backup.ts', ['--keep', '--now'], '--keep: a value is missing'],
  ['scripts/backup.ts', ['--now=yes'], '--now: takes no value'],
  ['scripts/demo.ts', ['--speed', '-3'], '--speed: a value is missing'],
  ['src/main.ts', ['--port', '4000'], '--port: unknown option'],
])('%s %j is refused in one line', async (program, args, message) => {
  const { code, stderr } = await run(program, ...args);

  expect([code, stderr]).toEqual([64, `${message}; --help says what there is\n`]);
});

test.each([
  ['admin', 'scripts/admin.ts', ['list']],
  ['workspace:import', 'scripts/workspace-import.ts', []],
])('%s names a database of an earlier version, and leaves it as it is', async (_name, program, args) => {
  const folder = tempFolder();
  const file = path.join(folder, 'service.db');
  await ensureDatabase(file);
  const sqlite = new Sqlite(file);
  sqlite.exec('DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)');
  sqlite.close();

  const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const words = ['-r', path.join(ROOT, 'scripts/guard.cjs'), path.join(ROOT, program), ...args];
    const env = { ...INHERITED, DATABASE_URL: `file:${file}`, WORKSPACE_API_KEY: 'any' };
    execFile(process.execPath, words, { cwd: folder, env }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });

  expect(ended.code).toBe(3);
  expect(ended.stderr).toContain(`${file} is of an earlier version: start the service once`);
});

test('npm run dev serves, and seals an election that is closed', async () => {
  const folder = tempFolder();
  const file = path.join(folder, 'service.db');
  await ensureDatabase(file);
  const child = spawn(process.execPath, ['-r', './scripts/guard.cjs', 'scripts/dev.ts'], {
    cwd: ROOT,
    env: { ...INHERITED, DATABASE_URL: `file:${file}`, PORT: '0', OVERLOAD_DELAY_MS: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // The process that watches and the service end with it.
    detached: true,
  });
  onTestFinished(() => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
  });
  const errors: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const listening = /Server listening at (http:[^"]+)/.exec(line)?.[1];
      if (listening) resolve(listening);
      if (/"level":(50|60)/.test(line)) errors.push(line);
    });
    child.on('exit', () => reject(new Error('It ended before it listened')));
  });
  const send = async (address: string, body: object = {}) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await fetch(url + address, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const made = await send('/admin/elections', {
    title: 'Roof',
    ballot_type: 'SIMPLE_TRIPLE',
    open_at: new Date(Date.now() - 60_000).toISOString(),
    close_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const { tokens } = (await send(`/admin/elections/${made.id}/tokens`, { count: 2 })) as { tokens: string[] };
  await send(`/e/${made.id}/vote`, { token: tokens[0], choice: 'yes' });

  await send(`/admin/elections/${made.id}/close`);

  const sqlite = new Sqlite(file, { readonly: true });
  onTestFinished(() => void sqlite.close());
  const sealed = sqlite.prepare('SELECT sealed_at FROM elections').pluck();
  await expect.poll(() => sealed.get()).toEqual(expect.anything());
  expect(errors).toEqual([]);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
