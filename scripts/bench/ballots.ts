// npm run bench:ballots: measures durable ballots per second over real HTTP, compared with a bare Fastify route and
// with one commit per ballot, in the same run. How to read it: README.md beside this file.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { figure } from './figures.ts';

const ELECTIONS = Number(process.argv[2] ?? 4);
const VOTERS = 2_000;
const WARM_UP = 2;
const CONNECTIONS = Number(process.argv[3] ?? 128);
const ROUNDS = 7;
const MODES = ['bare', 'shared', 'single', 'paper'] as const;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ballots-bench-'));
const rates: Record<(typeof MODES)[number], number[]> = {
  bare: [],
  shared: [],
  single: [],
  paper: [],
};
try {
  for (let round = 1; round <= ROUNDS; round++) {
    for (const mode of MODES) {
      const rate = await measure(mode, path.join(folder, String(round)));
      rates[mode].push(rate);
      console.log(
        `round ${round}  ${mode.padEnd(7)} ${Math.round(rate).toLocaleString('en-US').padStart(8)} answers/s`,
      );
    }
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
/** The servers of a round run directly one after the other, so other load on the machine affects them alike. */
const median = (ratioOf: (round: number) => number) =>
  Array.from({ length: ROUNDS }, (_, round) => ratioOf(round)).sort((a, b) => a - b)[ROUNDS >> 1]!;
const ofSingle = median((round) => rates.shared[round]! / rates.single[round]!);
console.log(
  `\n${CONNECTIONS} connections, ${ELECTIONS} elections of ${VOTERS.toLocaleString('en-US')} voters a round, medians of ${ROUNDS} rounds:`,
);
console.log(`durable ballots, shared commits: ${ofSingle.toFixed(2)} times one commit per ballot`);
figure({
  name: 'durable ballots, shared commits',
  value: median((round) => rates.shared[round]! / rates.bare[round]!),
  unit: 'of a bare route',
  target: { atLeast: 0.5 },
});
figure({
  name: 'a paper of five questions',
  value: median((round) => rates.shared[round]! / rates.paper[round]!),
  unit: 'times a ballot',
  target: { atMost: 2.5 },
});

async function measure(mode: string, into: string): Promise<number> {
  fs.mkdirSync(into, { recursive: true });
  const server = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, 'processes/ballot-server.ts'),
      mode,
      into,
      String(ELECTIONS + WARM_UP),
      String(VOTERS),
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    await once(server.stdout, 'data');
    const { port, elections } = JSON.parse(fs.readFileSync(path.join(into, `${mode}.json`), 'utf8'));
    // The first elections warm the server up and are not counted.
    await send(port, elections.slice(0, WARM_UP));
    const took = await send(port, elections.slice(WARM_UP));
    return (ELECTIONS * VOTERS) / (took / 1_000);
  } finally {
    await stop(server);
  }
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
