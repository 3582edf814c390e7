import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { setClubReader } from '#kernel/locale.ts';
import { ensureDatabase } from '#test/support/app.ts';
import { openService } from '../../../src/service.ts';
import { freePort } from './free-port.ts';

const MAIN = path.join(import.meta.dirname, '../../../src/main.ts');
const MOVED_CLOCK = pathToFileURL(path.join(import.meta.dirname, 'moved-clock.ts')).href;

const QUICK_IMPORTS = pathToFileURL(path.join(import.meta.dirname, '../quick-imports.ts')).href;

/** Starting the service produces much garbage, so the young generation gets more space. */
const QUICK_START = ['--max-semi-space-size=64', '--min-semi-space-size=32', '--import', QUICK_IMPORTS];

/**
 * A compile cache of their own: Vitest fills that of the tests with files that no later run reads, and a service looks
 * at each file of its cache when it starts.
 */
const COMPILED = path.join(import.meta.dirname, '../../../node_modules/.cache/node-compile-services');

/** The environment that a process inherits from the test: PATH and the compile cache. */
export const INHERITED = { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED };

export interface ServiceProcess {
  url: string;
  /** What it logged until it listened. */
  logged: string[];
  process: ChildProcess;
  /** Moves its clock forward. */
  moveClock(ms: number): void;
  /** Resolves with the exit code when it has ended. */
  ended: Promise<number | null>;
}

const databaseIn = (folder: string): string => path.join(folder, 'service.db');

const environmentIn = (folder: string) => ({
  DATABASE_URL: `file:${databaseIn(folder)}`,
  // No request is refused because the machine is busy.
  OVERLOAD_DELAY_MS: '0',
});

/** The files of a database that a service has open. */
export const DATABASE_FILES = [
  'service.db',
  'service.db-shm',
  'service.db-wal',
  'service.db.lock',
  'service.key',
];
/** Their modes when only their own user may read them. */
export const PRIVATE = DATABASE_FILES.map((name) => `${name} 600`);

export const modeOf = (file: string) => (fs.statSync(file).mode & 0o777).toString(8);

export const modesIn = (folder: string) =>
  DATABASE_FILES.map((name) => `${name} ${modeOf(path.join(folder, name))}`);

/** A folder that is deleted after the test. */
export function tempFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'service-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts the real process on a free port, with a database in `folder`, and waits until it listens.
 * @param main its entry module, if not that of this repository
 */
export async function startService(
  folder: string,
  env: Record<string, string> = {},
  main = MAIN,
): Promise<ServiceProcess> {
  // A service in another place creates its own database.
  if (!env.DATABASE_URL && main === MAIN) await ensureDatabase(databaseIn(folder));
  const child = run(folder, env, [], main);
  const lines = createInterface({ input: child.stdout! });
  const logged: string[] = [];
  for await (const line of lines) {
    logged.push(line);
    const [, url] = /Server listening at (http:[^"]+)/.exec(line) ?? [];
    if (!url) continue;
    // Further output is read and dropped, so that the process never blocks on it.
    child.stdout!.resume();
    return { url, logged, process: child, moveClock: (ms) => void child.send(ms), ended: endOf(child) };
  }
  throw new Error('It ended before it listened');
}

/**
 * Starts the service in the process of the test, over the database that an ended one left in `folder`: the same steps,
 * without loading all modules, which is most of the work of a start.
 */
export async function startHere(folder: string, env: Record<string, string> = {}): Promise<{ url: string }> {
  const variables = { ...environmentIn(folder), LOG_LEVEL: 'silent', ...env };
  const never = new AbortController().signal;
  const service = await openService(readConfig(variables, ''), { host: '127.0.0.1', port: 0 }, never);
  if (!service) throw new Error('It did not start');
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]();
    // The locale is global to the process.
    setClubReader({ language: 'en', locale: 'en-US' });
  });
  return { url: service.address };
}

/**
 * Copies what a kill at this moment would leave of the database in `folder`, into another folder. A service in the
 * process of the test can be observed this way, without the start of a process.
 */
export function leftByKill(folder: string): string {
  const left = tempFolder();
  for (const name of ['service.db', 'service.db-wal', 'service.key'])
    fs.copyFileSync(path.join(folder, name), path.join(left, name));
  return left;
}

/** Starts the process without waiting for it to listen; `line` waits for the next line of its output that matches. */
export function startProcess(folder: string, env: Record<string, string> = {}) {
  const child = run(folder, env);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    process: child,
    ended: endOf(child),
    async line(wanted: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`It ended before it wrote ${wanted}`);
        const found = wanted.exec(value);
        if (found) return found;
      }
    },
  };
}

/** Starts the process and waits until it ends by itself. @param under a command that runs it */
export async function runToEnd(
  folder: string,
  env: Record<string, string> = {},
  under: string[] = [],
): Promise<{ code: number | null; stderr: string }> {
  const child = run(folder, env, under);
  child.stdout!.resume();
  let stderr = '';
  child.stderr!.on('data', (chunk) => {
    stderr += chunk;
  });
  return { code: await endOf(child), stderr };
}

/** Starts the real process with all its output going to a file that need not take it, and waits until it answers. */
export async function startUnheard(folder: string, output: string) {
  await ensureDatabase(databaseIn(folder));
  const port = await freePort();
  const fd = fs.openSync(output, 'w');
  const child = run(folder, { PORT: String(port) }, [], MAIN, fd);
  fs.closeSync(fd);
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) }).then(({ status }) => status);
  await expect.poll(() => child.exitCode ?? answers().catch(() => 'nobody'), { timeout: 30_000 }).toBe(200);
  return { url, process: child, ended: endOf(child) };
}

function run(
  folder: string,
  env: Record<string, string>,
  under: string[] = [],
  main = MAIN,
  output: number | 'pipe' = 'pipe',
): ChildProcess {
  const [command = '', ...args] = [...under, process.execPath, ...QUICK_START, '--import', MOVED_CLOCK, main];
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...INHERITED, PORT: '0', ...environmentIn(folder), ...env },
    stdio: ['ignore', output, output, 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function endOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
