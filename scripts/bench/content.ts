// npm run bench:content: measures what 2,000 records with 24,000 versions cost compared with a small database of the
// same content, how long a vote waits during twenty uploads, and the memory that aborted uploads leave allocated.
// npm run bench:content -- photos uploads: only these parts (of start, read, calendar, photos, uploads). How to read
// it: README.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { appointManager, MANAGER, openElection, post } from '#test/faults/service.ts';
import { calendarText } from '#test/stand-ins/calendar-host.ts';
import { multipart, noisyPicture } from '#test/support/pictures.ts';
import { fill } from './content-fill.ts';
import { at, middle, running, type Server, start, stop, used } from './content-run.ts';
import { figure } from './figures.ts';

const RECORDS = 2_000;
const VERSIONS = 12;
const STARTS = 3;
const READS = 1_000;
const ROUNDS = 3;
const VOTES = 200;
const VOTES_A_SECOND = 20;
const PICTURES = 20;
const BROKEN_OFF = 50;
/** The limit for one turn of the event loop, during which all other requests wait. */
const TURN = { unit: 'ms of processor time', target: { atMost: 50 } };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'content-bench-'));
try {
  const [small, full] = ['small', 'full'].map((name) => path.join(folder, `${name}.db`)) as [string, string];
  await fill(small, 0, 1);
  await fill(full, RECORDS, VERSIONS);
  for (const file of [small, full]) appointManager(file);
  const parts: Record<string, () => Promise<void>> = {
    start: () => compareStarts(small, full),
    read: () => compareReads(small, full),
    calendar: () => readCalendar(small),
    photos: () => voteBesidePictures(small),
    uploads: () => breakOff(small),
  };
  const chosen = process.argv.slice(2);
  for (const [name, run] of Object.entries(parts))
    if (chosen.length === 0 || chosen.includes(name)) await run();
} finally {
  for (const child of running) child.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
}

/** Starts the service with each database in turn, and compares the times until the feed is answered. */
async function compareStarts(small: string, full: string): Promise<void> {
  const more: { ms: number; cpuMs: number }[] = [];
  for (let round = 0; round < STARTS; round++) {
    const base = await start(small);
    await stop(base);
    const other = await start(full);
    await stop(other);
    more.push({ ms: other.startMs - base.startMs, cpuMs: other.startCpuMs - base.startCpuMs });
  }
  const median = (of: (one: (typeof more)[number]) => number) => middle(more.map(of));
  console.log(`a start takes ${median(({ ms }) => ms).toFixed(0)} ms longer by the clock`);
  figure({
    name: 'start with 24,000 versions',
    value: median(({ cpuMs }) => cpuMs),
    unit: 'ms of processor time more',
    target: { atMost: 300 },
  });
}

/** Compares reads of the screens' feed from both databases in turn, then measures the large one during publishing. */
async function compareReads(small: string, full: string): Promise<void> {
  const servers = [await start(small), await start(full)] as const;
  for (const { url } of servers) await reads(url);
  const measure = async (name: string, atMost: number) => {
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const took = new Map<Server, number>();
      for (const server of round % 2 === 0 ? servers : servers.toReversed())
        took.set(server, await reads(server.url));
      ratios.push(took.get(servers[1])! / took.get(servers[0])!);
      if (round === ROUNDS - 1)
        console.log(`${name}: ${servers.map((server) => took.get(server)!.toFixed(2)).join(' and ')} ms`);
    }
    figure({ name, value: middle(ratios), unit: 'of the small database’s', target: { atMost } });
  };
  await measure('/api/events, p99', 1.5);

  const turn = await publishAgain(servers[1]);
  figure({ name: 'longest turn while publishing', value: turn, ...TURN });
  for (const server of servers) await stop(server);
}

/** Publishes an event several times. @returns the median of the longest turns */
async function publishAgain({ url, child }: Server): Promise<number> {
  const made = await post(
    `${url}/api/admin/content/event`,
    { body: { title: 'New', place: 'Pub', date: '2030-01-01', time: '20:00' }, publish: true },
    MANAGER,
  );
  const { id } = made.body as { id: string };
  const longest: number[] = [];
  for (let version = 1; version <= 10; version++) {
    await used(child, 'watch');
    const answer = await fetch(`${url}/api/admin/content/event/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...MANAGER },
      body: JSON.stringify({ version, body: { title: `New ${version}` }, publish: true }),
    });
    if (!answer.ok) throw new Error(`Publishing was answered ${answer.status}`);
    await (await fetch(`${url}/api/events`)).arrayBuffer();
    // Time for the service to render the calendar again as well.
    await setTimeout(400);
    longest.push((await used(child)).longestTurnMs);
  }
  return middle(longest);
}

/** Measures the longest turn while a calendar of 10 MB is read, which a worker thread does. */
async function readCalendar(database: string): Promise<void> {
  const server = await start(database);
  const text = 'Come all. '.repeat(40);
  const events = Array.from({ length: 19_000 }, (_, at) => [
    ...[`UID:${at}`, `DTSTART:2030${String(1 + (at % 12)).padStart(2, '0')}24T200000Z`],
    ...[`SUMMARY:Evening ${at}`, `DESCRIPTION:${text}`],
  ]);
  const body = calendarText(events);
  const host = http.createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
  await once(host, 'listening');
  await used(server.child, 'watch');
  const address = `http://127.0.0.1:${(host.address() as net.AddressInfo).port}/a.ics`;
  await post(`${server.url}/api/admin/ical`, { name: 'Large', address, goes_to: ['screens'] }, MANAGER);
  const read = async () => {
    const answer = await fetch(`${server.url}/api/admin/ical`, { headers: MANAGER });
    const { sources } = (await answer.json()) as {
      sources: { read_at: string | null; error: string | null }[];
    };
    if (sources[0]?.error) throw new Error(sources[0].error);
    return sources[0]?.read_at;
  };
  while (!(await read())) await setTimeout(50);
  const { longestTurnMs: value } = await used(server.child);
  figure({
    name: `longest turn while ${(body.length / 1e6).toFixed(0)} MB of a calendar are read`,
    value,
    ...TURN,
  });
  host.close();
  await stop(server);
}

/** @returns the 99th percentile, in milliseconds */
async function reads(url: string): Promise<number> {
  const took: number[] = [];
  while (took.length < READS) {
    const began = performance.now();
    await (await fetch(`${url}/api/events`)).arrayBuffer();
    took.push(performance.now() - began);
  }
  return at(took, 0.99);
}

/** Casts ballots at a steady pace: first alone, then while many people upload a photo from their phone at once. */
async function voteBesidePictures(database: string): Promise<void> {
  const server = await start(database);
  const service = { ...server, process: server.child, folder, output: () => '' };
  const opened = await openElection(service, 4 * VOTES);
  const photo = await sharp(await noisyPicture(400, 300))
    .resize(4_000, 3_000)
    .jpeg({ quality: 92 })
    .toBuffer();
  const cast = async () => {
    const began = performance.now();
    const votes: Promise<number>[] = [];
    for (let count = 0; count < VOTES; count++) {
      const due = began + (count * 1_000) / VOTES_A_SECOND;
      await setTimeout(Math.max(0, due - performance.now()));
      const ballot = { token: opened.tokens.pop(), choice: 'yes' };
      votes.push(
        post(`${server.url}/e/${opened.election}/vote`, ballot).then(({ status }) => {
          if (status !== 200) throw new Error(`A vote was answered ${status}`);
          return performance.now() - due;
        }),
      );
    }
    return Promise.all(votes);
  };
  await cast();
  const alone = await cast();
  await used(server.child, 'watch');
  const file = path.join(folder, 'photo.jpg');
  fs.writeFileSync(file, photo);
  const sender = fork(path.join(import.meta.dirname, 'processes/content-photos.ts'), [
    server.url,
    String(PICTURES),
    file,
  ]);
  running.add(sender);
  await once(sender, 'message');
  const sent = once(sender, 'message');
  const beside = await cast();
  const [statuses] = (await sent) as [number[]];
  figure({
    name: `longest turn beside ${PICTURES} photos`,
    value: (await used(server.child)).longestTurnMs,
    ...TURN,
  });
  const after = await cast();
  if (statuses.some((status) => status !== 200)) throw new Error(`Pictures were answered ${statuses}`);
  const usual = Math.max(at(alone, 0.99), at(after, 0.99));
  console.log(`a photo has ${(photo.length / 1e6).toFixed(1)} MB`);
  console.log(
    `a vote takes ${at(alone, 0.5).toFixed(1)} ms, p99 ${usual.toFixed(1)}; beside ${PICTURES} photos ${at(beside, 0.5).toFixed(1)} ms, p99 ${at(beside, 0.99).toFixed(1)}`,
  );
  figure({
    name: `vote beside ${PICTURES} photos, p99`,
    value: at(beside, 0.99) / usual,
    unit: 'of one alone',
    target: { atMost: 2 },
  });
  await stop(server);
}

/** Aborts uploads before their end, one after the other, and measures the memory that stays allocated. */
async function breakOff(database: string): Promise<void> {
  const server = await start(database);
  const { hostname, port } = new URL(server.url);
  const form = await multipart({ alt: 'A' }, { picture: { bytes: Buffer.alloc(10_000_000, 1) } });
  const head = Object.entries({ ...form.headers, ...MANAGER, host: 'localhost' });
  const lines = [
    ...['POST /api/admin/pictures HTTP/1.1', `content-length: ${form.payload.length}`],
    ...head.map(([name, value]) => `${name}: ${value}`),
  ];
  const once9MB = async () => {
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await new Promise((done) => socket.write(form.payload.subarray(0, 9_000_000), done));
    await setTimeout(20);
    socket.resetAndDestroy();
    await setTimeout(20);
  };
  for (let count = 0; count < 5; count++) await once9MB();
  const before = await used(server.child, 'collect');
  for (let count = 0; count < BROKEN_OFF; count++) await once9MB();
  await setTimeout(500);
  const { held } = await used(server.child, 'collect');
  figure({
    name: `held after ${BROKEN_OFF} uploads that broke off`,
    value: (held - before.held) / 1e6,
    unit: 'MB more',
    target: { atMost: 5 },
  });
  await stop(server);
}
