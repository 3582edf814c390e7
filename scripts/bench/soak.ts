// npm run bench:soak [-- --minutes 60] [--streams 1000]: runs a whole club with all kinds of users against a service
// whose clock and intervals are ten times as fast. Memory and open files must not grow after the first ten minutes,
// votes must be answered in time, and every answer must be the expected one. How to read it: README.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { appointManager, BELIEVE_EDGE, MANAGER, tempFolder } from '#test/faults/service.ts';
import { calendarHost, calendarText, eventLines } from '#test/stand-ins/calendar-host.ts';
import { freePort } from '#test/support/process/free-port.ts';
import { playNight } from '../device/device.ts';
import { planNight } from '../device/night.ts';
import { figure } from './figures.ts';
import { Asker, at } from './soak/asker.ts';
import * as people from './soak/people.ts';
import { Minute, type Sample, trendsOf } from './soak/samples.ts';
import * as staff from './soak/staff.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    streams: { type: 'string', default: '1000' },
  },
});
const MINUTES = Number(values.minutes);
const SPEED = 10;
/** Minutes in which caches fill, code is compiled, and the database reaches its size. */
const WARM_UP = Math.min(10, Math.floor(MINUTES / 3));
const VOTE_TARGET_MS = 250;
const DEVICE_TOKEN = 'device-token-of-the-soak';

const folder = tempFolder();
const outbox = `${folder}/outbox`;
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
await using calendar = await calendarHost(() => ({
  body: calendarText([eventLines('Choir', '20301124T190000'), eventLines('Chess', '20301125T190000')]),
}));
appointManager(`${folder}/service.db`, 'owner');
const service = spawn(
  process.execPath,
  ['--import', `${import.meta.dirname}/soak/fast-clock.ts`, `${import.meta.dirname}/../../src/main.ts`],
  {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      SOAK_SPEED: String(SPEED),
      PORT: String(port),
      BASE_URL: url,
      DATABASE_URL: `file:${folder}/service.db`,
      MAILER_URL: `file:${outbox}`,
      MAILER_API_KEY: 'any',
      FROM_EMAIL: 'club@club.example',
      ...BELIEVE_EDGE,
      NOW_PLAYING_INGEST_TOKEN: DEVICE_TOKEN,
      RATE_LIMIT_GENERAL: '1000000',
      RATE_LIMIT_VOTE: '1000000',
      RATE_LIMIT_ADMIN: '1000000',
      RATE_LIMIT_SIGN_IN: '1000000',
      SIGN_UP_MAILS_PER_HOUR: '100000',
      STREAMS_PER_CLIENT: '100000',
      ICAL_PRIVATE_HOSTS: '127.0.0.1',
      SETLIST_REQUESTS_ENABLED: 'on',
      FEEDBACK_ENABLED: 'on',
      NOW_SHOWING_ENABLED: 'on',
      LYRICS_API_URL: '',
      GENRE_API_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
process.on('exit', () => service.kill('SIGKILL'));
const asker = new Asker(url, MANAGER);
await listening();
const stop = new AbortController();
let running = true;
let frames = 0;

await setUp();
for (let count = 0; count < Number(values.streams); count++) keepStream();
const night = playNight(planNight({ seed: 5, hours: (MINUTES * SPEED) / 60 + 1 }), {
  url,
  token: DEVICE_TOKEN,
  speed: SPEED,
  signal: stop.signal,
}).catch(() => undefined);
await figuresCounted();
const began = Date.now();
/** The time of the service's clock. */
const serviceNow = () => began + (Date.now() - began) * SPEED;
const loops = [
  again(0, () => people.holdElection(asker, () => running)),
  ...Array.from({ length: 8 }, () => again(20, (nth) => people.look(asker, nth))),
  again(2_000, (nth) => people.signIn(asker, outbox, nth)),
  again(300, (nth) => people.beat(asker, nth)),
  again(5_000, (nth) => people.subscribe(asker, nth)),
  again(1_000, (nth) => staff.edit(asker, nth)),
  again(10_000, (nth) => staff.sendPicture(asker, nth)),
  again(7_000, (nth) => staff.takeOver(asker, nth)),
  again(3_000, (nth) => staff.listen(asker, DEVICE_TOKEN, nth, serviceNow())),
  again(20_000, (nth) => staff.importRoll(asker, nth)),
  again(5_000, () => staff.watch(asker)),
  again(120_000, () => staff.backUp(asker, folder)),
  again(5_000, async () => people.emptyOutbox(outbox)),
];

const samples: Sample[] = [];
const times = new Map<string, number[]>();
tell(
  'minute',
  'memory',
  'heap',
  'late ms',
  'files',
  'handles',
  'db MB',
  'log MB',
  'frames/s',
  'votes',
  'p50',
  'p99',
);
for (let minute = 1; minute <= MINUTES; minute++) {
  const sample = await watchMinute();
  samples.push(sample);
  const fresh = asker.takeTimes();
  const votes = fresh.get('vote') ?? [];
  const { memory, heap, delay, files, handles, database, log } = sample;
  const round = (value: number) => value.toFixed(0);
  const [size, wal] = [database.toFixed(1), log.toFixed(1)];
  const [p50, p99] = [at(votes, 0.5).toFixed(1), at(votes, 0.99).toFixed(1)];
  tell(
    ...[minute, round(memory), round(heap), round(delay), files, handles, size, wal, round(frames / 60)],
    votes.length,
    p50,
    p99,
  );
  frames = 0;
  if (minute <= WARM_UP) continue;
  for (const [kind, all] of fresh) times.getOrInsertComputed(kind, () => []).push(...all);
}
running = false;
await Promise.all(loops);
stop.abort();
await night;
service.kill('SIGTERM');
const [code] = await once(service, 'exit');
if (code !== 0) asker.wrong(`the service ended with ${code}`);
judge();
process.exit();

/** Waits until the service listens; also counts every error that it logs, from its start to its end. */
function listening(): Promise<void> {
  const lines = createInterface({ input: service.stdout });
  return new Promise((resolve, reject) => {
    service.once('exit', () => reject(new Error('The service ended before it listened')));
    lines.on('line', (line) => {
      if (line.includes('Server listening')) resolve();
      if (!/^\{"level":[56]0/.test(line)) return;
      const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string; stack?: string } };
      // The first stack frame in this project's code.
      const where = err?.stack?.split('\n').find((frame) => /\/(?:src|views)\//.test(frame)) ?? '';
      asker.wrong(`log: ${msg} ${err?.message ?? ''} ${where.trim()}`);
    });
  });
}

/** Adds members and an external calendar. */
async function setUp(): Promise<void> {
  for (let nth = 0; nth < people.MEMBERS; nth++)
    await asker.staff('roll', '/api/admin/people', {
      body: { name: `Member Number ${nth}`, addresses: [{ email: `member${nth}@club.example` }] },
    });
  await staff.addCalendar(asker, `${calendar.url}/choir.ics`);
}

/** Waits for the first rollups: until then their pages say that they are being computed. */
async function figuresCounted(): Promise<void> {
  while ((await fetch(`${url}/setlist/top-songs`)).status !== 200) await pause(200);
}

/** Repeats an action while the soak runs. A failure is counted, and the next repetition follows. */
async function again(everyMs: number, deed: (nth: number) => Promise<unknown>): Promise<void> {
  for (let nth = 0; running; nth++) {
    await deed(nth).catch((error: Error) => {
      if (!asker.errors.has(error.message)) asker.wrong(error.message);
    });
    for (let waited = 0; running && waited < everyMs; waited += 1_000)
      await pause(Math.min(1_000, everyMs - waited));
  }
}

/** Reads a stream and reconnects when it ends, as screens do. */
function keepStream(): void {
  if (!running) return;
  const next = () => setTimeout(keepStream, 500 + Math.random() * 2_000).unref();
  const request = http.get(`${url}/api/now-playing/current`, { agent: false }, (answer) => {
    if (answer.statusCode !== 200) asker.wrong(`stream: ${answer.statusCode}`);
    answer.on('data', () => (frames += 1));
    answer.on('error', () => undefined);
    answer.on('close', next);
  });
  request.on('error', next);
}

async function watchMinute(): Promise<Sample> {
  const minute = new Minute();
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    await pause(Math.min(10_000, Math.max(0, until - performance.now())));
    minute.read(await asker.staff('metrics', '/metrics').catch(() => ''));
  }
  return minute.end(service.pid!, folder);
}

function tell(...cells: (string | number)[]): void {
  console.log(cells.map((cell) => String(cell).padStart(9)).join(''));
}

function judge(): void {
  console.log(`\nAnswers after minute ${WARM_UP}, in ms:`);
  tell('count', 'p50', 'p95', 'p99');
  for (const [kind, all] of times) {
    all.sort((a, b) => a - b);
    const shares = [0.5, 0.95, 0.99].map((share) => at(all, share).toFixed(1));
    console.log([all.length, ...shares].map((cell) => String(cell).padStart(9)).join(''), '', kind);
  }
  console.log('');
  const counted = samples.slice(WARM_UP);
  for (const { name, median, rise, tolerance } of trendsOf(counted))
    figure({
      name: `${name}, trend over ${counted.length} minutes after the first ${WARM_UP}`,
      value: rise * 100,
      unit: `% of ${median.toFixed(0)}`,
      target: { atMost: tolerance * 100 },
    });
  const votes = times.get('vote') ?? [];
  figure({ name: 'votes, p99', value: at(votes, 0.99), unit: 'ms', target: { atMost: VOTE_TARGET_MS } });
  const wrong = [...asker.errors.values()].reduce((sum, count) => sum + count, 0);
  figure({ name: 'answers that were wrong', value: wrong, unit: 'in all', target: { atMost: 0 } });
  for (const [what, count] of asker.errors) console.log(`  ${count} times ${what}`);
}
