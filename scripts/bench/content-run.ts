// Starts, queries and stops the service of the content bench.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BELIEVE_EDGE } from '#test/faults/service.ts';
import type { Used } from './processes/content-server.ts';

export interface Server {
  url: string;
  child: ChildProcess;
  /** Milliseconds until it had answered a request for the feed, and the processor time (ms) used until then. */
  startMs: number;
  startCpuMs: number;
}

/** The running child processes; the bench always kills them at its end. */
export const running = new Set<ChildProcess>();

export async function start(database: string): Promise<Server> {
  const port = await freePort();
  const began = performance.now();
  const child = fork(path.join(import.meta.dirname, 'processes/content-server.ts'), {
    execArgv: ['--expose-gc'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: `file:${database}`,
      LOG_LEVEL: 'fatal',
      ...BELIEVE_EDGE,
      LOCAL_BYPASS: 'on',
      RATE_LIMIT_GENERAL: '1000000',
      RATE_LIMIT_VOTE: '1000000',
      RATE_LIMIT_ADMIN: '1000000',
      OVERLOAD_DELAY_MS: '0',
      LYRICS_API_URL: '',
      GENRE_API_URL: '',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  running.add(child);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isThere(url))) await setTimeout(5);
  const startMs = performance.now() - began;
  const { cpuMs: startCpuMs } = await used(child);
  return { url, child, startMs, startCpuMs };
}

export async function stop({ child }: Server): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
  running.delete(child);
}

export async function used(
  child: ChildProcess,
  how: 'as it is' | 'collect' | 'watch' = 'as it is',
): Promise<Used> {
  child.send(how);
  const [said] = await once(child, 'message');
  return said as Used;
}

async function isThere(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/events`);
    return answer.ok && (await answer.arrayBuffer()).byteLength > 0;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

export function at(took: readonly number[], share: number): number {
  return took.toSorted((a, b) => a - b)[Math.floor(took.length * share)]!;
}
