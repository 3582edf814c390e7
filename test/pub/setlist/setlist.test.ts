import { expect, test } from 'vitest';
import { DAY, isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { NOON, type TestApp, testApp } from '#test/support/app.ts';

interface Page {
  items: { id: number; title: string; startedAt: string }[];
  nextBefore: string | null;
  limit: number;
}

test('the setlist has only public music, newest first', async () => {
  await using service = await testApp();
  await plays(service, [
    { title: 'late', started_at: NOON - MINUTE },
    { title: 'early', started_at: NOON - 9 * MINUTE, album: 'An album', source: 'program', confidence: 0.5 },
    { title: 'film', kind: 'video' },
    { title: 'hidden', hidden: 1 },
    { artist: '', title: '', silent: 1 },
    { title: 'asked for', started_at: NOON - 5 * MINUTE, request_id: 'r', duration_ms: 180_000 },
  ]);
  const { items, nextBefore, limit } = await page(service);

  expect({ nextBefore, limit }).toEqual({ nextBefore: null, limit: 100 });
  expect(items.map(({ title }) => title)).toEqual(['late', 'asked for', 'early']);
  expect(items[1]).toMatchObject({ requested: true, durationMs: 180_000 });
  expect(items[2]).toEqual({
    id: 2,
    startedAt: isoTime(NOON - 9 * MINUTE),
    artist: 'Artist',
    title: 'early',
    album: 'An album',
    albumArtUrl: '',
    isrc: '',
    source: 'program',
    confidence: 0.5,
    silent: false,
    durationMs: null,
  });
});

test('the size of a page is clamped to 1 to 500; if it is no number it is 100', async () => {
  await using service = await testApp();
  const sizes: [query: string, limit: number][] = [
    ['', 100],
    ['limit=', 100],
    ['limit=7', 7],
    ['limit=0', 1],
    ['limit=-3', 1],
    ['limit=501', 500],
    ['limit=99999999999999999999', 500],
    ['limit=ten', 100],
    ['limit=2.5', 100],
    ['limit=5&limit=6', 100],
  ];

  for (const [query, limit] of sizes)
    expect([query, (await page(service, query)).limit]).toEqual([query, limit]);
});

test('a cursor that is no time is refused', async () => {
  await using service = await testApp();

  for (const before of ['yesterday', '12', '2026-13-01T00:00:00Z', 'x&before=y']) {
    const answer = await service.get(`/api/now-playing/setlist?before=${before}`);
    expect([before, answer.statusCode, answer.json().errors[0].path]).toEqual([before, 400, 'before']);
  }
});

test('paging by the cursor gives every play once, also plays in the same millisecond', async () => {
  await using service = await testApp();
  const times = [9, 9, 8, 7, 7, 7, 7, 7, 6, 5, 5].map((minute) => NOON - minute * MINUTE);
  await plays(
    service,
    times.map((started_at, index) => ({ title: `${index}`, started_at })),
  );

  for (const limit of [1, 2, 3, 4, 5, 11]) {
    const seen: number[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 20; pages++) {
      const { items, nextBefore }: Page = await page(
        service,
        `limit=${limit}${cursor && `&before=${encodeURIComponent(cursor)}`}`,
      );
      seen.push(...items.map(({ id }) => id));
      cursor = nextBefore;
    }
    expect(seen).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  }
});

test('a plain time as cursor gives earlier plays, and a full last page is followed by an empty one', async () => {
  await using service = await testApp();
  await plays(
    service,
    [3, 2, 2, 1].map((minute) => ({ title: `${minute}`, started_at: NOON - minute * MINUTE })),
  );

  const earlier = await page(service, `before=${isoTime(NOON - 2 * MINUTE)}`);
  const full = await page(service, 'limit=4');
  const local = await page(service, 'before=2026-11-21T11:58:30');

  expect(earlier.items.map(({ title }) => title)).toEqual(['3']);
  expect(full.nextBefore).toBe(isoTime(NOON - 3 * MINUTE));
  expect(await page(service, `before=${full.nextBefore}`)).toMatchObject({ items: [], nextBefore: null });
  expect(local.items.map(({ title }) => title)).toEqual(['2', '2', '3']);
});

test('the snapshot is the current track, or null', async () => {
  await using service = await testApp();
  const snapshot = async () => (await service.get('/api/now-playing/snapshot')).json().track?.title ?? null;
  const seen: unknown[] = [await snapshot()];
  const add = async (play: object) => {
    service.clock.now += MINUTE;
    await plays(service, [{ started_at: service.clock.now, ...play }]);
    seen.push(await snapshot());
  };
  await add({ title: 'one' });
  await add({ artist: '', title: '', silent: 1 });
  await add({ title: 'two' });
  await add({ title: 'film', kind: 'video' });
  await add({ title: 'three' });
  await add({ title: 'hidden', hidden: 1 });
  await add({ title: 'four' });
  await add({ title: 'late report', started_at: NOON });
  service.clock.now += 9 * MINUTE;
  seen.push(await snapshot());
  service.clock.now += 1;
  seen.push(await snapshot());

  expect(seen).toEqual([null, 'one', null, 'two', null, 'three', null, 'four', 'four', 'four', null]);
  expect((await service.get('/api/now-playing/snapshot')).headers['cache-control']).toBe('no-store');
});

async function page(service: TestApp, query = ''): Promise<Page> {
  const answer = await service.get(`/api/now-playing/setlist?${query}`);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

async function plays(service: TestApp, rows: object[]): Promise<void> {
  const filled = rows.map((row) => ({
    artist: 'Artist',
    title: 'Title',
    started_at: NOON - 2 * MINUTE,
    ...row,
  }));
  for (const row of filled) await service.ctx.write((tx) => tx.run(build.insertInto('plays').values(row)));
}

test('plays stored while the clock was a day ahead do not hide the current track once it is right', async () => {
  await using service = await testApp();
  const ingest = (title: string) => service.post('/api/now-playing/ingest', { artist: 'Artist', title });
  service.clock.now += DAY;
  await ingest('Tomorrow’s');
  service.clock.now -= DAY;
  await ingest('Today’s');

  expect((await service.get('/api/now-playing/snapshot')).json().track.title).toBe('Today’s');
});
