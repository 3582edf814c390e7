// Repeated kill -9 of the serving process under ballots and tracks: the standby takes over, nothing acknowledged is
// lost, and nothing that is retried counts twice.
import { randomUUID } from 'node:crypto';
import { freePort } from '#test/support/process/free-port.ts';
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

const ROUNDS = Number(process.argv[2] ?? 50);
const BALLOTS_A_ROUND = 60;
const TAKEOVER_WITHIN_MS = 5_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const folder = tempFolder();
const so: Acknowledged = { ballots: 0, plays: [], addresses: [], refused: {} };
let active = await start(folder);
const opened = await openElection(active, ROUNDS * BALLOTS_A_ROUND);
const waiting = [...opened.tokens];
let allowed = 0;
let done = false;

/** Retries a request to the serving process until it is acknowledged: after a lost answer its outcome is unknown. */
async function deliver(path: string, body: object): Promise<unknown> {
  for (;;) {
    const answer = await post(active.url + path, body);
    if (answer.status === 200) return answer.body;
    if (![0, 503].includes(answer.status)) {
      so.refused[answer.status] = (so.refused[answer.status] ?? 0) + 1;
      return {};
    }
    await pause(20);
  }
}

const voters = Array.from({ length: 8 }, async () => {
  for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) {
    while (so.ballots >= allowed) await pause(5);
    await deliver(`/e/${opened.election}/vote`, { token, choice: 'yes', submission_id: randomUUID() });
    so.ballots += 1;
  }
});
const player = (async () => {
  for (let song = 1; !done; song++) {
    const answer = await deliver('/api/now-playing/ingest', { artist: 'The Anchors', title: `Song ${song}` });
    so.plays.push((answer as { id: number }).id);
  }
})();

const found: string[] = [];
let slowest = 0;
for (let round = 1; round <= ROUNDS; round++) {
  const port = await freePort();
  const next = start(folder, { env: { STANDBY: 'on', PORT: String(port) } });
  while ((await healthOf(port)) !== 'standby') await pause(50);
  allowed = round * BALLOTS_A_ROUND;
  while (so.ballots < allowed - BALLOTS_A_ROUND / 2) await pause(1);
  const killedAt = performance.now();
  const killed = active;
  killed.process.kill('SIGKILL');
  active = await next;
  slowest = Math.max(slowest, performance.now() - killedAt);
  await end(killed);
}
await Promise.all(voters);
done = true;
await player;
const code = await end(active, 'SIGTERM');

if (code !== 0) found.push(`the last one ended with ${code}`);
if (slowest > TAKEOVER_WITHIN_MS) found.push(`a takeover took ${Math.round(slowest)} ms`);
for (const [status, times] of Object.entries(so.refused))
  found.push(`${times} requests were answered ${status}`);
found.push(...(await complaints(folder, opened, so)));
report(
  `${ROUNDS} takeovers, ${so.ballots} ballots, ${so.plays.length} tracks; the slowest took ${Math.round(slowest)} ms`,
  found,
);

async function healthOf(port: number): Promise<string | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
  return ((await answer?.json()) as { status?: string } | undefined)?.status;
}
