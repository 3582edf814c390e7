import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, formatted } from '#kernel/language/words.ts';
import type { Story } from '#pub/setlist/rollups/stories.ts';
import { fitText, formatHour } from '#pub/setlist/rollups/story-format.ts';
import { addPlays, type PlayRow } from '#test/stand-ins/plays.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { evening, play, surface } from './fixtures.ts';

let service: TestApp;
beforeEach(async () => {
  service = await testApp();
  service.clock.now = evening('2026-11-20') + 4 * HOUR;
});
afterEach(() => service[Symbol.asyncDispose]());

const TONIGHT = evening('2026-11-20');
const listStories = async (): Promise<Story[]> => (await surface(service, 'stories')).data.items;

/** Songs of one evening, four minutes each. */
function songs(start: number, many: number, song: Partial<PlayRow> = {}): PlayRow[] {
  return Array.from({ length: many }, (_, index) => ({
    artist: 'House band',
    title: `Song ${index}`,
    started_at: start + index * 4 * MINUTE,
    ...song,
  }));
}

test('an evening with an occasion for every kind gives one story of each, the best first', async () => {
  await service.ctx.write((tx) =>
    tx.run(
      build.insertInto('song_requests').values({
        id: 'asked',
        track_key: 'k',
        name_key: 'k',
        artist: 'A',
        title: 'T',
        votes: 7,
        pub_day: '2026-11-20',
        browser_hash: '',
        client_hash: '',
        created_at: 0,
      }),
    ),
  );
  await addPlays(service.ctx, [
    { artist: 'Long Gone', title: 'Old Song', started_at: TONIGHT - 200 * DAY },
    ...[1, 2, 3, 4].flatMap((days) => songs(TONIGHT - days * DAY, 20)),
    ...songs(TONIGHT, 21),
    { artist: 'Long Gone', title: 'Old Song', started_at: TONIGHT + 85 * MINUTE },
    { artist: 'New Face', title: 'Debut', started_at: TONIGHT + 90 * MINUTE },
    {
      artist: 'House band',
      title: 'Song 1',
      started_at: TONIGHT + 2.5 * HOUR,
      request_id: 'asked',
      album_art_url: 'https://art.example/1.jpg',
    },
    ...songs(TONIGHT + 3 * HOUR, 7, { artist: 'Drummers', genre: 'house' }),
  ]);
  const items = await listStories();

  expect(items.map(({ kind, headline, metric }) => [kind, headline, metric.value])).toEqual([
    ['record', 'A record evening: 31 songs', 31],
    ['request', 'Somebody asked for Song 1', 7],
    ['debut', 'First time here: Drummers', 7],
    ['milestone', 'House band: 100th play', 100],
    ['streak', '5 nights in a row: Song 0', 5],
    ['comeback', 'Old Song is back', 200],
    ['takeover', 'House took over at 11 pm', 100],
    ['silence', 'Song 1 broke the silence', 50],
  ]);
  expect(items[1]).toMatchObject({
    body: 'House band: 7 votes, the most of any request played.',
    artUrl: expect.stringMatching(/^\/api\/art\/\d+$/),
    pubDay: '2026-11-20',
    durationMs: 8_000,
    expiresAt: '2026-11-22T10:00:00.000Z',
  });
});

test('an ordinary first evening gives no story', async () => {
  await play(service, 'Björk – Jóga', 'Kino – Gruppa krovi');

  expect(await listStories()).toEqual([]);
});

test('a story has the same id in every run', async () => {
  await addPlays(service.ctx, songs(TONIGHT - DAY, 3));
  await addPlays(service.ctx, [{ artist: 'New Face', title: 'Debut', started_at: TONIGHT }]);
  const [before] = await listStories();
  service.clock.now += MINUTE;
  await play(service, 'House band – Song 1');
  const after = (await listStories()).find(({ kind }) => kind === 'debut');

  expect(before).toMatchObject({ kind: 'debut', id: expect.stringMatching(/^[0-9a-f]{12}$/) });
  expect(after!.id).toBe(before!.id);
});

test('names of any length fit into a story', async () => {
  const name = '👩‍🚀 Zażółć gęślą jaźń '.repeat(12).trim();
  await addPlays(service.ctx, [
    ...songs(TONIGHT - 120 * DAY, 1, { artist: name, title: name }),
    ...songs(TONIGHT - DAY, 2),
    ...songs(TONIGHT, 1, { artist: name, title: name }),
    ...songs(TONIGHT + HOUR, 1, { artist: `${name} too`, title: name }),
  ]);
  const items = await listStories();

  expect(items.length).toBeGreaterThan(1);
  for (const { headline, body } of items) {
    expect(headline.length).toBeLessThanOrEqual(60);
    expect(body.length).toBeLessThanOrEqual(140);
    expect(headline.isWellFormed() && body.isWellFormed()).toBe(true);
  }
});

test('names are cut between letters, and numbers and hours are formatted', () => {
  const now = (name: string) => formatted(() => `Now: ${name}!`);
  expect(fitText(20, 'Short', now)).toBe('Now: Short!');
  expect(fitText(12, 'Long name', now)).toBe('Now: Long…!');
  expect(fitText(9, '👩‍🚀👩‍🚀👩‍🚀', (name) => formatted(() => name))).toBe('👩‍🚀…');
  const plays = [1, 2, 3, 11, 100, 1_001].map((play) => t('pub.story.milestone', { name: 'Africa', play }));
  expect(plays.map((words) => words.for(ENGLISH))).toEqual(
    ['1st', '2nd', '3rd', '11th', '100th', '1,001st'].map((play) => `Africa: ${play} play`),
  );
  expect([0, 1, 12, 23].map((hour) => formatHour(hour).for(ENGLISH))).toEqual([
    'midnight',
    '1 am',
    'noon',
    '11 pm',
  ]);
});
