import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { addPlays } from '#test/stand-ins/plays.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { phone } from '#test/support/people/patrons.ts';

const STAFF = { 'x-admin-token': 'a token for the staff' };
const open = () => testApp({ PUB_ADMIN_TOKEN: STAFF['x-admin-token'], SETLIST_REQUESTS_ENABLED: 'on' });
const CODE = 'USRC17607839';
const OTHER = 'GBAYE0601498';
const SONG = { artist: 'David Bowie', title: 'Heroes' };

interface Report {
  artist: string;
  title: string;
  isrc?: string;
  at: number;
}

const hear = async (service: TestApp, { at, ...track }: Report): Promise<number> =>
  (await service.post('/api/now-playing/ingest', { ...track, started_at: isoTime(at) })).json().id;
const keys = ({ ctx }: TestApp) =>
  ctx.db
    .all(build.selectFrom('plays').select(['artist', 'title', 'isrc', 'track_key']).orderBy('started_at'))
    .map(({ track_key }) => track_key);
/** How often each song was played, by its key. */
async function counts(service: TestApp): Promise<Record<string, number>> {
  await refreshRollups(service.ctx);
  const totals = build
    .selectFrom('rollup_counts')
    .select(({ fn }) => ['key', fn.sum<number>('plays').as('plays')])
    .where('kind', '=', 'song')
    .groupBy('key');
  return Object.fromEntries(service.ctx.db.all(totals).map(({ key, plays }) => [key, plays]));
}

test('plays without a recording code get that of their artist and title, earlier plays too', async () => {
  await using service = await open();
  const at = service.clock.now - 3 * DAY;
  await hear(service, { ...SONG, at });
  expect(await counts(service)).toEqual({ 'david bowie\u001fheroes': 1 });
  await hear(service, { ...SONG, title: 'Heroes - 2017 Remaster', isrc: CODE, at: at + DAY });
  await hear(service, { artist: 'DAVID BOWIE', title: '“Heroes”', at: at + 2 * DAY });

  expect(keys(service)).toEqual([CODE, CODE, CODE]);
  expect(await counts(service)).toEqual({ [CODE]: 3 });
  const found = (await phone(service).get('/api/setlist/track-suggest?q=heroes')).json();
  expect(found.items).toMatchObject([{ key: CODE, plays: 3 }]);
  const report = await service.get(
    `/api/admin/setlist.csv?from=${isoTime(at).slice(0, 10)}&to=${isoTime(at + 2 * DAY).slice(0, 10)}`,
    STAFF,
  );
  expect(report.body.split(CODE)).toHaveLength(4);
});

test.each([
  ['none', ''],
  ['another code', OTHER],
])('a song is new here only once, also if its earlier plays have %s', async (_, isrc) => {
  await using service = await open();
  const at = service.clock.now - HOUR;
  await hear(service, { ...SONG, isrc, at: at - 30 * DAY });
  await hear(service, { ...SONG, isrc: CODE, at });
  await hear(service, { artist: 'Can', title: 'Vitamin C', at: at + 10 * MINUTE });
  await refreshRollups(service.ctx);

  const { data } = (await service.get('/api/setlist/tonight')).json();
  expect(data.newHere).toMatchObject([{ title: 'Vitamin C' }]);
});

test('different codes are different songs; plays without one join the first, and the search merges them', async () => {
  await using service = await open();
  const at = service.clock.now - 9 * DAY;
  await hear(service, { ...SONG, isrc: OTHER, at: at + DAY });
  await hear(service, { ...SONG, at: at + 2 * DAY });
  expect(keys(service)).toEqual([OTHER, OTHER]);
  // It is reported late, and was heard before the other.
  await hear(service, { ...SONG, isrc: CODE, at });

  expect(keys(service)).toEqual([CODE, OTHER, CODE]);
  const found = (await phone(service).get('/api/setlist/track-suggest?q=heroes')).json();
  expect(found.items).toMatchObject([{ key: CODE, plays: 3, lastPlayedAt: isoTime(at + 2 * DAY) }]);
});

test('correcting a play removes its code from the wrong name', async () => {
  await using service = await open();
  const at = service.clock.now - DAY;
  await hear(service, { ...SONG, at });
  const wrong = await hear(service, { ...SONG, isrc: CODE, at: at + HOUR });
  await hear(service, { ...SONG, isrc: OTHER, at: at + 2 * HOUR });
  expect(keys(service)).toEqual([CODE, CODE, OTHER]);

  await service.post(`/api/admin/plays/${wrong}`, { artist: 'Can', title: 'Vitamin C' }, STAFF);

  expect(keys(service)).toEqual([OTHER, 'can\u001fvitamin c', OTHER]);
});

test('a hidden name hides its recording under other names too', async () => {
  await using service = await open();
  const at = service.clock.now - DAY;
  await hear(service, { ...SONG, isrc: CODE, at });
  await hear(service, { artist: 'D. Bowie', title: 'Heroes (Single)', isrc: CODE, at: at + HOUR });
  await service.post('/api/admin/hidden-names', SONG, STAFF);
  await hear(service, { artist: 'D. Bowie', title: 'Heroes (Single)', at: at + 2 * HOUR });
  await hear(service, { artist: 'D. Bowie', title: 'Heroes (Live)', at: at + 3 * HOUR });

  const hidden = service.ctx.db.all(build.selectFrom('plays').select('hidden').orderBy('started_at'));
  expect(hidden.map((play) => play.hidden)).toEqual([1, 1, 1, 0]);
});

test('a request by the key from before the recording code is fulfilled by the recording', async () => {
  await using service = await open();
  const at = service.clock.now - DAY;
  await hear(service, { ...SONG, at });
  const old = keys(service)[0];
  await hear(service, { ...SONG, isrc: CODE, at: at + HOUR });
  const asked = await phone(service).post('/api/setlist/request', { key: old });
  expect(asked.statusCode).toBe(200);

  service.clock.now += MINUTE;
  await hear(service, { ...SONG, isrc: CODE, at: service.clock.now });
  const row = service.ctx.db.first(build.selectFrom('song_requests').select(['status', 'track_key']));
  expect(row).toEqual({ status: 'played', track_key: CODE });
});

test('a database of an older version is repaired by the next count', async () => {
  await using service = await open();
  const at = service.clock.now - 9 * DAY;
  await addPlays(service.ctx, [
    { ...SONG, started_at: at },
    { ...SONG, title: 'Heroes (Remastered)', isrc: OTHER, started_at: at + 2 * DAY },
    { ...SONG, isrc: CODE, started_at: at + DAY },
    { ...SONG, artist: 'Another', started_at: at + 3 * DAY },
  ]);
  await service.ctx.write((tx) => tx.run(build.updateTable('rollup_state').set({ version: 1 })));
  await refreshRollups(service.ctx);

  expect(keys(service)).toEqual([CODE, CODE, OTHER, 'another\u001fheroes']);
  expect(await counts(service)).toEqual({ [CODE]: 2, [OTHER]: 1, 'another\u001fheroes': 1 });
});

const report = fc.record({
  artist: fc.constantFrom('Bowie', 'BOWIE', 'Iggy'),
  title: fc.constantFrom('Heroes', 'Heroes (Remastered)', 'Heroes - Live', 'Fame'),
  isrc: fc.constantFrom('', '', CODE, OTHER, 'FRZ039800212', 'unknown'),
});

test('the order in which plays are reported does not change keys and counts', async () => {
  await using service = await open();
  const start = service.clock.now - 60 * DAY;
  await fc.assert(
    fc.asyncProperty(
      fc.array(report, { minLength: 2, maxLength: 12 }).chain((reports) =>
        fc.record({
          reports: fc.constant(reports.map((one, index) => ({ ...one, at: start + index * 7 * HOUR }))),
          order: fc.shuffledSubarray([...reports.keys()], { minLength: reports.length }),
          counted: fc.nat(reports.length - 1),
        }),
      ),
      async ({ reports, order, counted }) => {
        const results = [];
        for (const one of [[...reports.keys()], order]) {
          await service.ctx.write((tx) => {
            for (const table of ['plays', 'song_codes'] as const) tx.run(build.deleteFrom(table));
            tx.run(build.updateTable('rollup_state').set({ version: 0, max_play_id: 0, settled: 0 }));
          });
          for (const [index, nth] of one.entries()) {
            await hear(service, reports[nth]!);
            // One count in between: plays that are moved later must be counted again.
            if (index === counted) await refreshRollups(service.ctx);
          }
          results.push([keys(service), await counts(service)]);
        }
        expect(results[1]).toEqual(results[0]);
      },
    ),
    { numRuns: 20 },
  );
});
