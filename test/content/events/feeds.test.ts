import { expect, test } from 'vitest';
import { refreshFeed } from '#calendar/feed/feed.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { readWithIcalJs, readWithNodeIcal } from '#test/calendar/feed/readers.ts';
import { mintFeed } from '#test/calendar/fixtures.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { startPub } from '#test/support/pub-service.ts';

/** Today is Saturday, November 21. */
const TONIGHT = { title: 'Quiz night', place: 'Pub', date: '2026-11-21', time: '20:00', end_time: '23:00' };
const WEEKLY = { ...TONIGHT, rule: 'FREQ=WEEKLY', until: '2026-12-12' };

const env = { BASE_URL: 'https://club.example' };
const feedOf = async (service: TestApp): Promise<EventsFeed> =>
  (await service.get('/api/events?window=30')).json();

async function calendarOf(service: TestApp) {
  const url = await mintFeed(service);
  /** With `parsed: false` other programs do not read the file, which takes long if it is large. */
  const read = async ({ parsed = true } = {}) => {
    await refreshFeed(service.calendarContext);
    const { body } = await service.get(url);
    if (parsed) expect(readWithNodeIcal(body)).toEqual(readWithIcalJs(body));
    return { body, uids: [...body.matchAll(/^UID:(.*)@publichouse/gm)].map(([, uid]) => uid) };
  };
  return { read };
}

test('a published event is on the screens at once, with its later dates in the week list', async () => {
  await using service = await testApp(env);
  const eve = await editorAt(service);

  const id = await eve.publish('event', { ...WEEKLY, tag: 'rc-direct' });

  const feed = await feedOf(service);
  expect(feed).toMatchObject({
    source: 'workspace',
    todayEvents: [
      {
        title: 'Quiz night',
        start: '8:00 PM',
        end: '11:00 PM',
        rcTag: 'rc-direct',
        allDay: false,
        startIso: '2026-11-22T01:00:00.000Z',
      },
    ],
    weekEvents: [{ date: 'Sat, Nov 28' }, { date: 'Sat, Dec 5' }, { date: 'Sat, Dec 12' }],
  });
  expect(feed.todayEvents[0]).not.toHaveProperty('cancelled');
  expect((await service.get('/events')).body).toContain('Quiz night');
  await eve.post(`event/${id}/remove`);
  expect(await feedOf(service)).toMatchObject({ todayEvents: [], weekEvents: [] });
});

test('a draft does not change the feeds', async () => {
  await using service = await testApp(env);
  const eve = await editorAt(service);
  const calendar = await calendarOf(service);
  const id = await eve.publish('event', WEEKLY);
  const before = [(await service.get('/api/events')).body, (await calendar.read()).body];

  await eve.patch(`event/${id}`, { version: 1, body: { title: 'Big quiz' } });
  await eve.post(`event/${id}/dates/2026-11-28`, { version: 2, scope: 'this', as: 'skipped' });

  expect([(await service.get('/api/events')).body, (await calendar.read()).body]).toEqual(before);
});

test('a series continues as days pass', async () => {
  await using service = await testApp(env);
  const eve = await editorAt(service);
  await eve.publish('event', { ...WEEKLY, until: null });
  service.clock.now += 70 * DAY;

  expect((await feedOf(service)).todayEvents).toMatchObject([{ title: 'Quiz night' }]);
});

test('a skipped date is removed; a cancelled one is shown as such, and stays in the calendar for 30 days', async () => {
  await using service = await testApp(env);
  const eve = await editorAt(service);
  const calendar = await calendarOf(service);
  const id = await eve.publish('event', WEEKLY);
  const before = await calendar.read();
  const order = (date: string, as: string, version: number) =>
    eve.post(`event/${id}/dates/${date}`, { version, scope: 'this', as, publish: true });
  service.clock.now += MINUTE;

  await order('2026-11-21', 'cancelled', 1);
  await order('2026-11-28', 'skipped', 2);

  expect(await feedOf(service)).toMatchObject({
    todayEvents: [{ title: 'Cancelled: Quiz night', cancelled: true }],
    weekEvents: [{ date: 'Sat, Dec 5' }, { date: 'Sat, Dec 12' }],
  });
  const after = await calendar.read();
  expect(before.uids).toEqual(
    ['20261121', '20261128', '20261205', '20261212'].map((date) => `${id}-${date}`),
  );
  expect(after.uids).toEqual(['20261121', '20261205', '20261212'].map((date) => `${id}-${date}`));
  const [was, is] = [before, after].map(({ body }) => body.split('BEGIN:VEVENT')[1]!);
  expect(is).toContain('STATUS:CANCELLED');
  expect(sequence(is!)).toBe(sequence(was!) + 60);
  expect(after.body.split('BEGIN:VEVENT')[2]).toBe(before.body.split('BEGIN:VEVENT')[3]);
  service.clock.now += 31 * DAY;
  expect((await calendar.read()).uids).not.toContain(`${id}-20261121`);
});

test('UIDs stay the same when all times of a series change, when that is undone, and when it is split', async () => {
  await using service = await testApp(env);
  const eve = await editorAt(service);
  const calendar = await calendarOf(service);
  const id = await eve.publish('event', WEEKLY);
  const { uids, body } = await calendar.read();

  service.clock.now += MINUTE;
  await eve.patch(`event/${id}`, { version: 1, body: { time: '19:00' }, publish: true });
  const changed = await calendar.read();
  service.clock.now += MINUTE;
  await eve.post(`event/${id}/undo`, { version: 2 });
  const undone = await calendar.read();
  service.clock.now += MINUTE;
  const order = { version: 3, scope: 'following', title: 'Quiz', publish: true };
  await eve.post(`event/${id}/dates/2026-12-05`, order);
  const split = await calendar.read();

  expect([changed.uids, undone.uids, split.uids]).toEqual([uids, uids, uids]);
  expect([body, changed.body, undone.body].map(sequence)).toEqual(
    [0, 60, 120].map((seconds) => sequence(body) + seconds),
  );
  expect(split.body).toContain('SUMMARY:Quiz\r\n');
});

test('a removed event disappears at once, and is the same after being restored', async () => {
  await using service = await testApp(env);
  const eve = await editorAt(service);
  const calendar = await calendarOf(service);
  const id = await eve.publish('event', WEEKLY);
  const before = await calendar.read();

  await eve.post(`event/${id}/remove`);
  expect([(await feedOf(service)).todayEvents, (await calendar.read()).uids]).toEqual([[], []]);
  service.clock.now += MINUTE;
  await eve.post(`event/${id}/restore`);

  expect((await feedOf(service)).todayEvents).toMatchObject([{ title: 'Quiz night' }]);
  expect((await calendar.read()).body).toBe(before.body);
});

test('after a restart in another time zone an event keeps its own zone and local time', async () => {
  await using pub = await startPub({}, {}, { durable: true });
  const eve = await editorAt(pub.service);
  await eve.publish('event', WEEKLY);
  const startOf = async (service: TestApp) => (await feedOf(service)).todayEvents[0];
  expect(await startOf(pub.service)).toMatchObject({
    start: '8:00 PM',
    startIso: '2026-11-22T01:00:00.000Z',
  });

  const moved = await pub.restart({ TIME_ZONE: 'America/Chicago' });

  expect(await startOf(moved)).toMatchObject({ start: '7:00 PM', startIso: '2026-11-22T01:00:00.000Z' });
});

test('checkboxes decide where an event is shown; a single event has its own UID', async () => {
  await using service = await testApp(env);
  const eve = await editorAt(service);
  const calendar = await calendarOf(service);
  const id = await eve.publish('event', { ...TONIGHT, in_pub: false });
  await eve.publish('event', { ...TONIGHT, title: 'Darts', in_calendar: false });
  await eve.publish('event', { ...TONIGHT, title: 'Talk', place: 'Library', in_calendar: false });

  expect((await feedOf(service)).todayEvents).toMatchObject([{ title: 'Darts' }, { title: 'Talk' }]);
  expect((await calendar.read()).uids).toEqual([id]);
  expect((await service.get('/programme')).body).toContain('Quiz night');
});

test('six daily series give a calendar that stays within the limits', async () => {
  await using service = await testApp(env);
  const eve = await editorAt(service);
  const calendar = await calendarOf(service);
  for (let i = 0; i < 6; i += 1)
    await eve.publish('event', { ...TONIGHT, title: `Series ${i}`, rule: 'FREQ=DAILY', until: null });

  const { body, uids } = await calendar.read({ parsed: false });

  const manager = await appoint(service, 'mia@club.example', 'manager');
  const page = await service.get('/admin/calendar', { ...manager, accept: 'text/html' });
  expect(page.body).toMatch(/Events that repeat are in the calendar for the next 1\d\d days\. More dates/);
  expect(uids.length).toBeGreaterThan(850);
  expect(uids.length).toBeLessThanOrEqual(900);
  expect(new Set(uids).size).toBe(uids.length);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(900_000);
});

const sequence = (body: string): number => Number(/^SEQUENCE:(\d+)/m.exec(body)?.[1]);

test('after any sequence of publishing, undoing, removing and restoring, a restart shows the same', async () => {
  await using pub = await startPub({}, env, { durable: true });
  const eve = await editorAt(pub.service);
  const [quiz, dance, roast, choir] = [
    await eve.publish('event', { ...WEEKLY, title: 'Quiz', until: null }),
    await eve.publish('event', { ...WEEKLY, title: 'Dance' }),
    await eve.publish('event', { ...TONIGHT, title: 'Roast' }),
    await eve.publish('event', { ...WEEKLY, title: 'Choir' }),
  ];
  let { service } = pub;
  const feed = await mintFeed(service);
  const shown = async () => {
    await refreshFeed(service.calendarContext);
    return [await feedOf(service), (await service.get(feed)).body];
  };
  const steps = [
    () => eve.patch(`event/${quiz}`, { version: 1, body: { title: 'Big quiz' }, publish: true }),
    () => eve.patch(`event/${dance}`, { version: 1, body: { time: '19:00' } }),
    () => eve.post(`event/${dance}/publish`),
    () => eve.post(`event/${roast}/remove`),
    () =>
      eve.post(`event/${quiz}/dates/2026-11-28`, {
        version: 2,
        scope: 'following',
        time: '18:00',
        publish: true,
      }),
    () => eve.post(`event/${dance}/undo`),
    () => eve.post(`event/${roast}/restore`),
    () => eve.post(`event/${choir}/undo`),
    () =>
      eve.post(`event/${choir}/dates/2026-11-28`, {
        version: 2,
        scope: 'this',
        as: 'cancelled',
        publish: true,
      }),
    () => eve.post(`event/${roast}/remove`),
    () => {
      service.clock.now += DAY;
      return eve.patch(`event/${dance}`, { version: 3, body: { place: 'Pub garden' }, publish: true });
    },
  ];
  const before: unknown[] = [];
  for (const [index, step] of steps.entries()) {
    expect(await step()).toMatchObject({ statusCode: 200 });
    // Only after every second step, so that two changes without a request between them are tested too.
    if (index % 2 === 0) before.push(await shown());
  }
  expect(new Set(before.map((one) => JSON.stringify(one))).size).toBe(before.length);
  // A starting service builds the calendar for the time of its start, so the clock is set back to the first start.
  service.clock.now -= DAY;
  const last = await shown();

  await service.ctx.write((tx) => tx.run(build.deleteFrom('feeds')));
  service = await pub.restart();

  expect(await shown()).toEqual(last);
});

test('no change that arrives while the calendar is being built is lost', async () => {
  await using service = await testApp(env);
  const eve = await editorAt(service);
  const url = await mintFeed(service);
  // Enough dates for the file to be built in a thread.
  const ids = [];
  for (const title of ['Quiz', 'Dance', 'Roast'])
    ids.push(await eve.publish('event', { ...WEEKLY, title, until: null }));

  const changed = ids.map((id, index) =>
    eve.patch(`event/${id}`, { version: 1, body: { title: `Number ${index}` }, publish: true }),
  );
  for (const change of changed) {
    const answer = await change;
    expect(answer.json()).toMatchObject({ ok: true, version: 2 });
    await feedOf(service);
  }

  await expect
    .poll(async () => {
      const { body } = await service.get(url);
      return [...new Set(body.match(/(?<=^SUMMARY:).*(?=\r$)/gm))].sort();
    })
    .toEqual(['Number 0', 'Number 1', 'Number 2']);
});
