// npm run bench:crowded: measures how long a vote takes while a crowd keeps a thousand connections busy with the most
// expensive public pages, from one address and from many. Crowd, voters and service are separate processes. How to
// read it: README.md beside this file.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { figure } from './figures.ts';

const SECONDS = Number(process.argv[2] ?? 15);
const CONNECTIONS = Number(process.argv[3] ?? 200);
const VOTES_A_SECOND = 20;
const WARM_UP_SECONDS = 3;
const BALLOTS = 100_000;
const TARGET_MS = 250;
/** The time-out of a vote. */
const PATIENCE_MS = 30_000;

interface Made {
  port: number;
  id: string;
  tokens: string[];
  options: string[];
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'crowded-bench-'));
const children: ChildProcess[] = [];
const agent = new http.Agent({ keepAlive: true });
try {
  const codes = VOTES_A_SECOND * (SECONDS * 3 + WARM_UP_SECONDS);
  await started('processes/crowded-server.ts', folder, String(BALLOTS), String(codes));
  const made: Made = JSON.parse(fs.readFileSync(path.join(folder, 'crowded.json'), 'utf8'));
  const pages = ['/openapi.json', '/', '/now', '/setlist/top-songs', `/e/${made.id}/results?refresh=1`];

  const gather = (addresses: string, connections: number) =>
    started('processes/crowded-crowd.ts', String(made.port), addresses, String(connections), ...pages);

  // Warms up the JIT compiler.
  const few = await gather('many', 2);
  await vote(made, WARM_UP_SECONDS, 'many');
  await gone(few);
  report('nobody else', await vote(made, SECONDS / 3, 'many'));
  for (const addresses of ['one', 'many'] as const) {
    const crowd = await gather(addresses, CONNECTIONS);
    const began = performance.now();
    const votes = await vote(made, SECONDS, addresses);
    const answers = await gone(crowd);
    const where = addresses === 'one' ? 'a crowd at the same address' : 'a crowd of many addresses';
    report(where, votes, (performance.now() - began) / 1_000, answers);
    figure({
      name: `vote beside ${where}, p99`,
      value: at(votes, 0.99),
      unit: 'ms',
      target: { atMost: TARGET_MS },
    });
    figure({
      name: `votes refused beside ${where}`,
      value: votes.filter(({ status }) => status !== 200).length,
      unit: `of ${votes.length}`,
      target: { atMost: 0 },
    });
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  agent.destroy();
  fs.rmSync(folder, { recursive: true, force: true });
}

/** Answers by page and status. */
type Answers = Record<string, Record<string, number>>;

interface Vote {
  ms: number;
  status: number;
}

/** Casts votes at a steady pace, without waiting for earlier answers. @returns each vote, timed from when it was due */
async function vote(
  { port, id, tokens, options }: Made,
  seconds: number,
  addresses: string,
): Promise<Vote[]> {
  const began = performance.now();
  const votes: Promise<Vote>[] = [];
  for (let count = 0; count < seconds * VOTES_A_SECOND; count++) {
    const due = began + (count * 1_000) / VOTES_A_SECOND;
    await setTimeout(Math.max(0, due - performance.now()));
    const body = JSON.stringify({ token: tokens.pop(), ranking: options });
    const address = addresses === 'many' ? { 'x-forwarded-for': `198.51.${count >> 8}.${count & 255}` } : {};
    votes.push(
      post(port, `/e/${id}/vote`, body, address).then((status) => ({ ms: performance.now() - due, status })),
    );
  }
  return Promise.all(votes);
}

/** @returns the status; 0 without an answer */
async function post(
  port: number,
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<number> {
  const json = { accept: 'application/json', 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const request = http.request({
    host: '127.0.0.1',
    port,
    agent,
    path: url,
    method: 'POST',
    signal,
    headers: { ...json, ...headers },
  });
  request.end(body);
  try {
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode ?? 0;
  } catch {
    return 0;
  }
}

/** Stops a crowd. @returns the counts of its answers */
async function gone(crowd: ChildProcess): Promise<Answers> {
  crowd.send('stop');
  const [answers] = await once(crowd, 'message');
  await once(crowd, 'exit');
  return answers;
}

/** Forks a script of this folder and waits for its first message. */
async function started(script: string, ...args: string[]): Promise<ChildProcess> {
  const child = fork(path.join(import.meta.dirname, script), args);
  children.push(child);
  await once(child, 'message');
  return child;
}

function at(votes: readonly Vote[], share: number): number {
  const sorted = votes.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

function report(beside: string, votes: readonly Vote[], seconds = 1, answers: Answers = {}): void {
  const figures = [0.5, 0.99, 1].map((share) => at(votes, Math.min(share, 1 - 1 / votes.length)).toFixed(0));
  console.log(`\nbeside ${beside}: p50 ${figures[0]} ms, p99 ${figures[1]} ms, longest ${figures[2]} ms`);
  const byStatus = Object.entries(Object.groupBy(votes, ({ status }) => status));
  console.log(`  votes: ${byStatus.map(([status, some]) => `${some?.length} x ${status}`).join(', ')}`);
  for (const [page, statuses] of Object.entries(answers)) {
    const rates = Object.entries(statuses).map(
      ([status, count]) => `${status}: ${(count / seconds).toFixed(0)}/s`,
    );
    console.log(`  ${page.replace(/[0-9a-f-]{36}/, ':id').padEnd(26)} ${rates.join(', ')}`);
  }
}
