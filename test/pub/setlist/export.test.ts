import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { addPlays, silenceAt } from '#test/stand-ins/plays.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { evening, STAFF, TOKEN } from './rollups/fixtures.ts';

let service: TestApp;
beforeEach(async () => {
  service = await testApp(STAFF);
  service.clock.now = evening('2026-11-20') + 3 * HOUR;
});
afterEach(() => service[Symbol.asyncDispose]());

const at = evening('2026-11-20');
const csv = (query = '') => service.get(`/api/admin/setlist.csv${query}`, TOKEN);
const HEAD = 'pub_day,played_at,local_time,artist,title,album,isrc,seconds_heard,play_id';

test('every play is a line, oldest first, and no spreadsheet finds a formula', async () => {
  await addPlays(service.ctx, [
    { artist: '=cmd|calc', title: 'Say "Hello", World', album: '+1', isrc: 'USRC17607839', started_at: at },
    { artist: 'Björk', title: 'Jóga', started_at: at + 4 * MINUTE },
    { artist: 'Björk', title: 'Jóga', started_at: at + 6 * MINUTE },
    silenceAt(at + 7 * MINUTE),
    { artist: 'Late', title: 'Song', started_at: at + 5 * HOUR },
  ]);
  const answer = await csv();

  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toBe(
    'attachment; filename="setlist-2026-10-21-to-2026-11-20.csv"',
  );
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.body).toBe(
    [
      `\ufeff${HEAD}`,
      `2026-11-20,2026-11-21T01:00:00.000Z,8:00 PM,'=cmd|calc,"Say ""Hello"", World",'+1,USRC17607839,240,1`,
      '2026-11-20,2026-11-21T01:04:00.000Z,8:04 PM,Björk,Jóga,,,180,2',
      '2026-11-20,2026-11-21T06:00:00.000Z,1:00 AM,Late,Song,,,180,5',
      '',
    ].join('\r\n'),
  );
});

test('hidden plays are included, as they were performed; the sound of films is not', async () => {
  await addPlays(service.ctx, [
    { artist: 'Rude', title: 'Song', started_at: at, hidden: 1 },
    { artist: 'Film', title: 'Score', started_at: at + 4 * MINUTE, kind: 'video' },
  ]);

  expect((await csv()).body).toMatch(/Rude,Song,,,240,1\r\n$/);
});

test('dates are pub days, both ends included', async () => {
  await addPlays(
    service.ctx,
    [17, 18, 19, 20].map((day) => ({
      artist: `Day ${day}`,
      title: 'Song',
      started_at: evening(`2026-11-${day}`),
    })),
  );
  const days = async (query: string) =>
    [...(await csv(query)).body.matchAll(/Day (\d+)/g)].map(([, day]) => day);

  expect(await days('?from=2026-11-18&to=2026-11-19')).toEqual(['18', '19']);
  expect(await days('?to=2026-11-18')).toEqual(['17', '18']);
  expect(await days('?from=2026-11-20')).toEqual(['20']);
  expect(await days('?from=2020-01-01&to=2020-02-01')).toEqual([]);
});

test.each([
  ['?from=yesterday', 'from'],
  ['?from=2026-02-30', 'from'],
  ['?to=20.11.2026', 'to'],
  ['?from=2026-11-20&to=2026-11-19', 'from'],
  ['?from=1990-01-01&to=2026-11-19', 'from'],
])('%s is refused', async (query, path) => {
  const answer = await csv(query);

  expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, path]);
});

test('a year is streamed while it is read', async () => {
  await addPlays(
    service.ctx,
    Array.from({ length: 360 }, (_, day) => ({ artist: 'A', title: `T${day}`, started_at: at - day * DAY })),
  );
  const answer = await csv('?from=2025-11-21&to=2026-11-20');

  expect(answer.headers['content-length']).toBeUndefined();
  expect(answer.body.trim().split('\r\n')).toHaveLength(361);
});
