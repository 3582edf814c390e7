import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { genreLookup } from '#pub/now-playing/genre.ts';
import { refreshScoreboard } from '#pub/screen/scoreboard-refresh.ts';
import { SOURCE_NAMES } from '#pub/staff-room/sources.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { appoint, heard } from '#test/support/people/patrons.ts';

let service: TestApp;
let owner: Record<string, string>;
let staff: Record<string, string>;

beforeEach(async () => {
  // Nobody answers at these addresses.
  service = await testApp({
    SPORTS_ENABLED: 'on',
    SPORTS_LEAGUES: 'soccer/eng.1',
    GENRE_API_URL: 'http://127.0.0.1:9',
    LYRICS_API_URL: 'http://127.0.0.1:9',
  });
  owner = await appoint(service, 'olga@club.example', 'owner');
  staff = await appoint(service, 'tom@club.example', 'tender');
});
afterEach(() => service[Symbol.asyncDispose]());

const page = async (url: string, who = owner) =>
  (await service.get(url, { ...who, accept: 'text/html' })).body;
const tryNow = (name: string, who = staff) => service.post(`/admin/pub/sources/${name}`, {}, who);

it('every source that is used has a row on the page of health', async () => {
  const health = await page('/admin/health');
  expect(SOURCE_NAMES).toEqual([
    'workspace',
    'calendars',
    'weather',
    'sports',
    'lyrics',
    'genres',
    'scrobbles',
  ]);
  for (const title of ['Workspace', 'Calendars we read', 'Sports', 'Lyrics', 'Genres'])
    expect(health).toContain(`>${title}</`);
  expect(health).not.toContain('/admin/pub/sources/');
});

it('scores that cannot be read are said where the operator and staff look, and can be asked for again', async () => {
  await refreshScoreboard(service.ctx);
  for (const [url, who] of [
    ['/admin/health', owner],
    ['/admin/pub', staff],
  ] as const) {
    const body = await page(url, who);
    expect(body).toContain('The source of scores does not answer');
    expect(body).toContain('action="/admin/pub/sources/sports"');
  }
  const asked = () =>
    service.ctx.db.all({ sql: 'SELECT failures FROM scoreboards', parameters: [] } as never);
  expect(asked()).toHaveLength(2);

  expect((await tryNow('sports')).statusCode).toBe(200);
  expect((await tryNow('sports')).statusCode).toBe(429);
  service.clock.now += MINUTE;
  expect((await tryNow('sports')).statusCode).toBe(200);
  expect((await tryNow('nothing')).statusCode).toBe(400);
});

it('a source of genres that does not answer is said, and the song is looked up again at once', async () => {
  await heard(service, { artist: 'ABBA', title: 'SOS' });
  const lookUp = genreLookup(service.ctx);
  await lookUp();
  expect(await page('/admin/health')).toContain('action="/admin/pub/sources/genres"');
  const first = service.ctx.lookups.get('genres');
  service.clock.now += MINUTE;
  await lookUp();
  expect(service.ctx.lookups.get('genres')).toBe(first);

  expect((await tryNow('genres')).statusCode).toBe(200);
  await lookUp();
  expect(service.ctx.lookups.get('genres')).not.toBe(first);
});

it('nobody without a role tries a source', async () => {
  expect((await tryNow('sports', { host: 'club.example' })).statusCode).toBe(401);
});
