// npm run bench:rollups: measures the computation of the setlist's rollups. See README.md beside this file.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import pino from 'pino';
import { HOUR, MINUTE, systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { openContext } from '#kernel/open-context.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { addPlays, setlistOf } from '#test/stand-ins/plays.ts';
import { figure } from './figures.ts';

const ROWS = Number(process.argv[2] ?? 150_000);
const EVENINGS = 365;
const INCREMENTS = 50;
const TARGET = { full: 3, increment: 50 };

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-rollups-'));
const config = readConfig({ DATABASE_URL: `file:${path.join(dir, 'service.db')}`, LOG_LEVEL: 'error' }, '');
// The increments begin 7 hours later, at midday in New York, so that all of them fall into one evening.
const until = Temporal.Instant.from('2026-11-21T10:00:00Z').epochMilliseconds;
const clock = { now: until };
const ctx: Context = await openContext(config, { now: () => clock.now, log: pino({ level: 'warn' }) });

try {
  const rows = [...setlistOf({ until, evenings: EVENINGS, rows: ROWS })];
  await addPlays(ctx, rows);
  console.log(`Node ${process.version}, ${os.cpus()[0]?.model ?? 'unknown processor'}`);
  console.log(`${rows.length.toLocaleString('en-US')} rows of ${EVENINGS} evenings`);

  await timed('all of it, at first', () => refreshRollups(ctx));
  await ctx.write((tx) => tx.run(build.updateTable('rollup_state').set({ version: 0 })));
  const full = await timed('all of it, again', () => refreshRollups(ctx));
  const alone = await bare();
  console.log(`the same reading and writing without any counting: ${alone.toFixed(0)} ms`);

  const times: number[] = [];
  const inAll: number[] = [];
  const before = memory();
  for (let index = 0; index < INCREMENTS; index++) {
    clock.now = until + 7 * HOUR + index * 2 * MINUTE;
    await addPlays(ctx, [{ ...rows[(index * 7919) % rows.length]!, started_at: clock.now, kind: 'music' }]);
    const [start, all] = [mainThread(), processor()];
    await refreshRollups(ctx);
    times.push(mainThread() - start);
    inAll.push(processor() - all);
  }
  times.sort((a, b) => a - b);
  const p = (share: number) => times[Math.floor(share * (times.length - 1))]!;
  console.log(
    `one more play, ${INCREMENTS} times, in the main thread: median ${p(0.5).toFixed(1)} ms, 95 of 100 within ${p(0.95).toFixed(1)} ms, longest ${p(1).toFixed(1)} ms`,
  );
  console.log(
    `the same with the thread that sums up: median ${inAll.toSorted((a, b) => a - b)[INCREMENTS / 2]!.toFixed(1)} ms`,
  );
  console.log(
    `memory over these: ${before} MB to ${memory()} MB; database ${Math.round(fs.statSync(path.join(dir, 'service.db')).size / 2 ** 20)} MB`,
  );
  figure({
    name: 'rollups of a year',
    value: full / alone,
    unit: 'times reading and writing alone',
    target: { atMost: TARGET.full },
  });
  figure({
    name: 'rollups, one more play',
    value: p(0.5),
    unit: 'ms of the main thread',
    target: { atMost: TARGET.increment },
  });
} finally {
  await ctx[Symbol.asyncDispose]();
  fs.rmSync(dir, { recursive: true });
}

async function timed(name: string, run: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = processor();
  const began = systemClock();
  await run();
  const ms = processor() - start;
  delay.disable();
  const longest = (delay.max / 1e6).toFixed(0);
  console.log(
    `${name}: ${ms.toFixed(0)} ms (${systemClock() - began} ms by the clock); the longest that others waited in between: ${longest} ms; memory ${memory()} MB`,
  );
  return ms;
}

/** Reads every play and writes the rollups' counts into a table of the same shape, in one transaction. */
async function bare(): Promise<number> {
  const from = new Database(path.join(dir, 'service.db'), { readonly: true });
  const counts = from
    .prepare('SELECT night, kind, key, plays, dwell_ms, first_at, last_at, last_play_id FROM rollup_counts')
    .raw()
    .all();
  const to = new Database(path.join(dir, 'bare.db'));
  to.pragma('journal_mode = WAL');
  to.exec(`CREATE TABLE counts (night INTEGER, kind TEXT, key TEXT, plays INTEGER, dwell_ms INTEGER,
    first_at INTEGER, last_at INTEGER, last_play_id INTEGER, PRIMARY KEY (night, kind, key)) WITHOUT ROWID`);
  const insert = to.prepare('INSERT INTO counts VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const start = processor();
  from.prepare('SELECT * FROM plays ORDER BY started_at, id').all();
  to.transaction(() => {
    for (const row of counts) insert.run(row);
  })();
  const ms = processor() - start;
  to.close();
  from.close();
  return ms;
}

/** Milliseconds of processor time of this process, to which other load on the machine adds little. */
function processor(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The same of the main thread alone, which answers the requests. */
function mainThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function memory(): number {
  return Math.round(process.memoryUsage.rss() / 2 ** 20);
}
