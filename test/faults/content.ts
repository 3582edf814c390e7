// The club's own content under kill -9 at the n-th write, and on a disk that becomes full: acknowledged changes are
// stored, nothing is stored in part, and the latest published versions are shown.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { verifyAudit } from '#kernel/db/audit.ts';
import { createReader, Statements } from '#kernel/db/queries.ts';
import { calendarText, eventLines } from '#test/stand-ins/calendar-host.ts';
import { multipart, noisyPicture, smallPicture } from '#test/support/pictures.ts';
import {
  appointManager,
  BELIEVE_EDGE,
  end,
  MANAGER,
  report,
  type ServiceProcess,
  start,
  tempFolder,
} from './service.ts';

const POINTS = Number(process.argv[2] ?? 10);
const CALLS = ['pwrite64', 'fsync'];
const STAFF = { ...MANAGER, accept: 'application/json' };
const ENV = { ...BELIEVE_EDGE, RATE_LIMIT_ADMIN: '1000000' };

/** What the service has acknowledged. */
interface Acknowledged {
  /** The newest version of each record, by its id, and its title. */
  records: Map<string, { version: number; title: string }>;
  /** Ids of pictures. */
  pictures: string[];
  takeovers: string[];
  sources: string[];
  /** Failed requests by status; 0 for no answer. */
  refused: Record<number, number>;
  /** The text of the last refusal. */
  said: string;
}

const ics = http.createServer((_request, response) =>
  response.end(calendarText([eventLines('Choir', '20301124T190000')])),
);
ics.listen(0, '127.0.0.1');
await once(ics, 'listening');
const calendar = `http://127.0.0.1:${(ics.address() as AddressInfo).port}/basic.ics`;

/** Writes, publishes, uploads pictures, starts notices and adds calendars concurrently until `done`. */
async function edit(
  { url }: ServiceProcess,
  so: Acknowledged,
  done: (so: Acknowledged) => boolean,
): Promise<Acknowledged> {
  let stopped = false;
  let count = 0;
  const ask = async (method: string, to: string, body: BodyInit, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + to, {
      method,
      body,
      signal: AbortSignal.timeout(20_000),
      headers: { ...STAFF, ...headers },
    }).catch(() => undefined);
    const json = await answer?.json().catch(() => undefined);
    if (answer?.status === 200 && json) return json;
    const status = answer?.status ?? 0;
    so.refused[status] = (so.refused[status] ?? 0) + 1;
    so.said = json?.error ?? so.said;
    stopped ||= status === 0;
    return undefined;
  };
  const send = (method: string, to: string, body: object) =>
    ask(method, to, JSON.stringify(body), { 'content-type': 'application/json' });
  const each = async (deed: (n: number) => Promise<unknown>) => {
    while (!stopped) {
      await deed(++count);
      stopped ||= done(so);
    }
  };

  /** Publishes a record, and changes it three times. */
  const write = async (n: number) => {
    const title = `Quiz ${n}`;
    const event = { title, place: 'Pub', date: '2030-01-01', time: '20:00', rule: 'FREQ=WEEKLY' };
    const body = n % 2 === 0 ? event : { title, text: 'x'.repeat(500) };
    const kind = n % 2 === 0 ? 'event' : 'announcement';
    const made = await send('POST', `/api/admin/content/${kind}`, { body, publish: true });
    if (!made) return;
    so.records.set(made.id, { version: 1, title });
    for (let version = 1; version < 4; version++) {
      const next = `${title}, ${version}`;
      const change = { version, body: { title: next }, publish: version !== 2 };
      if (!(await send('PATCH', `/api/admin/content/${kind}/${made.id}`, change))) return;
      so.records.set(made.id, { version: version + 1, title: next });
    }
  };
  const sendPicture = async (n: number) => {
    const bytes = await smallPicture(`#${(n % 0xffffff).toString(16).padStart(6, '0')}`);
    const { payload, headers } = await multipart({ alt: `Picture ${n}` }, { picture: { bytes } });
    const { id } = (await ask('POST', '/api/admin/pictures', new Uint8Array(payload), headers)) ?? {};
    if (id) so.pictures.push(id);
  };
  const takeOver = async (n: number) => {
    await setTimeout(100);
    const { id } =
      (await send('POST', '/api/admin/takeover', { kind: 'own', title: `Notice ${n}`, minutes: 60 })) ?? {};
    if (id) so.takeovers.push(id);
  };
  const addCalendar = async (n: number) => {
    if (so.sources.length >= 10) return setTimeout(100);
    const source = { name: `Calendar ${n}`, address: calendar, goes_to: ['screens', 'calendar'] };
    const { id } = (await send('POST', '/api/admin/ical', source)) ?? {};
    if (id) so.sources.push(id);
  };
  await Promise.all([write, write, write, sendPicture, takeOver, addCalendar].map(each));
  return so;
}

const nothing = (): Acknowledged => ({
  records: new Map(),
  pictures: [],
  takeovers: [],
  sources: [],
  refused: {},
  said: '',
});

/** Returns complaints about what the service shows after its start, given what was acknowledged. */
async function shownWrongly({ url }: ServiceProcess, so: Acknowledged): Promise<string[]> {
  const found: string[] = [];
  const read = async (to: string) => {
    const answer = await fetch(url + to, { headers: STAFF });
    if (!answer.ok) throw new Error(`${to} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const feed = await read('/api/events');
  const titles = new Set(feed.announcements.map(({ title }: { title: string }) => title));
  for (const kind of ['event', 'announcement']) {
    const { items } = await read(`/api/admin/content/${kind}?limit=200`);
    for (const { id, version, published_version, body } of items) {
      const { history } = await read(`/api/admin/content/${kind}/${id}`);
      const versions = history.map((entry: { version: number }) => entry.version);
      const whole = Array.from({ length: version }, (_, at) => version - at);
      if (versions.join() !== whole.join()) found.push(`${kind} ${id} has the versions ${versions}`);
      // The third version is a draft: the previous published one is shown.
      if (published_version !== (version === 3 ? 2 : version))
        found.push(`${kind} ${id} shows ${published_version} of ${version}`);
      if (kind === 'announcement' && version !== 3 && !titles.has(body.title))
        found.push(`the slide ${body.title} is not on the screens`);
    }
  }
  for (const id of so.pictures)
    for (const size of [480, 1920]) {
      const file = await fetch(`${url}/api/admin/pictures/${id}/file?size=${size}`, { headers: STAFF });
      if (file.status !== 200 || (await file.arrayBuffer()).byteLength === 0)
        found.push(`the picture ${id} is not whole`);
    }
  const { takeover } = await read('/api/takeover');
  const last = so.takeovers.at(-1);
  // One that was stored and not acknowledged may have replaced it; ids are in the order of their time.
  if (last && !(takeover?.id >= last)) found.push('the last notice is not shown any more');
  return found;
}

/** Returns complaints about the database file, which no process may use meanwhile. */
function complaints(folder: string, so: Acknowledged): string[] {
  const sqlite = new Sqlite(`${folder}/service.db`);
  const found: string[] = [];
  const count = (statement: string, ...values: unknown[]) =>
    Number(
      sqlite
        .prepare(statement)
        .pluck()
        .get(...values),
    );
  try {
    const integrity = sqlite.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') found.push(`integrity: ${integrity}`);
    for (const [id, { version, title }] of so.records) {
      const text =
        'SELECT count(*) FROM content_revisions WHERE record_id = ? AND version = ? AND body ->> ? = ?';
      if (count(text, id, version, '$.title', title) !== 1) found.push(`version ${version} of ${id} is lost`);
    }
    for (const [table, ids] of [
      ['pictures', so.pictures],
      ['takeovers', so.takeovers],
      ['ical_sources', so.sources],
    ] as const)
      for (const id of ids)
        if (count(`SELECT count(*) FROM ${table} WHERE id = ?`, id) !== 1)
          found.push(`${id} is not in ${table}`);
    const halves: [what: string, statement: string][] = [
      [
        'records without their newest version',
        'SELECT count(*) FROM content_records r WHERE NOT EXISTS (SELECT 1 FROM content_revisions v WHERE v.record_id = r.id AND v.version = r.version)',
      ],
      [
        'records that show a version that is none',
        'SELECT count(*) FROM content_records r WHERE published_version IS NOT NULL AND NOT EXISTS (SELECT 1 FROM content_revisions v WHERE v.record_id = r.id AND v.version = r.published_version AND v.published_at IS NOT NULL)',
      ],
      [
        'versions after the newest one',
        'SELECT count(*) FROM content_revisions v JOIN content_records r ON r.id = v.record_id WHERE v.version > r.version',
      ],
      [
        'pictures without both sizes',
        'SELECT count(*) FROM pictures p WHERE (SELECT count(*) FROM picture_files f WHERE f.picture_id = p.id) <> 2',
      ],
    ];
    for (const [what, statement] of halves)
      if (count(statement) > 0) found.push(`${count(statement)} ${what}`);
    const logged = (action: string) => count('SELECT count(*) FROM audit_log WHERE action = ?', action);
    for (const [action, table] of [
      ['content.created', 'content_records'],
      ['picture.added', 'pictures'],
      ['takeover.started', 'takeovers'],
      ['ical.added', 'ical_sources'],
    ] as const)
      if (logged(action) !== count(`SELECT count(*) FROM ${table}`))
        found.push(`${logged(action)} entries of ${action}, another number of ${table}`);
    const { broken } = verifyAudit(createReader(new Statements(sqlite)));
    if (broken) found.push(`the audit log is broken at entry ${broken.seq}`);
  } finally {
    sqlite.close();
  }
  return found;
}

/** Restarts the service, checks what it shows, and then its database file. */
async function lookAt(folder: string, so: Acknowledged): Promise<string[]> {
  const again = await start(folder, { env: ENV });
  const shown = await shownWrongly(again, so);
  await end(again, 'SIGTERM');
  return [...shown, ...complaints(folder, so)];
}

const summary = ({ records, pictures, takeovers, sources }: Acknowledged) =>
  `${records.size} records, ${pictures.length} pictures, ${takeovers.length} notices, ${sources.length} calendars`;

async function killAt(call: string, nth: number): Promise<void> {
  const folder = tempFolder();
  appointManager(`${folder}/service.db`);
  const kill = `inject=${call}:signal=SIGKILL:when=${nth}`;
  const doomed = await start(folder, {
    env: ENV,
    under: ['strace', '-f', '-o', '/dev/null', '-e', `trace=${call}`, '-e', kill],
  }).catch(() => undefined);
  // The kill may come before the service listens: then nothing was acknowledged.
  const so = doomed ? await edit(doomed, nothing(), ({ records }) => records.size >= 300) : nothing();
  if (doomed) await end(doomed, 'SIGKILL');
  report(`content: crash in ${call} number ${nth}, after ${summary(so)}`, await lookAt(folder, so));
}

/** Fills a disk of a few megabytes while content is written, then frees space again. */
async function fullDisk(): Promise<void> {
  const disk = path.join(tempFolder(), 'disk');
  fs.mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]).status !== 0) {
    console.log('ok   content: full disk: no right to mount a small one here, so this was not tried');
    return;
  }
  try {
    appointManager(`${disk}/service.db`);
    const service = await start(disk, { env: ENV });
    const feed = async () => (await fetch(`${service.url}/api/events`)).json();
    const before = await edit(service, nothing(), ({ records }) => records.size >= 20);
    const { bavail, bsize } = fs.statfsSync(disk);
    fs.writeFileSync(path.join(disk, 'ballast'), Buffer.alloc(bavail * bsize - 500_000));
    const so = await edit(service, before, ({ refused }) => (refused[503] ?? 0) >= 30);
    const found: string[] = [];
    if (!/The server’s disk is full/.test(so.said)) found.push(`it said: ${so.said}`);
    const others = Object.keys(so.refused).filter((status) => !['503', '429'].includes(status));
    if (others.length > 0) found.push(`it also answered ${others}`);
    const bytes = await noisyPicture(600, 400);
    const { payload, headers } = await multipart({ alt: 'No room' }, { picture: { bytes } });
    const picture = await fetch(`${service.url}/api/admin/pictures`, {
      method: 'POST',
      body: new Uint8Array(payload),
      headers: { ...STAFF, ...headers },
    });
    if (![503, 429].includes(picture.status)) found.push(`a picture was answered ${picture.status}`);
    found.push(...(await shownWrongly(service, so)));
    const titles = (await feed()).announcements.length;
    if (titles === 0) found.push('what was published is not shown any more');
    fs.rmSync(path.join(disk, 'ballast'));
    const [refused, count] = [so.refused[503], so.records.size];
    const room = await edit(service, so, ({ records }) => records.size >= count + 20);
    found.push(...(await shownWrongly(service, room)));
    await end(service, 'SIGTERM');
    found.push(...complaints(disk, room));
    report(`content: full disk, ${refused} refused in words, and room again: ${summary(room)}`, found);
  } finally {
    spawnSync('umount', ['-l', disk]);
  }
}

if (spawnSync('strace', ['-V']).status !== 0)
  console.log('ok   content: crash at the n-th write: strace is not on this machine, so this was not tried');
else
  for (const call of CALLS)
    for (let point = 0; point < POINTS; point++)
      // From the first changes to many more, at growing distances.
      await killAt(call, Math.round(call === 'pwrite64' ? 20 + 20 * 1.6 ** point : 4 + 3 * 1.5 ** point));
await fullDisk();
ics.close();
