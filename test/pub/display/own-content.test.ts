import { expect, test } from 'vitest';
import { findPubState } from '#content/shifts.ts';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { EventsFeed, TendersFeed } from '#pub/display/feeds.ts';
import { onTv, record, relation, tick, when } from '#test/stand-ins/pub-workspace.ts';
import { dashed, id } from '#test/stand-ins/workspace-server.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { startPub } from '#test/support/pub-service.ts';

const TODAY = '2026-11-21';
const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const feedOf = async (service: TestApp): Promise<EventsFeed> => (await service.get('/api/events')).json();

/** The same hours every day. */
const week = (...ranges: object[]) => Object.fromEntries(EVERY_DAY.map((day) => [day, ranges]));

test('with only the club’s own content the feed is live, and its time advances in steps of two minutes', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const before = await service.get('/api/events');
  const draft = await eve.create('announcement', { title: 'Quiz' });
  expect((await service.get('/api/events')).body).toBe(before.body);
  expect(before.json()).toMatchObject({ source: 'placeholder', hoursKnown: false });
  expect(before.json()).not.toHaveProperty('contentFrom');

  await eve.post(`${draft}/publish`, { version: 1 });
  service.clock.now += MINUTE;

  const first = await service.get('/api/events');
  expect(first.json()).toMatchObject({
    source: 'workspace',
    contentFrom: ['house'],
    stale: false,
    hoursKnown: false,
    lastUpdated: '2026-11-21T17:00:00.000Z',
    announcements: [{ title: 'Quiz' }],
  });
  service.clock.now += MINUTE;
  const later = await service.get('/api/events');
  expect(later.json().lastUpdated).toBe('2026-11-21T17:02:00.000Z');
  expect((await service.get('/api/events')).headers.etag).toBe(later.headers.etag);
  expect((await service.get('/api/tenders')).json()).toMatchObject({ source: 'workspace', tenders: [] });
});

test('a draft does not change the feed; publishing it and undoing that take effect at once', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const one = `announcement/${await eve.publish('announcement', { title: 'Quiz', text: 'At eight.' })}`;
  const shown = await service.get('/api/events');

  await eve.patch(one, { version: 1, body: { text: 'At nine.' } });
  expect((await service.get('/api/events')).headers.etag).toBe(shown.headers.etag);
  await eve.post(`${one}/publish`);
  expect((await feedOf(service)).announcements).toMatchObject([{ text: 'At nine.' }]);
  await eve.post(`${one}/undo`, { version: 2 });
  expect((await service.get('/api/events')).headers.etag).toBe(shown.headers.etag);
  await eve.post(`${one}/remove`);
  expect((await feedOf(service)).announcements).toEqual([]);
  await eve.post(`${one}/restore`);
  expect((await feedOf(service)).announcements).toMatchObject([{ text: 'At eight.' }]);
});

test('the club’s own and the workspace’s announcements are sorted together, each within its dates', async () => {
  await using pub = await startPub({ announcements: [record('From the workspace', onTv)] });
  const eve = await editorAt(pub.service);
  const own = await eve.publish('announcement', { title: 'Zebra', priority: 'urgent', seconds: 30 });
  await eve.publish('announcement', { title: 'A first', from: `${TODAY}T17:00`, until: TODAY });

  const { announcements, slides, contentFrom } = await feedOf(pub.service);
  expect(announcements.map(({ title }) => title)).toEqual(['Zebra', 'From the workspace']);
  expect(announcements[0]).toEqual({
    id: dashed(own),
    title: 'Zebra',
    priority: 'urgent',
    text: 'Zebra',
    imageUrl: '',
    duration: 30,
  });
  expect(slides[0]).toMatchObject({ title: 'Zebra', durationMs: 30_000 });
  expect(contentFrom).toEqual(['house', 'workspace']);

  pub.service.clock.now += 5 * HOUR;
  expect((await feedOf(pub.service)).announcements.map(({ title }) => title)).toContain('A first');
  pub.service.clock.now += 7 * HOUR;
  expect((await feedOf(pub.service)).announcements.map(({ title }) => title)).not.toContain('A first');
});

test('the club’s own tenders are in the directory and on slides, and can be linked to', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const ann = await eve.publish('tender', {
    full_name: 'Ann Doe',
    meet: true,
    bio: 'Pours.',
    payment_a: '@ann',
    page_url: 'https://ann.example/',
  });
  await eve.publish('tender', { full_name: 'Bob Roe', active: false });

  const { tenders } = (await service.get('/api/tenders')).json<TendersFeed>();
  expect(tenders).toEqual([
    {
      id: ann,
      notionPageId: dashed(ann),
      firstName: 'Ann',
      fullName: 'Ann Doe',
      bio: 'Pours.',
      payment_a: '@ann',
      payment_b: '',
      imageUrl: '',
      pageUrl: 'https://ann.example/',
      profileUrl: `/tenders/?tender=${ann}`,
    },
  ]);
  const { slides } = await feedOf(service);
  expect(slides).toMatchObject([{ type: 'tender', name: 'Ann Doe' }]);
  expect((await service.get(`/api/image/tender-qr/${ann}`)).headers['content-type']).toBe('image/png');
  expectRefusal(await service.get(`/api/image/tender/${ann}`), 404, 'image_not_found');
  expect((await service.get(`/tender/${dashed(ann)}`)).headers.location).toBe(`/tenders/?tender=${ann}`);
});

test('the picture of a record comes from the database, at a URL that changes only with the picture', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const picture = 'c'.repeat(32);
  await service.ctx.write((tx) => {
    const size = { width: 8, height: 8, focus: 5, added_at: 0, added_by: null };
    tx.run(
      build.insertInto('pictures').values({ id: picture, sha256: 's', alt: 'A', ...size, decorative: 0 }),
    );
    const file = { picture_id: picture, size: 1920, type: 'image/webp', etag: '"e"' } as const;
    tx.run(build.insertInto('picture_files').values({ ...file, bytes: Buffer.from('picture') }));
  });
  const own = await eve.publish('announcement', { title: 'Quiz', picture });

  const [announcement] = (await feedOf(service)).announcements;
  expect(announcement?.imageUrl).toBe(`/api/image/announcement/${own}?v=${picture}`);
  const answer = await service.get(announcement!.imageUrl);
  expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([200, 'picture', '"e"']);
  await eve.patch(`announcement/${own}`, { version: 1, body: { title: 'Big quiz' }, publish: true });
  expect((await feedOf(service)).announcements[0]?.imageUrl).toBe(announcement?.imageUrl);
});

test('pages ask for the small file of a portrait', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const picture = 'd'.repeat(32);
  await service.ctx.write((tx) => {
    const size = { width: 8, height: 8, focus: 5, added_at: 0, added_by: null };
    tx.run(
      build.insertInto('pictures').values({ id: picture, sha256: 's', alt: 'A', ...size, decorative: 0 }),
    );
    for (const [size, bytes] of [
      [1920, 'large'],
      [480, 'small'],
    ] as const) {
      const file = { picture_id: picture, size, type: 'image/webp', etag: `"${bytes}"` } as const;
      tx.run(build.insertInto('picture_files').values({ ...file, bytes: Buffer.from(bytes) }));
    }
  });
  const ann = await eve.publish('tender', { full_name: 'Ann Doe', picture });
  const { body } = await service.get('/tenders/', { accept: 'text/html' });

  const [, address = ''] = /<img class="portrait[^"]*" src="([^"]+)"/.exec(body) ?? [];
  expect((await service.get(address.replaceAll('&amp;', '&'))).body).toBe('small');
  expect((await service.get(`/api/image/tender/${ann}`)).body).toBe('large');
  expect((await service.get(`/api/image/tender/${ann}?size=1`)).statusCode).toBe(400);
});

test('the club’s own hours and roster are in the feed within the same second', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const ann = await eve.publish('tender', { full_name: 'Ann Doe' });
  const hours = { opens: '11:00', closes: '23:00', before: 30 };
  await eve.publish('hours', { from: '2026-01-01', week: week(hours) });
  await eve.publish('roster', { date: TODAY, tenders: [ann] });

  const feed = await feedOf(service);
  expect(feed).toMatchObject({
    hoursKnown: true,
    pubTender: { name: 'Ann', noteState: 'active', hours: '11:00 AM – 11:00 PM' },
  });
  expect(feed.pubHoursWeek).toHaveLength(7);
  expect(feed.pubHoursWeek.every(({ hours: label }) => label === '11:00 AM – 11:00 PM')).toBe(true);
  expect(findPubState(service.ctx)).toMatchObject({ configured: true, open: true });

  await eve.publish('special', {
    from: TODAY,
    ranges: [
      { opens: '11:00', closes: '14:00' },
      { opens: '17:00', closes: '23:00' },
    ],
  });
  expect((await feedOf(service)).pubHoursWeek[6]?.hours).toBe('11:00 AM – 2:00 PM, 5:00 PM – 11:00 PM');
  await eve.publish('special', { from: TODAY, closed: true });
  expect((await feedOf(service)).pubTender).toMatchObject({ noteState: 'inactive', name: '' });
});

test('in a week in which new hours begin, the days before have the old ones', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  await eve.publish('hours', { from: '2026-01-01', week: week({ opens: '17:00', closes: '23:00' }) });
  // The week of the feed began on Sunday, November 15.
  await eve.publish('hours', { from: '2026-11-16', week: week({ opens: '18:00', closes: '22:00' }) });

  const [sunday, monday] = (await feedOf(service)).pubHoursWeek;

  expect(sunday).toMatchObject({ date: '2026-11-15', hours: '5:00 PM – 11:00 PM' });
  expect(monday).toMatchObject({ date: '2026-11-16', hours: '6:00 PM – 10:00 PM' });
});

test('an opening past midnight is not cut short when the next day is closed', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const evening = { opens: '17:00', closes: '01:00' };
  await eve.publish('hours', { from: '2026-01-01', week: week(evening) });
  await eve.publish('special', { from: '2026-11-22', closed: true });
  const stateAt = async (time: string) => {
    service.clock.now = Temporal.Instant.from(time).epochMilliseconds;
    return (await feedOf(service)).pubTender.noteState;
  };

  expect(await stateAt('2026-11-22T00:20-05:00')).toBe('active');
  expect(await stateAt('2026-11-22T00:45-05:00')).toBe('last-call');
  expect(await stateAt('2026-11-22T01:00-05:00')).toBe('inactive');
  expect(await stateAt('2026-11-22T18:00-05:00')).toBe('inactive');
  expect(await stateAt('2026-11-23T18:00-05:00')).toBe('active');
});

test('a special day replaces the workspace’s hours, but its tenders only if it is closed', async () => {
  const bob = id(0xbb1);
  await using pub = await startPub({
    tenders: [record('Bob Roe', { 'Pub Tender': tick() }, { id: bob })],
    shifts: [
      record('Today', {
        Shift: when(`${TODAY}T11:00:00.000-05:00`, `${TODAY}T23:00:00.000-05:00`),
        Tenders: relation(bob),
      }),
      record('Tomorrow', { Shift: when('2026-11-22T17:00:00.000-05:00', '2026-11-22T23:00:00.000-05:00') }),
    ],
  });
  const eve = await editorAt(pub.service);
  await eve.publish('special', { from: TODAY, ranges: [{ opens: '11:00', closes: '15:00' }] });

  const feed = await feedOf(pub.service);
  expect(feed.pubTender).toMatchObject({ name: 'Bob', hours: '11:00 AM – 3:00 PM' });
  const closed = await eve.publish('special', { from: '2026-11-22', closed: true });
  const tomorrow = async () => {
    pub.service.clock.now = Temporal.Instant.from('2026-11-22T18:00-05:00').epochMilliseconds;
    return (await feedOf(pub.service)).pubTender.noteState;
  };
  expect(await tomorrow()).toBe('inactive');
  await eve.post(`special/${closed}/remove`);
  expect(await tomorrow()).toBe('active');
});

test('a roster replaces the tenders of a day whose hours come from the workspace', async () => {
  const [bob, cid] = [id(0xbb1), id(0xcc1)];
  const evening = when(`${TODAY}T11:00:00.000-05:00`, `${TODAY}T23:00:00.000-05:00`);
  await using pub = await startPub({
    tenders: [
      record('Bob Roe', { 'Pub Tender': tick() }, { id: bob }),
      record('Cid Poe', { 'Pub Tender': tick() }, { id: cid }),
    ],
    shifts: [record('Today', { Shift: evening, Tenders: relation(bob) })],
  });
  const eve = await editorAt(pub.service);
  expect((await feedOf(pub.service)).pubTender.name).toBe('Bob');

  const roster = await eve.publish('roster', { date: TODAY, tenders: [cid] });

  expect((await feedOf(pub.service)).pubTender).toMatchObject({ name: 'Cid', hours: '11:00 AM – 11:00 PM' });
  await eve.post(`roster/${roster}/remove`);
  expect((await feedOf(pub.service)).pubTender.name).toBe('Bob');
});

test('a page that was imported is shown once, and not at all when its record was removed', async () => {
  const page = id(0x900);
  await using pub = await startPub({
    announcements: [record('Quiz', onTv, { id: page }), record('Other', onTv)],
  });
  const eve = await editorAt(pub.service);
  const { ctx } = pub.service;
  const titles = async () => (await feedOf(pub.service)).announcements.map(({ title }) => title);
  const { insertRecord } = await import('#content/records/storing.ts');
  const body = { title: 'Quiz, imported', priority: 'normal', from: null, until: null };
  const imported = {
    id: page,
    origin: `workspace:${page}`,
    body,
    publish: true,
    reason: 'imported' as const,
  };
  await ctx.write((tx) =>
    insertRecord(tx, { name: 'announcement' }, imported, { ip: 'test', at: ctx.now() }),
  );
  ctx.hub.publish('content');

  expect(await titles()).toEqual(['Other', 'Quiz, imported']);
  await eve.post(`announcement/${page}/remove`);
  expect(await titles()).toEqual(['Other']);
});

test('while the workspace is down its content is stale, and the club’s own content is still updated', async () => {
  await using pub = await startPub({ announcements: [record('Quiz', onTv)] });
  const { service, workspace } = pub;
  const eve = await editorAt(service);
  const { lastUpdated } = await feedOf(service);
  workspace.down = { status: 401 };
  service.clock.now += 2 * MINUTE;
  await pub.refresh();
  await eve.publish('announcement', { title: 'Written here' });

  const feed = await feedOf(service);
  expect(feed).toMatchObject({ stale: true, lastUpdated, contentFrom: ['house', 'workspace'] });
  expect(feed.announcements.map(({ title }) => title)).toEqual(['Quiz', 'Written here']);
});
