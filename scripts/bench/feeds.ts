// npm run bench:feeds: reads of /api/events and /api/tenders a second over real HTTP, against a bare Fastify route that
// sends a buffer of the same size, in the same run. How to read it: README.md beside this file.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import autocannon from 'autocannon';

const CONNECTIONS = Number(process.argv[2] ?? 64);
const SECONDS = 1;
const ROUNDS = 15;
const TARGET = 0.9;
const PATHS = ['/api/events', '/api/tenders'] as const;

const children: ChildProcess[] = [];
try {
  const service = await start('service');
  const sizes = await Promise.all(PATHS.map((path) => sizeOf(service, path)));
  const bare = await start('bare', ...sizes.map(String));
  for (const port of [bare, service]) for (const path of PATHS) await measure(port, path);
  console.log(`${CONNECTIONS} connections, medians of ${ROUNDS} pairs:`);
  for (const [index, path] of PATHS.entries()) {
    const pairs: { bare: number; feed: number; ratio: number }[] = [];
    while (pairs.length < ROUNDS) {
      // One right after the other: what else the machine does then weighs on both alike.
      const pair = { bare: await measure(bare, path), feed: await measure(service, path) };
      pairs.push({ ...pair, ratio: pair.feed / pair.bare });
    }
    const median = (of: 'bare' | 'feed' | 'ratio') =>
      pairs.map((pair) => pair[of]).sort((a, b) => a - b)[ROUNDS >> 1]!;
    const rate = (of: 'bare' | 'feed') => Math.round(median(of)).toLocaleString('en-US').padStart(7);
    console.log(
      `${path.padEnd(12)} ${sizes[index]!.toLocaleString('en-US')} bytes: bare ${rate('bare')}, feed ${rate('feed')} answers/s, ${median('ratio').toFixed(2)} of the bare route (target: at least ${TARGET.toFixed(2)})`,
    );
    if (median('ratio') < TARGET) process.exitCode = 1;
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
}

async function start(...args: string[]): Promise<number> {
  const file = path.join(import.meta.dirname, 'display-server.ts');
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [port] = await once(child.stdout, 'data');
  return Number(port);
}

async function sizeOf(port: number, path: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  const body = await answer.bytes();
  if (JSON.parse(new TextDecoder().decode(body)).source !== 'workspace') throw new Error(`${path} is empty`);
  return body.length;
}

/** Answers a second. Any answer but a 200 throws. */
async function measure(port: number, path: string): Promise<number> {
  const url = `http://127.0.0.1:${port}${path}`;
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx + result.errors > 0 || result['2xx'] === 0) throw new Error(`${path} was refused`);
  return result.requests.average;
}
