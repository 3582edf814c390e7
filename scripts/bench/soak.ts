// npm run bench:soak [-- minutes]: an evening at ten times its speed, with 1,000 open streams and patrons that look,
// vote and ask. Memory and open handles must not grow, answers must not slow down. How to read it: README.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { playNight } from '../device/device.ts';
import { planNight } from '../device/night.ts';

const MINUTES = Number(process.argv[2] ?? 6);
const STREAMS = 1_000;
const SPEED = 10;
const LOOKS = [
  '/',
  '/now',
  '/events',
  '/api/events',
  '/api/tenders',
  '/api/now-playing/setlist',
  '/api/now-playing/snapshot',
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soak-'));
const server = spawn(process.execPath, [path.join(import.meta.dirname, '../../src/main.ts')], {
  cwd: folder,
  env: {
    PATH: process.env.PATH,
    PORT: '0',
    DATABASE_URL: `file:${folder}/soak.db`,
    LOG_LEVEL: 'info',
    RATE_LIMIT_GENERAL: '1000000',
    STREAMS_PER_CLIENT: '5000',
    LYRICS_API_URL: '',
    GENRE_API_URL: '',
    SETLIST_REQUESTS_ENABLED: 'on',
    FEEDBACK_ENABLED: 'on',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const stop = new AbortController();
try {
  const url = await listening();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  let frames = 0;
  for (let count = 0; count < STREAMS; count++) keepStream(url, () => (frames += 1));
  const night = playNight(planNight({ seed: 5, hours: (MINUTES * SPEED) / 60 + 1 }), {
    url,
    speed: SPEED,
    signal: stop.signal,
  });

  console.log('minute   memory MB   handles   frames/s   p50 ms   p99 ms');
  const samples: { memory: number; handles: number; p99: number }[] = [];
  for (let minute = 1; minute <= MINUTES; minute++) {
    frames = 0;
    const took = await lookAround(url, agent, 60_000);
    took.sort((a, b) => a - b);
    const sample = { memory: memoryOf(server.pid!), handles: handlesOf(server.pid!), p99: at(took, 0.99) };
    samples.push(sample);
    console.log(
      [
        minute,
        sample.memory.toFixed(0),
        sample.handles,
        Math.round(frames / 60),
        at(took, 0.5).toFixed(1),
        sample.p99.toFixed(1),
      ]
        .map((cell, index) => String(cell).padStart([6, 12, 10, 11, 9, 9][index] ?? 9))
        .join(''),
    );
  }
  stop.abort();
  await night.catch(() => undefined);
  // The first minute fills caches and compiles; from then on nothing may grow.
  const [, second, ...rest] = samples;
  const last = rest.at(-1);
  if (second && last) {
    console.log(
      `\nmemory ${(last.memory / second.memory).toFixed(2)}, handles ${(last.handles / second.handles).toFixed(2)}, p99 ${(last.p99 / second.p99).toFixed(2)} times those of the second minute`,
    );
    if (last.memory > second.memory * 1.3 || last.handles > second.handles * 1.1) process.exitCode = 1;
  }
} finally {
  server.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
  process.exit();
}

async function listening(): Promise<string> {
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url] = /Server listening at (http:[^"]+)/.exec(line) ?? [];
    if (!url) continue;
    server.stdout.resume();
    return url;
  }
  throw new Error('The service ended before it listened');
}

/** Reads a stream, and opens the next one when it ends: as screens do. */
function keepStream(url: string, heard: () => void): void {
  if (stop.signal.aborted) return;
  const again = () => setTimeout(() => keepStream(url, heard), 500 + Math.random() * 2_000);
  const request = http.get(`${url}/api/now-playing/current`, { agent: false }, (answer) => {
    answer.on('data', heard);
    answer.on('close', again);
  });
  request.on('error', again);
}

/** Asks for pages and feeds for a while, eight at a time with short breaks. @returns milliseconds of each */
async function lookAround(url: string, agent: http.Agent, forMs: number): Promise<number[]> {
  const until = performance.now() + forMs;
  const took: number[] = [];
  let next = 0;
  const patron = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      const request = http.get(url + LOOKS[next++ % LOOKS.length], { agent });
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      took.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(Array.from({ length: 8 }, patron));
  return took;
}

function at(sorted: number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

function memoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

function handlesOf(pid: number): number {
  return fs.readdirSync(`/proc/${pid}/fd`).length;
}
