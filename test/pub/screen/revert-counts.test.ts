import { expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { ScreeningRecord } from '#pub/screen/screenings.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { STAFF, screenHouse } from './house.ts';

test('the songs of a reverted film are counted with the evening that they were heard on', async () => {
  await using house = await screenHouse();
  const hear = (title: string) => house.post('/api/now-playing/ingest', { artist: 'The Band', title });
  const counted = async () => {
    await refreshRollups(house.ctx);
    const nights = house.ctx.db.all(build.selectFrom('rollup_nights').select('plays'));
    return nights.map((night) => night.plays);
  };
  await hear('Before');
  await house.post('/api/admin/now-showing', { mode: 'movie' }, STAFF);
  for (const title of ['Theme', 'Credits']) {
    house.clock.now += 30 * MINUTE;
    await hear(title);
  }
  await house.post('/api/admin/now-showing', { mode: 'off' }, STAFF);
  expect(await counted()).toEqual([1]);

  const { screenings } = (await house.get('/api/admin/screenings', STAFF)).json<{
    screenings: ScreeningRecord[];
  }>();
  await house.post(`/api/admin/screenings/${screenings[0]?.id}/revert`, undefined, STAFF);

  expect(await counted()).toEqual([3]);
});
