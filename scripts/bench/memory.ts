// npm run bench:memory -- data/demo/3000/publichouse.db: the memory of an idle service. See README.md beside this file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { figure } from './figures.ts';

const PAGES = [
  ...['', 'now', 'events', 'tenders', 'tv', 'tv/bar-right', 'tv/projector', 'requests', 'sign-in'],
  ...['subscribe-programs', 'api/events', 'api/tenders', 'setlist', 'setlist/top-songs', 'setlist/tonight'],
  ...['setlist/wrapped', 'setlist/echo', 'setlist/persona', 'setlist/stories', 'setlist/vibe-compass'],
];
/** By then the engine has collected what only the start needed. */
const IDLE_MS = 90_000;
const PORT = '4790';
const TARGET_MB = 150;

const [database] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-memory-'));
const file = path.join(folder, 'service.db');
if (database) fs.copyFileSync(database, file);
// As deploy/publichouse.service starts it.
const settings = { NODE_ENV: 'production', NODE_OPTIONS: '--max-semi-space-size=4', MALLOC_ARENA_MAX: '1' };
const service = spawn(process.execPath, ['-r', './scripts/guard.cjs', 'src/main.ts'], {
  env: {
    ...process.env,
    ...settings,
    LOG_LEVEL: 'error',
    PORT,
    DATABASE_URL: `file:${file}`,
    SETUP_ANEW: 'on',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  while (!(await read('health'))) await setTimeout(200);
  for (const page of PAGES) await read(page);
  await setTimeout(IDLE_MS);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? [];
  const value = Number(kilobytes) / 1024;
  figure({ name: 'memory of an idle service', value, unit: 'MB', target: { atMost: TARGET_MB } });
} finally {
  if (service.exitCode === null) {
    service.kill();
    await once(service, 'exit');
  }
  fs.rmSync(folder, { recursive: true });
}

/** @returns false while the service does not listen */
async function read(page: string): Promise<boolean> {
  if (service.exitCode !== null) throw new Error('the service has ended');
  try {
    const answer = await fetch(`http://localhost:${PORT}/${page}`, { headers: { accept: '*/*' } });
    await answer.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
