// npm run bench:ballots: measures durable ballots per second over real HTTP, compared with a bare Fastify route and
// with one commit per ballot, in the same run. How to read it: README.md beside this file.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { figure } from './figures.ts';

const ELECTIONS = Number(process.argv[2] ?? 20);
const VOTERS = 2_000;
const WARM_UP = 2;
const CONNECTIONS = Number(process.argv[3] ?? 128);
const ROUNDS = 5;
const MODES = ['bare', 'shared', 'single', 'paper'] as const;

/** One run of a server: its answers a second, and its processor time in microseconds for each. */
interface Run {
  rate: number;
  processor: number;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ballots-bench-'));
const runs: Record<(typeof MODES)[number], Run[]> = { bare: [], shared: [], single: [], paper: [] };
try {
  for (let round = 1; round <= ROUNDS; round++) {
    for (const mode of MODES) {
      const run = await measure(mode, path.join(folder, String(round)));
      runs[mode].push(run);
      const rate = Math.round(run.rate).toLocaleString('en-US').padStart(8);
      console.log(
        `round ${round}  ${mode.padEnd(7)} ${rate} answers/s  ${run.processor.toFixed(1).padStart(6)} us`,
      );
    }
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
/** The servers of a round run directly one after the other, so other load on the machine affects them alike. */
const median = (ratioOf: (round: number) => number) =>
  Array.from({ length: ROUNDS }, (_, round) => ratioOf(round)).sort((a, b) => a - b)[ROUNDS >> 1]!;
const ofSingle = median((round) => runs.shared[round]!.rate / runs.single[round]!.rate);
const ofBare = median((round) => runs.shared[round]!.rate / runs.bare[round]!.rate);
console.log(
  `\n${CONNECTIONS} connections, ${ELECTIONS} elections of ${VOTERS.toLocaleString('en-US')} voters a round, medians of ${ROUNDS} rounds:`,
);
console.log(`durable ballots, shared commits: ${ofSingle.toFixed(2)} times one commit per ballot`);
console.log(`durable ballots a second: ${ofBare.toFixed(2)} of the answers of a bare route`);
figure({
  name: 'processor time of a durable ballot',
  value: median((round) => runs.shared[round]!.processor / runs.bare[round]!.processor),
  unit: 'bare requests',
  target: { atMost: 2.3 },
});
figure({
  name: 'processor time of a paper of five questions',
  value: median((round) => runs.paper[round]!.processor / runs.shared[round]!.processor),
  unit: 'ballots',
  target: { atMost: 2 },
});

async function measure(mode: string, into: string): Promise<Run> {
  fs.mkdirSync(into, { recursive: true });
  const file = path.join(import.meta.dirname, 'processes/ballot-server.ts');
  const server = fork(file, [mode, into, String(ELECTIONS + WARM_UP), String(VOTERS)]);
  try {
    await once(server, 'message');
    const { port, elections } = JSON.parse(fs.readFileSync(path.join(into, `${mode}.json`), 'utf8'));
    // The first elections warm the server up and are not counted.
    await send(port, elections.slice(0, WARM_UP));
    const before = await processorTime(server);
    const took = await send(port, elections.slice(WARM_UP));
    const used = (await processorTime(server)) - before;
    const answers = ELECTIONS * VOTERS;
    return { rate: answers / (took / 1_000), processor: used / answers };
  } finally {
    await stop(server);
  }
}

/** The processor time of all threads of a server so far, in microseconds. */
async function processorTime(server: ChildProcess): Promise<number> {
  server.send('processor time');
  const [used] = await once(server, 'message');
  return used as number;
}

interface BenchElection {
  id: string;
  tokens: string[];
  /** Of a ballot paper. */
  questions?: string[];
}

/**
 * Casts one ballot with each token, one election after the other, each from its own IP address. Throws unless every
 * answer is a 2xx.
 * @returns milliseconds from the start to the last answer; autocannon itself ends on whole seconds only
 */
async function send(port: number, elections: BenchElection[]): Promise<number> {
  let next = 0;
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const index = next++;
    const { id, tokens, questions } = elections[Math.floor(index / VOTERS) % elections.length]!;
    const ballot = { choice: index % 3 ? 'yes' : 'no' };
    const answers = questions && Object.fromEntries(questions.map((question) => [question, ballot]));
    return {
      ...request,
      path: questions ? `/p/${id}/vote` : `/e/${id}/vote`,
      body: JSON.stringify({
        token: tokens[index % VOTERS],
        ...(answers ? { answers } : ballot),
        submission_id: `bench-${index}`,
      }),
      headers: {
        ...request.headers,
        'edge-connecting-ip': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
      },
    };
  };
  const amount = elections.length * VOTERS;
  const options = {
    url: `http://127.0.0.1:${port}`,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    connections: CONNECTIONS,
    amount,
    requests: [{ setupRequest }],
  };
  const started = performance.now();
  let last = started;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    run.on('response', () => {
      last = performance.now();
    });
  });
  if (result['2xx'] !== amount) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return last - started;
}

async function stop(server: ChildProcess): Promise<void> {
  server.kill('SIGKILL');
  await once(server, 'exit');
}
