// npm run bench:feeds: reads of /api/events and /api/tenders a second over real HTTP, against a bare Fastify route that
// sends a buffer of the same size, in the same run. How to read it: README.md beside this file.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import autocannon from 'autocannon';
import { figure } from './figures.ts';

const CONNECTIONS = Number(process.argv[2] ?? 64);
const SECONDS = 1;
const ROUNDS = 11;
const TARGET = 0.9;
const PATHS = ['/api/events', '/api/tenders'] as const;

const children: ChildProcess[] = [];
try {
  const service = await start('service');
  const sizes = await Promise.all(PATHS.map((path) => sizeOf(service, path)));
  const bare = await start('bare', ...sizes.map(String));
  for (const path of PATHS) {
    await measure(bare, path);
    for (const way of [path, `/plain${path}`]) await measure(service, way);
  }
  console.log(`${CONNECTIONS} connections, medians of ${ROUNDS} rounds:`);
  for (const [index, path] of PATHS.entries()) {
    const rounds: { bare: number; plain: number; feed: number }[] = [];
    while (rounds.length < ROUNDS) {
      // One right after the other: what else the machine does then weighs on all alike.
      rounds.push({
        bare: await measure(bare, path),
        feed: await measure(service, path),
        plain: await measure(service, `/plain${path}`),
      });
    }
    const median = (of: (round: (typeof rounds)[number]) => number) =>
      rounds.map(of).sort((a, b) => a - b)[ROUNDS >> 1]!;
    const rate = (of: 'bare' | 'plain' | 'feed') =>
      Math.round(median((round) => round[of])).toLocaleString('en-US');
    console.log(
      `\n${path}, ${sizes[index]!.toLocaleString('en-US')} bytes: bare ${rate('bare')}, plain ${rate('plain')}, feed ${rate('feed')} answers/s`,
    );
    const ofBare = median(({ bare, feed }) => feed / bare);
    figure({ name: path, value: ofBare, unit: 'of a bare route', target: { atLeast: TARGET } });
    const ofPlain = median(({ plain, feed }) => feed / plain);
    figure({
      name: path,
      value: ofPlain,
      unit: 'of a plain one of the service',
      target: { atLeast: TARGET },
    });
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
