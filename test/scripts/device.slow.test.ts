import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type ListeningService, listeningService } from '#test/support/browser/browser-service.ts';
import { INHERITED, tempFolder } from '#test/support/process/process.ts';
import { CATALOGUE } from '../../scripts/device/catalogue.ts';
import { type NightReport, playNight } from '../../scripts/device/device.ts';
import { planNight, type Step } from '../../scripts/device/night.ts';

const SCRIPT = path.join(import.meta.dirname, '../../scripts/device.ts');
const TOKEN = 'a token of the device';
const STAFF = { 'x-admin-token': 'a token of the staff' };
const MINUTE = 60_000;
/** Half an hour in less than a second. */
const SPEED = 2_000;

test('a night is the same for the same seed, and different for another', () => {
  const [night, same, another] = [5, 5, 6].map((seed) => JSON.stringify(planNight({ seed })));

  expect([night === same, night === another]).toEqual([true, false]);
});

test.each([1, 2, 3])('night %d is plausible for a pub', (seed) => {
  const steps = planNight({ seed });
  const tracks = steps.filter((step) => step.kind === 'track');
  const of = (kind: Step['kind']) => steps.filter((step) => step.kind === kind);

  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).sort((a, b) => a - b));
  expect(tracks.length).toBeGreaterThan(80);
  expect(of('silence').length).toBeGreaterThanOrEqual(2);
  expect(of('offset').length).toBeGreaterThan(tracks.length);
  const kinds = new Set(steps.flatMap((step) => (step.kind === 'verdict' ? step.content.kind : [])));
  expect(kinds.has('sports') || kinds.has('movie')).toBe(true);
  expect(kinds).toContain('silence');
  // A report comes after the start of its song, and a repeated one within the time in which it counts as the same play.
  const wrong = tracks.filter(({ at, startedAt, song }, index) => {
    const before = tracks.slice(0, index).findLast((one) => song.isrc !== '' && one.song.isrc === song.isrc);
    const apart = before ? startedAt - before.startedAt : Number.POSITIVE_INFINITY;
    return at < startedAt || (apart > 30_000 && apart < 90 * MINUTE);
  });
  expect(wrong).toEqual([]);
});

test('the catalogue has songs of every kind: long names, other scripts, some without cover or ISRC', () => {
  const titles = CATALOGUE.map(({ title }) => title);
  expect(titles.some((title) => title.length > 70)).toBe(true);
  expect(titles.some((title) => /\p{Script=Han}/u.test(title))).toBe(true);
  expect(titles.some((title) => /\p{Script=Cyrillic}/u.test(title))).toBe(true);
  expect(titles.some((title) => /\p{Script=Arabic}/u.test(title))).toBe(true);
  expect(CATALOGUE.every(({ durationMs }) => durationMs > MINUTE && durationMs < 9 * MINUTE)).toBe(true);
  expect(CATALOGUE.some(({ isrc }) => !isrc) && CATALOGUE.some(({ hasArt }) => !hasArt)).toBe(true);
});

let service: ListeningService;
/** A proxy between the device and the service, which can be down. */
let line: { url: string; away: boolean; refused: number; verdicts: string[]; close(): void };

beforeEach(async () => {
  service = await listeningService({
    NOW_PLAYING_INGEST_TOKEN: TOKEN,
    PUB_ADMIN_TOKEN: STAFF['x-admin-token'],
  });
  Object.defineProperty(service.clock, 'now', { get: Date.now });
  line = await openLine(service.origin);
});
afterEach(async () => {
  line.close();
  await service[Symbol.asyncDispose]();
});

test('a night played fast is stored completely: songs once, silence, verdicts, lights and sound', async () => {
  const steps = planNight({ seed: 4, hours: 0.5 });
  const command = { action: 'scene', name: 'Quiz night' };
  expect((await service.post('/api/admin/dmx/desired', command, STAFF)).statusCode).toBe(200);
  expect((await service.post('/api/admin/qsys/desired', { mode: 'bar' }, STAFF)).statusCode).toBe(200);

  const report = await playNight(steps, { url: line.url, token: TOKEN, speed: SPEED });

  const reported = steps.filter(({ kind }) => kind === 'track' || kind === 'silence').length;
  expect(report).toMatchObject({ refused: 0, retries: 0, applied: 2 } satisfies Partial<NightReport>);
  expect(report.stored.length + report.deduped).toBe(reported);
  expect(report.deduped).toBeGreaterThan(0);
  expect(report.heartbeats).toBeGreaterThan(5);
  const rows = service.ctx.db.all(build.selectFrom('plays').selectAll().orderBy('id'));
  expect(rows.map(({ id }) => id)).toEqual(report.stored);
  const verdicts = steps.flatMap((step) => (step.kind === 'verdict' ? step.content.kind : []));
  expect(new Set(line.verdicts)).toEqual(new Set(verdicts));
  expect(rows.filter(({ silent }) => silent === 1)).toHaveLength(
    steps.filter(({ kind }) => kind === 'silence').length,
  );
  const { items } = (await service.get('/api/now-playing/setlist?limit=500')).json();
  expect(items).toHaveLength(rows.filter(({ silent, kind }) => silent === 0 && kind === 'music').length);
  // A command that was acknowledged is no longer sent.
  for (const relay of ['dmx', 'qsys']) {
    const answer = await service.get(`/api/${relay}/desired`, { authorization: `Bearer ${TOKEN}` });
    expect(answer.json()).toEqual({ ok: true, desired: null, desiredSetAt: null });
  }
});

test('while a song plays the device reports the position in it', async () => {
  const ending = new AbortController();
  const track = planNight({ seed: 1 }).find((step) => step.kind === 'track')!;
  const offsets = Array.from({ length: 400 }, (_, index) => ({
    at: (index + 1) * 50,
    kind: 'offset' as const,
    offsetMs: 7_000 + index,
    confidence: 0.9,
  }));
  const night = playNight([{ ...track, at: 0 }, ...offsets], {
    url: service.origin,
    token: TOKEN,
    signal: ending.signal,
  });
  const told = () => service.ctx.db.first(build.selectFrom('lyrics_offset').selectAll());
  await expect.poll(told).toBeDefined();
  ending.abort();

  const { stored } = await night;
  expect(stored).toEqual([told()?.track_id]);
  expect((await told())?.offset_ms).toBeGreaterThanOrEqual(7_000);
});

test('nothing is lost while the service is down, and every song keeps the time it was heard', async () => {
  const steps = planNight({ seed: 9, hours: 0.5 });
  line.away = true;
  const night = playNight(steps, { url: line.url, token: TOKEN, speed: SPEED });
  await expect.poll(() => line.refused).toBeGreaterThan(5);
  line.away = false;
  const report = await night;

  expect(report.retries).toBeGreaterThan(0);
  const rows = service.ctx.db.all(build.selectFrom('plays').selectAll().orderBy('id'));
  expect(rows.map(({ id }) => id)).toEqual(report.stored);
  const songs = rows.filter(({ silent }) => silent === 0);
  const heard = songs.map(({ title }) =>
    steps.find((step) => step.kind === 'track' && step.song.title === title),
  );
  const plan = heard.map((step) => (step?.kind === 'track' ? step.startedAt / SPEED : Number.NaN));
  for (const [index, { started_at }] of songs.entries())
    expect(Math.abs(started_at - songs[0]!.started_at - (plan[index]! - plan[0]!))).toBeLessThan(2);
});

test('a wrong token does not stop the device: it waits for the right one', async () => {
  const ending = new AbortController();
  const said: string[] = [];
  const night = playNight(planNight({ seed: 1, hours: 0.1 }), {
    url: service.origin,
    token: 'another',
    speed: 1_000,
    signal: ending.signal,
    say: (words) => void said.push(words),
  });
  await expect.poll(() => said.some((words) => words.includes('401'))).toBe(true);
  ending.abort();

  expect(await night).toMatchObject({ stored: [], refused: 0 });
});

test('the program finds its token in .env, as the service does', async () => {
  const folder = tempFolder();
  fs.writeFileSync(path.join(folder, '.env'), `NOW_PLAYING_INGEST_TOKEN=${TOKEN}\n`);
  const server = http.createServer((_request, response) => response.writeHead(401).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asked = once(server, 'request');
  const device = spawn(
    process.execPath,
    [SCRIPT, '--url', url, '--quiet', '--no-covers', '--speed', '1000'],
    { cwd: folder, env: INHERITED, stdio: 'ignore' },
  );
  onTestFinished(() => {
    device.kill('SIGKILL');
    server.close();
    server.closeAllConnections();
  });

  const [{ headers }] = await asked;

  expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
});

async function openLine(target: string) {
  const state = { url: '', away: false, refused: 0, verdicts: [] as string[], close: () => {} };
  const server = http.createServer((request, response) => {
    if (state.away) {
      state.refused += 1;
      request.socket.destroy();
      return;
    }
    const { method, headers, url } = request;
    const onward = http.request(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
    request.on('data', (body) => {
      const [, kind] = /"content":\{"kind":"(\w+)"/.exec(String(body)) ?? [];
      if (kind) state.verdicts.push(kind);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return state;
}
