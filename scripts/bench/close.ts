// npm run bench:close: measures how long the service is busy with closing an election of 100,000 ballots until it is
// sealed, and how long votes in another election wait meanwhile. How to read it: README.md beside this file.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { figure } from './figures.ts';

const BALLOTS = Number(process.argv[2] ?? 100_000);
/** Other load on the machine only adds time, so the best of this many closes counts. */
const ROUNDS = Number(process.argv[3] ?? 3);
const PAUSE_MS = 25;
const TARGETS = { busyMs: 3_000, sliceMs: 50 };

interface Made {
  port: number;
  full: string[];
  open: string;
  tokens: string[];
}

/** Times in milliseconds. */
interface Measured {
  active: number;
  longest: number;
  sealed: boolean;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'close-bench-'));
const child = fork(path.join(import.meta.dirname, 'processes/close-server.ts'), [
  folder,
  String(BALLOTS),
  String(ROUNDS + 1),
]);
try {
  const [made] = (await once(child, 'message')) as [Made];
  const { tokens } = made;
  const rounds: { busy: number; slice: number; took: number; vote: number }[] = [];
  for (const id of made.full) {
    await setTimeout(1_000);
    await measure(child, '');
    const began = performance.now();
    const closing = post(made, `/admin/elections/${id}/close`, {});
    const waited: number[] = [];
    let now: Measured;
    do {
      const due = performance.now();
      const status = await post(made, `/e/${made.open}/vote`, { token: tokens.pop(), choice: 'yes' });
      if (status !== 200) throw new Error(`A vote beside the close was answered ${status}`);
      waited.push(performance.now() - due);
      await setTimeout(PAUSE_MS);
      now = await measure(child, id);
    } while (!now.sealed);
    await closing;
    // All of this time is measured: after the close the voting jobs still work on the election until it is sealed.
    const took = performance.now() - began;
    const round = { busy: now.active, slice: now.longest, took, vote: Math.max(...waited) };
    const [busy, slice, all, vote] = Object.values(round).map((ms) => ms.toFixed(0));
    console.log(
      `busy ${busy} ms, longest slice ${slice} ms, sealed after ${all} ms; ${waited.length} votes meanwhile, the slowest ${vote} ms`,
    );
    rounds.push(round);
  }
  // The first round is left out: it warms up the JIT compiler.
  const best = (key: 'busy' | 'slice' | 'vote') => Math.min(...rounds.slice(1).map((round) => round[key]));
  const what = `${BALLOTS.toLocaleString('en-US')} ballots closed`;
  figure({ name: `${what}, busy`, value: best('busy'), unit: 'ms', target: { atMost: TARGETS.busyMs } });
  figure({
    name: `${what}, longest slice`,
    value: best('slice'),
    unit: 'ms',
    target: { atMost: TARGETS.sliceMs },
  });
} finally {
  child.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
}

async function measure(server: ChildProcess, id: string): Promise<Measured> {
  server.send(id);
  const [measured] = (await once(server, 'message')) as [Measured];
  return measured;
}

async function post({ port }: Made, url: string, body: object): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return answer.status;
}
