import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { ThrottledClient } from '#kernel/throttled-client.ts';
import { genreLookup } from '#pub/now-playing/genre.ts';
import { matchGenre } from '#pub/now-playing/genre-names.ts';
import { type Answer, type JsonServer, jsonServer } from '#test/stand-ins/json-server.ts';
import { testApp } from '#test/support/app.ts';
import { holdTimeouts } from '#test/support/request-timeouts.ts';

const RECORDING = '11111111-1111-4111-8111-111111111111';
const ARTIST = '22222222-2222-4222-8222-222222222222';
const SONG = { artist: 'Toots', title: 'Pressure "Drop"' };
const credit = [{ name: 'Toots', artist: { id: ARTIST, name: 'Toots & the Maytals' } }];
const recording = { id: RECORDING, title: 'Pressure “Drop”', 'artist-credit': credit };
const genres = (...names: string[]) => ({
  genres: names.map((name, index) => ({ name, count: 10 - index })),
});

/** A source that finds the song only by ISRC or only by search, with these genres. */
const knowing =
  (way: 'isrc' | 'search', ofSong: object, ofArtist: object = { genres: [] }) =>
  (path: string): Answer | undefined => {
    if (path.startsWith('/isrc/') && way === 'isrc') return { json: { recordings: [recording] } };
    if (path === '/recording') return { json: { recordings: way === 'search' ? [recording] : [] } };
    if (path === `/recording/${RECORDING}`) return { json: { ...ofSong, 'artist-credit': credit } };
    if (path === `/artist/${ARTIST}`) return { json: ofArtist };
    return undefined;
  };

test('finds the recording by its code, and sets its genre for every play of the song', async () => {
  await using pub = await setUp(knowing('isrc', genres('ska', 'rocksteady', 'rock')), {
    isrc: 'GBAAM7600001',
  });
  await pub.lookUp();

  expect(await pub.genres()).toEqual(['reggae']);
  expect(pub.source.requests.map(({ path }) => path)).toEqual([
    '/isrc/GBAAM7600001',
    `/recording/${RECORDING}`,
  ]);
  expect(pub.source.requests[1]?.query.get('inc')).toBe('genres artist-credits');
  expect(pub.source.requests[0]?.headers['user-agent']).toMatch(/^PublicHouse\/\d/);
  expect((await pub.service.get('/api/now-playing/snapshot')).json().track.genre).toBe('reggae');

  pub.service.clock.now += MINUTE;
  await pub.play();
  await pub.lookUp();
  expect(await pub.genres()).toEqual(['reggae', 'reggae']);
  expect(pub.source.requests).toHaveLength(2);
});

test('else searches by artist and title, and takes the artist’s genre if the recording has none', async () => {
  await using pub = await setUp(knowing('search', genres('music'), genres('Jamaican ska')));
  await pub.lookUp();

  expect(await pub.genres()).toEqual(['reggae']);
  expect(pub.source.requests[0]?.query.get('query')).toBe(
    'recording:"Pressure \\"Drop\\"" AND artist:"Toots"',
  );
  expect(pub.source.requests.at(-1)?.path).toBe(`/artist/${ARTIST}`);
});

test('a recording by another artist gives no genre; the song is looked up again the next day', async () => {
  const other = { ...recording, 'artist-credit': [{ name: 'Toto', artist: { id: ARTIST, name: 'Toto' } }] };
  await using pub = await setUp((path) =>
    path === '/recording'
      ? { json: { recordings: [other, { id: '../admin', title: SONG.title }] } }
      : undefined,
  );
  await pub.lookUp();
  await pub.lookUp();
  expect(pub.source.requests).toHaveLength(1);
  expect(await pub.genres()).toEqual([null]);

  pub.service.clock.now += DAY;
  await pub.play();
  pub.source.answer = knowing('search', genres('soul'));
  await pub.lookUp();
  expect(await pub.genres()).toEqual(['soul', 'soul']);
});

test('a failed request is retried after 10 minutes', async () => {
  const failures: [what: string, answer: Answer][] = [
    ['an error', { status: 500 }],
    ['garbage', 'garbage'],
    ['another shape', { json: { recordings: 'none' } }],
    ['a cut line', 'drop'],
    ['silence', 'hang'],
  ];
  const endTimeouts = holdTimeouts();
  await using pub = await setUp(() => undefined);

  for (const [what, answer] of failures) {
    const before = pub.source.requests.length;
    pub.source.answer = () => {
      if (answer === 'hang') setImmediate(endTimeouts);
      return answer;
    };
    await pub.lookUp();
    pub.service.clock.now += 10 * MINUTE - 1;
    await pub.lookUp();
    expect([what, pub.source.requests.length - before]).toEqual([what, 1]);
    pub.service.clock.now += 1;
  }
  pub.source.answer = knowing('search', genres('soul'));
  await pub.lookUp();
  expect(await pub.genres()).toEqual(['soul']);
});

test('after a Retry-After no song is looked up before that time; the newest comes first', async () => {
  await using pub = await setUp(() => ({ status: 503, headers: { 'retry-after': '30' } }));
  await pub.lookUp();
  pub.service.clock.now += 29_000;
  await pub.service.post('/api/now-playing/ingest', { artist: 'New', title: 'Song' });
  await pub.lookUp();
  expect(pub.source.requests).toHaveLength(1);

  pub.service.clock.now += 1_000;
  await pub.lookUp();
  expect(pub.source.requests[1]?.query.get('query')).toContain('"New"');
});

test('requests to the source are spaced', async () => {
  await using source = await jsonServer(knowing('search', genres('soul')));
  await using service = await testApp({ GENRE_API_URL: source.url });
  await service.post('/api/now-playing/ingest', SONG);
  await genreLookup(service.ctx, new ThrottledClient(service.ctx, { spacingMs: 60 }))();

  const [first, second] = source.requests;
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(58);
});

test('plays older than a day are not looked up', async () => {
  await using pub = await setUp(() => ({ status: 500 }));
  pub.service.clock.now += 25 * HOUR;
  await pub.lookUp();

  expect(pub.source.requests).toEqual([]);
});

test.each<[tags: [string, number][], genre: string | null]>([
  [
    [
      ['rock', 5],
      ['pop rock', 2],
    ],
    'rock',
  ],
  [[['trip hop', 3]], 'electronic'],
  [
    [
      ['Alternative Hip Hop', 3],
      ['rock', 1],
    ],
    'hip hop',
  ],
  [[['contemporary r&b', 2]], 'r&b'],
  [[['dubstep', 1]], 'house'],
  [[['garage rock', 1]], 'rock'],
  [
    [
      ['ska', 2],
      ['punk', 2],
    ],
    null,
  ],
  [
    [
      ['ska', 2],
      ['dub', 1],
      ['punk', 2],
    ],
    'reggae',
  ],
  [
    [
      ['seen live', 50],
      ['british', 9],
    ],
    null,
  ],
  [[['soul', -5]], null],
  [[], null],
])('%j is %s', (tags, genre) => {
  expect(matchGenre(tags.map(([name, count]) => ({ name, count })))).toBe(genre);
});

/** A service that plays SONG, and a source of genres. */
async function setUp(answer: JsonServer['answer'], more: object = {}) {
  const source = await jsonServer(answer);
  const service = await testApp({ GENRE_API_URL: source.url });
  const run = genreLookup(service.ctx, new ThrottledClient(service.ctx, { spacingMs: 0 }));
  const play = () => service.post('/api/now-playing/ingest', { ...SONG, ...more });
  await play();
  return {
    service,
    source,
    play,
    lookUp: () => run(),
    genres: async () =>
      service.ctx.db.all(build.selectFrom('plays').select('genre').orderBy('id')).map(({ genre }) => genre),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await source[Symbol.asyncDispose]();
    },
  };
}
