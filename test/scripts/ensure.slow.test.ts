import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '#test/support/process/process.ts';

const RUNTIME = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
const STAMP = 'node_modules/.lock-sha256';
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

/** A lock file whose packages are a tool for tests and one that the service needs. */
const lockOf = (tool: string, needed = '1.0.0') =>
  JSON.stringify({
    packages: {
      '': {},
      'node_modules/needed': { version: needed },
      'node_modules/tool': { version: tool, dev: true },
    },
  });

/** Plays npm: installs what the lock file of `--prefix` names, or fails as `HOW` says. */
const NPM = `const fs = require('fs');
  const words = process.argv.slice(2);
  const to = words[words.indexOf('--prefix') + 1] + '/node_modules';
  fs.appendFileSync(process.env.CALLS, words.join(' ') + '\\n');
  fs.mkdirSync(to + '/node-${process.platform}-${process.arch}/bin', { recursive: true });
  if (process.env.HOW === 'no network') process.exit(1);
  if (process.env.HOW === 'a full disk') throw new Error('ENOSPC: no space left on device');
  if (process.env.HOW === 'a kill') process.kill(process.ppid, 'SIGKILL'), process.exit(1);
  fs.writeFileSync(to + '/node-${process.platform}-${process.arch}/bin/node', 'the runtime');
  const lock = JSON.parse(fs.readFileSync(to + '/../package-lock.json', 'utf8'));
  if (words.includes('--omit=dev'))
    for (const name in lock.packages) if (lock.packages[name].dev) delete lock.packages[name];
  fs.writeFileSync(to + '/.package-lock.json', JSON.stringify(lock));`;

/** Creates a clone in which nothing is installed. */
function clone() {
  const root = fs.realpathSync(tempFolder());
  const at = (name: string) => path.join(root, name);
  const put = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    fs.writeFileSync(at(name), text);
  };
  put(
    'scripts/ensure.cjs',
    fs.readFileSync(path.join(import.meta.dirname, '../../scripts/ensure.cjs'), 'utf8'),
  );
  put('package.json', '{}');
  put('package-lock.json', lockOf('1.0.0'));
  put('npm.cjs', NPM);
  put('calls', '');
  return {
    root,
    put,
    read: (name: string) => fs.readFileSync(at(name), 'utf8'),
    has: (name: string) => fs.existsSync(at(name)),
    calls: () => fs.readFileSync(at('calls'), 'utf8').trim().split('\n').filter(Boolean),
    ensure(env: Record<string, string> = {}, ...args: string[]): SpawnSyncReturns<string> {
      const npm = { npm_execpath: at('npm.cjs'), CALLS: at('calls'), PATH: process.env.PATH };
      const words = [at('scripts/ensure.cjs'), ...args];
      return spawnSync(process.execPath, words, { encoding: 'utf8', env: { ...npm, ...env } });
    },
  };
}

test('the runtime is put where npm looks for it, also if npm created no link', () => {
  const { root, put, ensure, read } = clone();
  put(STAMP, sha(lockOf('1.0.0')));
  put(RUNTIME, 'the runtime');

  const { status, stderr } = ensure();

  expect([status, stderr]).toEqual([0, '']);
  expect(read('node_modules/.bin/node')).toBe('the runtime');
  expect(fs.statSync(path.join(root, RUNTIME)).mode & 0o111).toBe(0o111);
});

test('missing packages are installed once, by the running npm, without running install scripts', () => {
  const { ensure, calls, read, has } = clone();

  expect([ensure().status, ensure().status]).toEqual([0, 0]);

  expect(calls()).toEqual([expect.stringMatching(/^ci .*--include=dev .*--ignore-scripts/)]);
  expect(read('node_modules/.bin/node')).toBe('the runtime');
  expect(has('.packages')).toBe(false);
});

test.each(['no network', 'a full disk', 'a kill'])(
  'an installation ended by %s changes nothing, three times of three, and the old lock file starts at once',
  (HOW) => {
    const { put, ensure, calls, read } = clone();
    ensure();
    put('node_modules/needed/index.js', 'in use');
    put('package-lock.json', lockOf('1.0.0', '2.0.0'));

    for (let time = 0; time < 3; time++) {
      const { status, stderr } = ensure({ HOW });
      // A kill says nothing.
      if (HOW === 'a kill') expect(status).toBe(null);
      else {
        expect(status).toBe(1);
        expect(stderr).toContain('Nothing was changed. The packages of the version before are still there');
        expect(stderr).toContain('git checkout ORIG_HEAD');
      }
      expect(read('node_modules/needed/index.js')).toBe('in use');
    }
    put('package-lock.json', lockOf('1.0.0'));
    expect(ensure({ HOW: 'no network' }).status).toBe(0);
    expect(calls()).toHaveLength(4);

    // Once npm can install, it does.
    put('package-lock.json', lockOf('1.0.0', '2.0.0'));
    expect(ensure().status).toBe(0);
    expect(read(STAMP)).toContain(sha(lockOf('1.0.0', '2.0.0')));
  },
);

test.each(['no network', 'a full disk'])('a service that needs nothing new starts in spite of %s', (HOW) => {
  const { put, ensure, read } = clone();
  ensure();
  put('package-lock.json', lockOf('2.0.0'));

  const starts = [ensure({ HOW }), ensure({ HOW }), ensure({ HOW })];

  expect(starts.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(starts[0]?.stderr).toContain('starts as before');
  // Tests do need it.
  expect(ensure({ HOW }, '--tests').status).toBe(1);
  expect(read(STAMP)).toContain(sha(lockOf('1.0.0')));
});

test('a lock file that names the same packages needs no installation', () => {
  const { put, ensure, calls } = clone();
  ensure();
  put('package-lock.json', `${lockOf('1.0.0')}\n`);

  expect(ensure({}, '--tests').status).toBe(0);
  expect(calls()).toHaveLength(1);
});

test('a kill between the two steps of putting packages in place is undone', () => {
  const { root, ensure, calls, read } = clone();
  ensure();
  fs.mkdirSync(path.join(root, '.packages'));
  fs.renameSync(path.join(root, 'node_modules'), path.join(root, '.packages/before'));

  expect(ensure({ HOW: 'no network' }).status).toBe(0);

  expect(read('node_modules/.bin/node')).toBe('the runtime');
  expect(calls()).toHaveLength(1);
});

test('production installs no tools for tests, and tests add them', () => {
  const { ensure, calls, put } = clone();

  expect(ensure({ NODE_ENV: 'production' }).status).toBe(0);
  // A later start without the variable keeps to what is there, also with another lock file.
  expect(ensure().status).toBe(0);
  put('package-lock.json', lockOf('2.0.0', '2.0.0'));
  expect(ensure().status).toBe(0);
  expect(ensure({}, '--tests').status).toBe(0);
  // With the tools everything is there for production too.
  expect(ensure({ NODE_ENV: 'production' }).status).toBe(0);

  expect(calls().map((words) => / --(omit|include)=dev /.exec(words)?.[1])).toEqual([
    'omit',
    'omit',
    'include',
  ]);
});

test('a file .env with NODE_ENV=production counts too', () => {
  const { ensure, calls, put } = clone();
  put('.env', 'PORT=3000\nNODE_ENV="production"\n');

  ensure();

  expect(calls()).toEqual([expect.stringContaining('--omit=dev')]);
});

test('packages under a running service are not replaced; they are put in place once it has ended', async () => {
  const { root, put, ensure, read, calls } = clone();
  ensure();
  put('node_modules/needed/index.js', 'in use');
  const running = await runIn(root);
  put('package-lock.json', lockOf('1.0.0', '2.0.0'));

  const asked = ensure();
  const tests = ensure({}, '--tests');

  expect([asked.status, tests.status]).toEqual([1, 1]);
  expect(asked.stderr).toContain(
    `a service runs in this folder (process ${running.pid}), so its packages are not replaced. The new ones are ready`,
  );
  expect(tests.stderr).toContain('Stop it first, or run the tests in another clone');
  expect(read('node_modules/needed/index.js')).toBe('in use');

  await running.end();
  // Prepared before, so no network is needed any more.
  expect(ensure({ HOW: 'no network' }).status).toBe(0);
  expect(calls()).toHaveLength(2);
  expect(read(STAMP)).toContain(sha(lockOf('1.0.0', '2.0.0')));
});

test('the packages of another version are prepared while the service runs, then put in place without a network', async () => {
  const { root, put, ensure, read, calls } = clone();
  put('.gitignore', 'node_modules\n.packages\ncalls\n');
  const git = (...words: string[]) => {
    const person = ['-c', 'user.name=Ann', '-c', 'user.email=ann@club.example'];
    const { status, stderr } = spawnSync('git', [...person, ...words], { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('tag', 'v1');
  put('package-lock.json', lockOf('2.0.0', '2.0.0'));
  git('commit', '-qam', 'two');
  git('tag', 'v2');
  git('checkout', '-q', 'v1');
  ensure();
  put('node_modules/needed/index.js', 'in use');
  const running = await runIn(root);

  const unknown = ensure({}, '--next', 'v3');
  const failed = ensure({ HOW: 'no network' }, '--next', 'v2');
  const prepared = ensure({}, '--next', 'v2');

  expect([unknown.status, failed.status, prepared.status]).toEqual([1, 1, 0]);
  expect(unknown.stderr).toContain('--next v3: git does not know this version');
  expect(read('node_modules/needed/index.js')).toBe('in use');
  // A start of the present version leaves them alone.
  expect(ensure().status).toBe(0);

  git('checkout', '-q', 'v2');
  expect(ensure({}, '--prepared').status).toBe(0);
  expect(read('node_modules/needed/index.js')).toBe('in use');
  await running.end();
  expect(ensure({ HOW: 'no network' }, '--prepared').status).toBe(0);
  expect(calls()).toHaveLength(3);
  expect(read(STAMP)).toContain(sha(lockOf('2.0.0', '2.0.0')));
});

test.each([
  ['--nonsense', '--nonsense: unknown option; `node scripts/ensure.cjs --help` lists the options\n'],
  ['--next', '--next: name a tag or a commit; `node scripts/ensure.cjs --help` lists the options\n'],
])('%s is refused', (option, message) => {
  const { ensure, calls } = clone();

  const { status, stderr } = ensure({}, option);

  expect([status, stderr, calls()]).toEqual([64, message, []]);
});

test('--help lists the options', () => {
  expect(clone().ensure({}, '--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('--next NAME'),
  });
});

/** A process of the service in this folder, as far as the mark of the folder goes. */
async function runIn(root: string): Promise<{ pid: number; end(): Promise<void> }> {
  const code = `process.chdir('/');
    const { markFolder } = await import(process.argv[1]);
    markFolder();
    setTimeout(() => console.log('marked'));
    setInterval(() => {}, 1e9);`;
  const module = path.join(root, 'src/kernel/folder-mark.ts');
  fs.mkdirSync(path.dirname(module), { recursive: true });
  fs.copyFileSync(path.join(import.meta.dirname, '../../src/kernel/folder-mark.ts'), module);
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, module]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    pid: child.pid!,
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
