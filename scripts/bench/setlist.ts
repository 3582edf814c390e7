// npm run bench:setlist: measures the ingest, the first page, an old page and the snapshot with setlists of a thousand
// to a million rows, compared with a bare query and a bare commit on the same file. How to read it: README.md beside
// this file.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { openContext } from '#kernel/open-context.ts';
import { buildApp } from '../../src/app.ts';
import { figure } from './figures.ts';

const SIZES = process.argv[2] ? [Number(process.argv[2])] : [1_000, 10_000, 100_000, 1_000_000];
const RUNS = 400;
const TARGET_MS = 5;
const START = 1_500_000_000_000;
const GAP = 3 * MINUTE;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'setlist-bench-'));
const cell = (text: string | number) => (typeof text === 'number' ? text.toFixed(2) : text).padStart(12);
const rows: Record<string, number>[] = [];
try {
  for (const size of SIZES) rows.push(await measure(size));
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

const names = Object.keys(rows[0]!);
console.log(`\nmedian ms of ${RUNS} runs each\n${cell('rows')}${names.map(cell).join('')}`);
for (const [index, row] of rows.entries())
  console.log(cell(SIZES[index]!.toLocaleString('en-US')) + names.map((name) => cell(row[name]!)).join(''));
const growth = names.map((name) => rows.at(-1)![name]! / rows[0]![name]!);
console.log(cell('growth') + growth.map(cell).join(''));
for (const name of names) {
  const slowest = Math.max(...rows.map((row) => row[name]!));
  figure({ name: `${name}, of any size`, value: slowest, unit: 'ms', target: { atMost: TARGET_MS } });
}

async function measure(size: number): Promise<Record<string, number>> {
  const file = path.join(folder, `${size}.db`);
  let now = START + size * GAP;
  const config = readConfig({ DATABASE_URL: `file:${file}`, LOG_LEVEL: 'error', OVERLOAD_DELAY_MS: '0' }, '');
  const ctx = await openContext(config, { now: () => now });
  await using _ctx = ctx;
  fill(file, size);
  const app = await buildApp(ctx);
  const get = async (url: string) => {
    const answer = await app.inject({ url });
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  };
  const raw = new Sqlite(file);
  raw.pragma('synchronous = FULL');
  const page = raw.prepare(
    "SELECT * FROM plays WHERE silent = 0 AND kind = 'music' AND hidden = 0 AND started_at < ? ORDER BY started_at DESC, id DESC LIMIT 100",
  );
  raw.exec('CREATE TABLE bare (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = raw.prepare('INSERT INTO bare (text) VALUES (?)');
  const old = (run: number) => START + Math.floor((size * ((run * 37) % RUNS)) / RUNS) * GAP;

  const result = {
    'first page': await median(() => get('/api/now-playing/setlist')),
    'old page': await median((run) => get(`/api/now-playing/setlist?before=${isoTime(old(run) + 1)}`)),
    'bare query': await median(async (run) => void page.all(old(run))),
    snapshot: await median(() => get('/api/now-playing/snapshot')),
    ingest: await median(async (run) => {
      now += GAP;
      const payload = { artist: `Artist ${run % 50}`, title: `Song ${run}`, started_at: isoTime(now) };
      const answer = await app.inject({ method: 'POST', url: '/api/now-playing/ingest', payload });
      if (answer.statusCode !== 200) throw new Error(answer.body);
    }),
    'bare commit': await median(async (run) => void insert.run(`Song ${run}`)),
  };
  raw.close();
  await app.close();
  console.log(`${size.toLocaleString('en-US')} rows measured`);
  return result;
}

/** Inserts rows as in a real night: repeated songs, some silence, some films. */
function fill(file: string, size: number): void {
  const raw = new Sqlite(file);
  raw.pragma('synchronous = OFF');
  const insert = raw.prepare(
    'INSERT INTO plays (started_at, artist, title, silent, kind, track_key) VALUES (?, ?, ?, ?, ?, ?)',
  );
  raw.exec('BEGIN');
  for (let row = 0; row < size; row++) {
    const silent = row % 9 === 0 ? 1 : 0;
    const song = (row * 7_919) % 20_011;
    const [artist, title] = silent ? ['', ''] : [`Artist ${song % 997}`, `Song ${song}`];
    const kind = row % 50 < 3 ? 'video' : 'music';
    insert.run(
      START + row * GAP,
      artist,
      title,
      silent,
      kind,
      silent ? '' : `artist ${song % 997}\u001fsong ${song}`,
    );
  }
  raw.exec('COMMIT');
  raw.close();
}

async function median(work: (run: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let run = -20; run < RUNS; run++) {
    const from = performance.now();
    await work(Math.abs(run));
    if (run >= 0) times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[RUNS >> 1]!;
}
