// npm run bench:feed-ics: measures full and conditional fetches of the calendar feed per second, compared with a bare
// Fastify route that sends the same buffer, in the same run; and the time of one token check. See README.md here.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { figure } from './figures.ts';

const SUBSCRIBERS = Number(process.argv[2] ?? 100_000);
const CONNECTIONS = 32;
const SECONDS = 1;
const ROUNDS = 9;
const TARGET = { ratio: 0.9, check: 1 };

interface Server {
  port: number;
  tokens: string[];
  etag: string;
  bytes: number;
  mean?: number;
  slow?: number;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'feed-bench-'));
const children: ChildProcess[] = [];
try {
  const bare = await start('bare');
  const feed = await start('feed');
  const pathOf = (token: string) => `/cal/programs.ics?token=${token}&calendar_id=programs`;
  const runs = {
    'bare buffer': () => measure(bare, pathOf, {}, 200),
    'feed, full': () => measure(feed, pathOf, {}, 200),
    'feed, unchanged': () => measure(feed, pathOf, { 'if-none-match': feed.etag }, 304),
    'bare 304': () => measure(bare, () => '/unchanged', {}, 304),
  };
  type Run = keyof typeof runs;
  const names = Object.keys(runs) as Run[];
  const rounds: Record<Run, number>[] = [];
  // The first round warms the servers up.
  for (let round = 0; round <= ROUNDS; round++) {
    const rates = {} as Record<Run, number>;
    for (const name of names) rates[name] = await runs[name]();
    if (round > 0) rounds.push(rates);
  }
  const median = (of: (rates: Record<Run, number>) => number) =>
    rounds.map(of).sort((a, b) => a - b)[ROUNDS >> 1]!;
  for (const name of names) {
    const rate = Math.round(median((rates) => rates[name])).toLocaleString('en-US');
    console.log(`${name.padEnd(16)} ${rate.padStart(8)} answers/s`);
  }
  const full = median((rates) => rates['feed, full'] / rates['bare buffer']);
  const unchanged = median((rates) => rates['feed, unchanged'] / rates['bare buffer']);
  const strict = median((rates) => rates['feed, unchanged'] / rates['bare 304']);
  const { mean = 0, slow = 0, bytes } = feed;
  const count = (number: number) => number.toLocaleString('en-US');
  console.log(`
${count(bytes)} bytes, ${count(SUBSCRIBERS)} subscribers, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds:
conditional fetch: ${strict.toFixed(2)} of a bare 304
token check: ${mean.toFixed(3)} ms on average`);
  const target = { atLeast: TARGET.ratio };
  figure({ name: 'feed, full', value: full, unit: 'of the bare buffer', target });
  figure({ name: 'feed, unchanged', value: unchanged, unit: 'of the bare buffer', target });
  figure({ name: 'token check, 99th percentile', value: slow, unit: 'ms', target: { atMost: TARGET.check } });
} finally {
  for (const child of children) child.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
}

async function start(mode: string): Promise<Server> {
  const file = path.join(import.meta.dirname, 'processes/feed-server.ts');
  const child = spawn(process.execPath, [file, mode, folder, String(SUBSCRIBERS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return JSON.parse(fs.readFileSync(path.join(folder, `${mode}.json`), 'utf8'));
}

/** Returns the responses per second. Throws if any has another status. */
async function measure(
  { port, tokens }: Server,
  pathOf: (token: string) => string,
  headers: Record<string, string>,
  status: number,
): Promise<number> {
  let next = 0;
  const paths = tokens.map(pathOf);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'user-agent': 'iOS/18.1 (22B83) dataaccessd/1.0', ...headers },
    requests: [{ setupRequest: (request) => ({ ...request, path: paths[next++ % paths.length]! }) }],
  });
  const answers = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  if (answers === 0 || answers !== result.requests.total)
    throw new Error(`${result.requests.total - answers} other answers`);
  return result.requests.average;
}
