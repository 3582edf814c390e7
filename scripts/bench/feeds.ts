// npm run bench:feeds: measures reads of /api/events and /api/tenders per second over real HTTP, compared with a bare
// Fastify route that sends the same bytes as a buffer, in the same run. How to read it: README.md beside this file.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import autocannon from 'autocannon';
import { figure } from './figures.ts';

const CONNECTIONS = Number(process.argv[2] ?? 64);
const SECONDS = 1;
const ROUNDS = 11;
const TARGET = 0.65;
const PATHS = ['/api/events', '/api/tenders'] as const;

const children: ChildProcess[] = [];
try {
  const service = await start('service', 'http://127.0.0.1:1');
  const sizes = await Promise.all(PATHS.map((path) => sizeOf(service, path)));
  const bare = await start('bare', String(service));
  for (const path of PATHS) for (const port of [bare, service]) await measure(port, path);
  console.log(`${CONNECTIONS} connections, medians of ${ROUNDS} rounds:`);
  for (const [index, path] of PATHS.entries()) {
    const rounds: { bare: number; feed: number }[] = [];
    while (rounds.length < ROUNDS) {
      // Run directly one after the other, so that other load on the machine affects both alike.
      rounds.push({ bare: await measure(bare, path), feed: await measure(service, path) });
    }
    const median = (of: (round: (typeof rounds)[number]) => number) =>
      rounds.map(of).sort((a, b) => a - b)[ROUNDS >> 1]!;
    const rate = (of: 'bare' | 'feed') => Math.round(median((round) => round[of])).toLocaleString('en-US');
    console.log(
      `\n${path}, ${sizes[index]!.toLocaleString('en-US')} bytes: bare ${rate('bare')}, feed ${rate('feed')} answers/s`,
    );
    const value = median(({ bare, feed }) => feed / bare);
    figure({ name: path, value, unit: 'of a bare route', target: { atLeast: TARGET } });
  }
  await measureWaits(service, await start('service', `http://127.0.0.1:${await hang()}`));
} finally {
  for (const child of children) child.kill('SIGKILL');
}

async function start(...args: string[]): Promise<number> {
  const file = path.join(import.meta.dirname, 'processes/display-server.ts');
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

/** Requests the feed repeatedly while the workspace of one service refuses connections and that of the other hangs. */
async function measureWaits(refused: number, hanging: number): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const took = new Map<number, number>();
    // The order alternates.
    for (const port of round % 2 === 0 ? [refused, hanging] : [hanging, refused])
      took.set(port, await waits(port));
    const [base, p99] = [took.get(refused)!, took.get(hanging)!];
    // The first round is the warm-up.
    if (round > 0) ratios.push(p99 / base);
    if (round === ROUNDS) console.log(`\np99 in the last round: ${base.toFixed(2)} and ${p99.toFixed(2)} ms`);
  }
  const value = ratios.sort((a, b) => a - b)[ROUNDS >> 1]!;
  figure({ name: 'p99, workspace hanging', value, unit: 'of a cached answer’s', target: { atMost: 1.5 } });
}

/** @returns the 99th percentile of 3,000 answers, in milliseconds */
async function waits(port: number): Promise<number> {
  const took: number[] = [];
  while (took.length < 3_000) {
    const started = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/api/events`)).arrayBuffer();
    took.push(performance.now() - started);
  }
  return took.sort((a, b) => a - b)[2_970]!;
}

/** Starts a workspace that accepts every request and never responds. */
async function hang(): Promise<number> {
  const server = http.createServer(() => undefined).unref();
  await once(server.listen(0), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Returns the responses per second. Throws unless all are 2xx. */
async function measure(port: number, path: string): Promise<number> {
  const url = `http://127.0.0.1:${port}${path}`;
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx + result.errors > 0 || result['2xx'] === 0) throw new Error(`${path} was refused`);
  return result.requests.average;
}
