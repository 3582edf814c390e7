// How often a screen showed an announcement, as its heartbeats tell.
import { expect, test } from 'vitest';
import { DAY } from '#kernel/clock.ts';
import { deleteOldShown } from '#pub/devices/shown.ts';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openTv, pair } from './pairing-steps.ts';

test('screens count how often each announcement was shown; its history says so, by version', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const [bar, snug] = [await openTv(service), await openTv(service)];
  await pair(service, tom, bar, { name: 'Bar' });
  await pair(service, tom, snug, { name: 'Snug' });
  const id = await eve.publish('announcement', { title: 'The roof is done' });
  const { slides } = (await service.get('/api/events')).json();
  const { id: slide } = slides.find(({ title }: { title: string }) => title === 'The roof is done');
  const shown = async () => (await eve.read(`announcement/${id}`)).shown;
  expect(await shown()).toBeUndefined();

  await bar.beat({ shown: { '2026-11-20': { [slide]: 3 }, '2026-11-21': { [slide]: 40 } } });
  await bar.beat({ shown: { '2026-11-21': { [slide]: 2 } } });
  await snug.beat({ shown: { '2026-11-21': { [slide]: 7 } } });
  const counts = [
    { day: '2026-11-20', screen: 'Bar', times: 3 },
    { day: '2026-11-21', screen: 'Bar', times: 42 },
    { day: '2026-11-21', screen: 'Snug', times: 7 },
  ];
  expect(await shown()).toEqual(counts);
  // Days to come, days too long ago and what cannot be read count as nothing; the heartbeat is heard all the same.
  for (const wrong of [
    { '2026-11-22': { [slide]: 1 } },
    { '2026-11-01': { [slide]: 1 } },
    { '2026-11-21': { [slide]: -1 } },
    { '2026-11-21': { 'tender-1': 1 } },
    'all of them',
  ])
    expect((await bar.beat({ shown: wrong })).statusCode).toBe(200);
  // Anybody can report under a name.
  const named = { screen: 'Attic', page: 'tv', version: 'v', uptime_s: 1, viewport: '1x1' };
  await service.post('/api/screens/heartbeat', { ...named, shown: { '2026-11-21': { [slide]: 9 } } });
  expect(await shown()).toEqual(counts);

  service.clock.now += 2 * DAY;
  const { version } = await eve.read(`announcement/${id}`);
  await eve.patch(`announcement/${id}`, { version, body: { title: 'The roof is dry' }, publish: true });
  await bar.beat({ shown: { '2026-11-23': { [slide]: 5 } } });
  const page = await service.get(`/admin/content/announcement/${id}/history`, {
    ...eve.headers,
    accept: 'text/html',
  });
  expect(page.body.match(/\d+ times: [^<]*/g)).toEqual(['5 times: Bar 5', '49 times: Bar 42, Snug 7']);

  service.clock.now += 89 * DAY;
  await deleteOldShown(service.ctx);
  expect(await shown()).toEqual([{ day: '2026-11-23', screen: 'Bar', times: 5 }]);
});
