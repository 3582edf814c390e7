// Restarts with a socket that the parent process keeps, under 200 requests a second over keep-alive and new
// connections: every request is answered, and streams and the controls socket reconnect by themselves. On a keep-alive
// connection that closes before any answer a request is sent once more, as browsers do (RFC 9110, 9.2.2).
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { EventSource } from 'undici';
import WebSocket from 'ws';
import {
  type Acknowledged,
  complaints,
  end,
  openElection,
  post,
  report,
  start,
  tempFolder,
} from './service.ts';

const RESTARTS = Number(process.argv[2] ?? 5);
const REQUESTS_A_SECOND = 200;
/** On a busy machine a start takes long, and all pending requests must be answered after it. */
const WAITING_AT_MOST = 1_000;
const BETWEEN_MS = 3_000;
const STREAMS = 20;
/** After a start streams wait for up to 5 s before they reconnect, and are then behind the pending requests. */
const BACK_WITHIN_MS = 60_000;

const folder = tempFolder();
const kept = net.createServer().listen({ host: '127.0.0.1', port: 0, backlog: 4_096 });
await once(kept, 'listening');
const { port } = kept.address() as AddressInfo;
// Node has no public name for the descriptor of a socket that listens.
const socket = (kept as unknown as { _handle: { fd: number } })._handle.fd;
const url = `http://127.0.0.1:${port}`;
/** Keeps the socket and runs the service with it again and again, as systemd does. */
const parent = `for run in $(seq ${RESTARTS + 1}); do
  LISTEN_FDS=1 sh -c 'echo "pid $$"; LISTEN_PID=$$ exec "$@"' sh "$@"
  echo "ended with $?"
done`;
const service = await start(folder, { under: ['sh', '-c', parent, 'sh'], socket });
kept.close();
const said = (line: RegExp) => [...service.output().matchAll(line)];
const stop = () => process.kill(Number(said(/^pid (\d+)$/gm).at(-1)![1]), 'SIGTERM');

const opened = await openElection(service, 20_000);
const so: Acknowledged = { ballots: 0, plays: [], addresses: [], refused: {} };
const found: string[] = [];
const statuses = new Map<string, number>();
const waits: number[] = [];
const keeping = new http.Agent({ keepAlive: true, maxSockets: 64 });
const anew = new http.Agent({ keepAlive: false, maxSockets: 1_000 });
let sentAgain = 0;
let sent = 0;

/** The requests sent in turn, each with a callback for a 200. */
const asks: (() => [path: string, body?: object, yes?: (body: string) => void])[] = [
  () => ['/'],
  () => {
    const ballot = { token: opened.tokens.pop(), choice: 'yes', submission_id: randomUUID() };
    return [`/e/${opened.election}/vote`, ballot, () => (so.ballots += 1)];
  },
  () => ['/api/events'],
  () => {
    const track = { artist: 'The Anchors', title: `Song ${sent}` };
    return ['/api/now-playing/ingest', track, (body) => so.plays.push(JSON.parse(body).id)];
  },
  () => [`/e/${opened.election}`],
];

async function ask(): Promise<void> {
  const count = sent++;
  const [path, body, yes] = asks[count % asks.length]!();
  const began = performance.now();
  const kept = Math.floor(count / asks.length) % 2 === 0;
  // Each from a different client.
  const client = `10.1.${(count >> 8) & 255}.${count & 255}`;
  const once = (agent: http.Agent) => exchange(path, body, client, agent);
  let answer = await once(kept ? keeping : anew);
  if (kept && answer.text === 'ECONNRESET') {
    sentAgain += 1;
    answer = await once(anew);
  }
  const { status, text } = answer;
  if (status === 200) yes?.(text);
  const what = status === 0 ? `${kept ? 'kept' : 'new'} connection: ${text}` : String(status);
  statuses.set(what, (statuses.get(what) ?? 0) + 1);
  waits.push(performance.now() - began);
}

/** Sends one request. Status 0: no answer, with the error code as text. */
function exchange(path: string, body: object | undefined, client: string, agent: http.Agent) {
  const headers = {
    accept: 'application/json',
    // Without a token the device is heard on this machine alone, and not through a proxy.
    ...(path !== '/api/now-playing/ingest' && { 'edge-connecting-ip': client }),
    ...(body && { 'content-type': 'application/json' }),
  };
  return new Promise<{ status: number; text: string }>((resolve) => {
    const failed = ({ code = 'timeout' }: NodeJS.ErrnoException) => resolve({ status: 0, text: code });
    const method = body ? 'POST' : 'GET';
    const request = http.request(url + path, { method, agent, headers, timeout: 60_000 }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', (error) => failed({ ...error, code: 'cut within its answer' }));
    });
    request.on('timeout', () => request.destroy(new Error()));
    request.on('error', failed);
    request.end(body && JSON.stringify(body));
  });
}

/** A stream or socket: how often it has opened, and what it received last. */
interface Listener {
  opened: number;
  heard: string;
  isOpen: () => boolean;
}

function listen(): Listener {
  const source = new EventSource(`${url}/api/now-playing/current`);
  const listener = { opened: 0, heard: '', isOpen: () => source.readyState === EventSource.OPEN };
  source.addEventListener('open', () => (listener.opened += 1));
  source.addEventListener('track', (event) => (listener.heard = (event as MessageEvent<string>).data));
  return listener;
}

/** Opens the controls socket as devices do: it is reopened a second after its end. */
function control(): Listener {
  let current: WebSocket;
  const listener = { opened: 0, heard: '', isOpen: () => current.readyState === WebSocket.OPEN };
  const open = () => {
    current = new WebSocket(`ws://127.0.0.1:${port}/api/now-playing/controls`);
    current.on('open', () => (listener.opened += 1));
    current.on('message', (data) => (listener.heard = String(data)));
    current.on('error', () => undefined);
    current.on('close', () => setTimeout(open, 1_000).unref());
  };
  open();
  return listener;
}

const streams = Array.from({ length: STREAMS }, listen);
const controls = control();
const listeners = [...streams, controls];
const allBack = async (times: number) => {
  const until = performance.now() + BACK_WITHIN_MS;
  while (performance.now() < until) {
    if (listeners.every((one) => one.opened >= times && one.isOpen())) return;
    await pause(20);
  }
  const missing = listeners.filter((one) => one.opened < times || !one.isOpen()).length;
  found.push(`${missing} of ${listeners.length} streams and sockets did not come back`);
};
await allBack(1);

let loading = true;
const waiting = new Set<Promise<void>>();
const load = (async () => {
  const began = performance.now();
  for (let due = 0; loading; await pause(10)) {
    const until = ((performance.now() - began) / 1_000) * REQUESTS_A_SECOND;
    for (; due < until; due++) {
      if (waiting.size >= WAITING_AT_MOST) continue;
      const asking = ask().finally(() => waiting.delete(asking));
      waiting.add(asking);
    }
  }
})();

let longest = 0;
let slowestBack = 0;
for (let round = 1; round <= RESTARTS; round++) {
  await pause(BETWEEN_MS);
  const stopped = performance.now();
  stop();
  while (said(/Server listening at/g).length <= round) await pause(10);
  longest = Math.max(longest, performance.now() - stopped);
  await allBack(round + 1);
  slowestBack = Math.max(slowestBack, performance.now() - stopped);
}
await pause(BETWEEN_MS);
loading = false;
await load;
await Promise.all(waiting);

const before = controls.heard;
const track = { artist: 'The Anchors', title: 'After the last restart' };
const { body: last } = await post(`${url}/api/now-playing/ingest`, track);
so.plays.push((last as { id: number }).id);
for (let tries = 0; tries < 100 && !streams.every(({ heard }) => heard.includes('After the last')); tries++)
  await pause(50);
const deaf = streams.filter(({ heard }) => !heard.includes('After the last')).length;
if (deaf > 0) found.push(`${deaf} streams did not hear the track after the last restart`);
if (before === '') found.push('the socket of the controls heard nothing');
for (const [what, times] of statuses) if (what !== '200') found.push(`${times} of ${sent} requests: ${what}`);
stop();
await end(service);
for (const [line] of said(/^ended with [^0].*$/gm)) found.push(line);
waits.sort((a, b) => a - b);
report(
  `${RESTARTS} restarts under ${sent} requests: ${statuses.get('200') ?? 0} answered (${sentAgain} sent again), the slowest after ${Math.round(waits.at(-1) ?? 0)} ms; a restart took up to ${Math.round(longest)} ms, streams and sockets were back within ${Math.round(slowestBack)} ms`,
  [...found, ...(await complaints(folder, opened, so))],
);
process.exit();
