import { expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { ScreeningRecord } from '#pub/screen/screenings.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { STAFF, screenService } from './screen-service.ts';

test('the songs of a reverted film are counted with the evening that they were heard on', async () => {
  await using service = await screenService();
  const hear = (title: string) => service.post('/api/now-playing/ingest', { artist: 'The Band', title });
  const counted = async () => {
    await refreshRollups(service.ctx);
    const nights = service.ctx.db.all(build.selectFrom('rollup_nights').select('plays'));
    return nights.map((night) => night.plays);
  };
  await hear('Before');
  await service.post('/api/admin/now-showing', { mode: 'movie' }, STAFF);
  for (const title of ['Theme', 'Credits']) {
    service.clock.now += 30 * MINUTE;
    await hear(title);
  }
  await service.post('/api/admin/now-showing', { mode: 'off' }, STAFF);
  expect(await counted()).toEqual([1]);

  const { screenings } = (await service.get('/api/admin/screenings', STAFF)).json<{
    screenings: ScreeningRecord[];
  }>();
  await service.post(`/api/admin/screenings/${screenings[0]?.id}/revert`, undefined, STAFF);

  expect(await counted()).toEqual([3]);
});
