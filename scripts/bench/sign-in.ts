// npm run bench:sign-in: compares how long a request for a sign-in code takes for known and unknown addresses. How to
// read it: README.md beside this file.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { HOUR, systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { openContext } from '#kernel/open-context.ts';
import { createPerson } from '#people/persons.ts';
import { buildApp } from '../../src/app.ts';
import { figure } from './figures.ts';

const RUNS = 200;
const TARGET_MS = 2;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sign-in-bench-'));

try {
  await measure();
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const environment = {
    DATABASE_URL: `file:${path.join(folder, 'club.db')}`,
    LOG_LEVEL: 'error',
    OVERLOAD_DELAY_MS: '0',
    BASE_URL: 'https://club.example',
    MAILER_URL: `file:${folder}/mails`,
    RATE_LIMIT_SIGN_IN: '100000',
  };
  let now = systemClock();
  await using ctx = await openContext(readConfig(environment, ''), { now: () => now });
  await ctx.write((tx) => {
    for (const name of ['ann', 'doe', 'doe'])
      createPerson(tx, { name, email: `${name}@club.example` }, { ip: 'bench', at: now });
  });
  const app = await buildApp(ctx);
  const ask = async (email: string) => {
    const began = performance.now();
    const answer = await app.inject({ method: 'POST', url: '/sign-in', payload: { email } });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    const took = performance.now() - began;
    // So that sending the mail of this request does not slow down the next one.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return took;
  };
  const kinds = { known: 'ann@club.example', shared: 'doe@club.example', unknown: 'nobody@club.example' };
  const times = { known: [], shared: [], unknown: [], 'known, over its limit': [] } as Record<
    string,
    number[]
  >;
  for (let run = 0; run < RUNS; run += 1) {
    for (const [kind, email] of Object.entries(kinds)) times[kind]!.push(await ask(email));
    times['known, over its limit']!.push(await ask(kinds.known));
    now += HOUR;
  }
  const medians = Object.entries(times).map(([kind, all]) => {
    const median = all.sort((a, b) => a - b)[RUNS / 2]!;
    console.log(`${kind.padEnd(24)} ${median.toFixed(2)} ms`);
    return median;
  });
  const apart = Math.max(...medians) - Math.min(...medians);
  figure({ name: 'medians apart', value: apart, unit: 'ms', target: { atMost: TARGET_MS } });
  await app.close();
}
