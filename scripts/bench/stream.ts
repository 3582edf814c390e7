// npm run bench:stream: measures how soon a track reaches many open streams, and the memory of an idle one, compared
// with a minimal fan-out server and bare sockets in the same run; then the effect of clients that never read, and of
// clients that connect and disconnect. How to read it: README.md beside this file.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { figure } from './figures.ts';

const STREAMS = Number(process.argv[2] ?? 10_000);
const DEAF = Number(process.argv[3] ?? 1_000);
const CHURN = Number(process.argv[4] ?? 50_000);
const ROUNDS = 10;
const AT_ONCE = 200;
const LYRICS_BYTES = 60_000;
const LYRICS_SENT = 100;
const MARK = 'Round ';

interface Memory {
  held: number;
  rss: number;
  /** Bytes buffered in the process until clients read them. */
  waiting: number;
  streams: number;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stream-bench-'));
const number = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
try {
  const sockets = await measure('net');
  const bare = await measure('bare');
  const service = await measure('service');
  const above = service.perStream - sockets.perStream;
  console.log(`\np99 is ${number(service.p99 / bare.p99, 2)} times the smallest server's`);
  figure({ name: 'idle stream above its socket', value: above / 1024, unit: 'KB', target: { atMost: 12 } });
  figure({ name: 'track to every stream, p99', value: service.p99, unit: 'ms', target: { atMost: 500 } });
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

async function measure(mode: 'net' | 'bare' | 'service'): Promise<{ perStream: number; p99: number }> {
  const server = fork(path.join(import.meta.dirname, 'processes/stream-server.ts'), [mode, folder], {
    execArgv: ['--expose-gc'],
  });
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  try {
    // The first streams load code and fill caches, which is not part of the memory per stream.
    for (const client of await open(port, 50)) client.destroy();
    const before = await memory(server, 0);
    const clients = await open(port, STREAMS);
    const after = await memory(server, clients.length);
    const perStream = (after.held - before.held) / clients.length;
    const reached = `${mode.padEnd(8)} ${number(clients.length)} streams, ${number(perStream / 1024, 1)} KB held by each, resident ${number((after.rss - before.rss) / clients.length / 1024, 1)} KB`;
    if (mode === 'net') {
      console.log(reached);
      for (const client of clients) client.destroy();
      return { perStream, p99: 0 };
    }
    const times = await deliver(port, clients, mode);
    console.log(
      `${reached}; a track after p50 ${number(times.p50)}, p99 ${number(times.p99)}, last ${number(times.last)} ms`,
    );
    if (mode === 'service') await misbehave(server, port, clients);
    return { perStream, p99: times.p99 };
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

/** Opens streams from many loopback addresses, in batches, and waits for the first ping of each. */
async function open(port: number, count: number): Promise<net.Socket[]> {
  const clients: net.Socket[] = [];
  while (clients.length < count) {
    const wave = Math.min(AT_ONCE, count - clients.length);
    clients.push(...(await Promise.all(Array.from({ length: wave }, (_, index) => connect(port, index)))));
  }
  return clients;
}

async function connect(port: number, index: number): Promise<net.Socket> {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (index % 50)}` });
  await once(socket, 'connect');
  socket.write('GET /api/now-playing/current HTTP/1.1\r\nHost: bench\r\n\r\n');
  for (let text = ''; !text.includes('event: ping'); ) text += String((await once(socket, 'data'))[0]);
  socket.on('error', () => {});
  return socket;
}

/** Sends one track after another; each round waits until every client has it. */
async function deliver(port: number, clients: net.Socket[], mode: string) {
  let sentAt = 0;
  let mark = '';
  let waiting = 0;
  let done = () => {};
  const delays: number[] = [];
  const onData = (chunk: Buffer) => {
    if (!chunk.includes(mark)) return;
    delays.push(performance.now() - sentAt);
    waiting -= 1;
    if (waiting === 0) done();
  };
  for (const client of clients) client.on('data', onData);
  for (let round = 0; round < ROUNDS; round++) {
    const all = new Promise<void>((resolve) => {
      done = resolve;
    });
    waiting = clients.length;
    mark = `${MARK}${round}"`;
    sentAt = performance.now();
    await post(port, mode === 'bare' ? '/' : '/api/now-playing/ingest', {
      artist: 'The Bench',
      title: `${MARK}${round}`,
      album: 'Many streams',
      album_art_url: 'https://art.example/covers/many-streams.jpg',
    });
    await all;
  }
  for (const client of clients) client.off('data', onData);
  delays.sort((a, b) => a - b);
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))]!;
  return { p50: at(0.5), p99: at(0.99), last: delays.at(-1)! };
}

/** Measures clients that never read while lyrics are sent repeatedly, then clients that connect and disconnect. */
async function misbehave(server: ChildProcess, port: number, clients: net.Socket[]): Promise<void> {
  for (const client of clients.splice(1_000)) client.destroy();
  await post(port, '/api/admin/now-playing/controls', { projectorLyrics: true });
  const deaf = await open(port, DEAF);
  for (const client of deaf) client.pause();
  for (const client of clients) client.resume();
  const before = await memory(server, clients.length + DEAF);
  let [most, waiting] = [0, 0];
  for (let sent = 0; sent < LYRICS_SENT; sent++) {
    const lrc = `[00:01.00]${sent}\n${`[00:02.00]${'la '.repeat(60)}\n`.repeat(LYRICS_BYTES / 200)}`;
    await post(port, '/api/admin/now-playing/lyrics', { artist: 'The Bench', title: `${MARK}9`, lrc }, 'PUT');
    if (sent % 10 < 9) continue;
    const now = await memory(server);
    most = Math.max(most, now.held - before.held);
    waiting = Math.max(waiting, now.waiting);
  }
  const times = await deliver(port, clients, 'service');
  console.log(
    `${number(DEAF)} clients that never read ${LYRICS_SENT} times ${number(LYRICS_BYTES / 1_000)} KB: at most ${number(waiting / DEAF / 1024, 1)} KB waited for each, ${number(most / 1024 / 1024, 1)} MB more were held for all; the ${number(clients.length)} others get a track after p99 ${number(times.p99)} ms`,
  );
  for (const client of deaf) client.destroy();

  const quiet = await memory(server, clients.length);
  for (let gone = 0; gone < CHURN; gone += AT_ONCE) {
    for (const client of await open(port, AT_ONCE)) client.resetAndDestroy();
  }
  const after = await memory(server, clients.length);
  console.log(
    `${number(CHURN)} clients that came and went left ${number((after.held - quiet.held) / CHURN)} bytes each, and ${after.streams - clients.length} streams`,
  );
}

async function post(port: number, to: string, body: object, method = 'POST'): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${to}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-admin-token': 'bench' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${to}: ${answer.status} ${text}`);
}

/** Returns the server's memory after a garbage collection, once it has the given number of streams. */
async function memory(server: ChildProcess, streams?: number): Promise<Memory> {
  for (;;) {
    server.send('memory');
    const [held] = (await once(server, 'message')) as [Memory];
    if (streams === undefined || held.streams === streams) return held;
    await new Promise((later) => setTimeout(later, 100));
  }
}
