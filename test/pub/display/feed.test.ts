import { expect, test } from 'vitest';
import { findPubState } from '#content/shifts.ts';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import {
  event,
  file,
  number,
  onTv,
  record,
  relation,
  select,
  text,
  tick,
  url,
  when,
} from '#test/stand-ins/pub-workspace.ts';
import { dashed, id } from '#test/stand-ins/workspace-server.ts';
import { testApp } from '#test/support/app.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';

const [ANN, BOB, CAT] = [id(0xaa1), id(0xbb1), id(0xcc1)];
const TODAY = '2026-11-21';

test('announcements are sorted by priority, with defaults for missing fields', async () => {
  const poster = id(0x900);
  await using pub = await startPub({
    announcements: [
      record('Low', { ...onTv, Priority: select('Low'), Content: text('Later.') }),
      record('Odd', { ...onTv, Priority: select('Whenever'), Duration: number(1) }),
      record('Plain', { ...onTv, Duration: number(600) }),
      record(
        'Poster',
        { ...onTv, Priority: select('High'), Image: file('https://files.example/a.png') },
        { id: poster },
      ),
      record('Fire', {
        ...onTv,
        Priority: select('URGENT'),
        Content: text('Leave now.'),
        Duration: number(20),
      }),
      record('Hidden', { 'Include on Pub TV': tick(false), Priority: select('Urgent') }),
    ],
  });

  const { announcements, slides } = await feedOf(pub);

  expect(
    announcements.map(({ title, priority, text, duration }) => [title, priority, text, duration]),
  ).toEqual([
    ['Fire', 'urgent', 'Leave now.', 20],
    ['Poster', 'high', 'Poster', null],
    ['Plain', 'normal', 'Plain', 120],
    ['Low', 'low', 'Later.', null],
    ['Odd', 'whenever', 'Odd', 5],
  ]);
  expect(announcements[1]).toMatchObject({
    id: dashed(poster),
    imageUrl: `/api/image/announcement/${poster}?v=20261120t120000000z`,
  });
  expect(announcements[0]?.imageUrl).toBe('');
  expect(slides.slice(0, 2)).toEqual([
    {
      id: expect.stringMatching(/^announcement-\d+$/),
      type: 'announcement',
      title: 'Fire',
      body: 'Leave now.',
      priority: 'urgent',
      durationMs: 20_000,
      imageUrl: '',
    },
    {
      id: expect.stringMatching(/^announcement-\d+$/),
      type: 'announcement',
      title: 'Poster',
      body: '',
      priority: 'high',
      durationMs: null,
      imageUrl: announcements[1]?.imageUrl,
    },
  ]);
});

test('an announcement is shown between its dates, to the minute, and slides keep their ids', async () => {
  await using pub = await startPub({
    announcements: [
      record('All along', onTv),
      record('From five', { ...onTv, 'Show From': when(`${TODAY}T17:00:00.000-05:00`) }),
      record('Until today', { ...onTv, 'Show Until': when(TODAY) }),
      record('This range', { ...onTv, 'Show From': when('2026-11-22', '2026-11-23') }),
    ],
  });
  const shownAt = async (time: string) => {
    pub.service.clock.now = Temporal.Instant.from(time).epochMilliseconds;
    return (await feedOf(pub)).slides.map((slide) => ('title' in slide ? `${slide.title} ${slide.id}` : ''));
  };

  const noon = await shownAt(`${TODAY}T12:00-05:00`);
  const five = await shownAt(`${TODAY}T17:00-05:00`);
  const midnight = await shownAt('2026-11-22T00:00-05:00');
  const over = await shownAt('2026-11-24T00:00-05:00');

  const named = (list: string[]) => list.map((one) => one.replace(/ announcement-\d+$/, ''));
  expect(named(noon)).toEqual(['All along', 'Until today']);
  expect(named(five)).toEqual(['All along', 'From five', 'Until today']);
  expect(named(midnight)).toEqual(['All along', 'From five', 'This range']);
  expect(named(over)).toEqual(['All along', 'From five']);
  expect(noon[0]).toBe(five[0]);
  expect(five[1]).toBe(over[1]);
  expect(new Set(noon).size).toBe(2);
});

test('the tenders on duty come from the assignments of the shift, with first names and profiles', async () => {
  const [first, second] = [id(0x801), id(0x802)];
  await using pub = await startPub(
    {
      shifts: [
        record('Tonight', {
          Shift: when(`${TODAY}T11:30:00.000-05:00`, `${TODAY}T23:30:00.000-05:00`),
          'Operating Hours': when(`${TODAY}T12:00:00.000-05:00`, `${TODAY}T23:00:00.000-05:00`),
          Assignments: relation(first, second, id(0x8ff)),
        }),
      ],
      assignments: [
        record('A', { Tender: relation(ANN) }, { id: first }),
        record('B', { Tender: relation(BOB) }, { id: second }),
      ],
      tenders: [
        record(
          'Ann Lee',
          { Active: tick(), 'Meet your Tender': tick(), 'Show Profile': tick() },
          { id: ANN },
        ),
        record(
          'Bob',
          { Photo: file('https://f.example/b.jpg'), 'Profile URL': url('https://bob.example/') },
          { id: BOB },
        ),
        record(
          'Cat Stevens',
          { Active: tick(), 'Meet your Tender': tick(), Photo: file('https://f.example/c.jpg') },
          { id: CAT },
        ),
      ],
    },
    { BASE_URL: 'https://pub.example' },
  );

  const { pubTender, slides, pubHoursWeek, hoursKnown } = await feedOf(pub);

  expect(pubTender).toEqual({
    name: 'Ann & Bob',
    hours: '12:00 PM – 11:00 PM',
    note: 'Open until 11:00 PM',
    noteState: 'active',
    pageUrl: 'https://bob.example/',
    activeTenders: [
      {
        id: ANN,
        fullName: 'Ann Lee',
        showProfile: true,
        imageUrl: '',
        qrImageUrl: `/api/image/tender-qr/${ANN}?v=20261120t120000000z`,
        pageUrl: '',
      },
      {
        id: BOB,
        fullName: 'Bob',
        showProfile: false,
        imageUrl: `/api/image/tender/${BOB}?v=20261120t120000000z`,
        // He is not in the directory, so there is no page for a code.
        qrImageUrl: '',
        pageUrl: 'https://bob.example/',
      },
    ],
  });
  expect(slides).toEqual([
    {
      id: expect.stringMatching(/^tender-\d+$/),
      type: 'tender',
      title: 'Meet your Tender',
      name: 'Ann Lee',
      imageUrl: '',
      qrImageUrl: `/api/image/tender-qr/${ANN}?v=20261120t120000000z`,
      qrUrl: `https://pub.example/tenders/?tender=${ANN}`,
    },
    expect.objectContaining({ name: 'Cat Stevens' }),
  ]);
  expect(pubHoursWeek[6]).toEqual({ date: TODAY, open: true, hours: '12:00 PM – 11:00 PM' });
  expect(hoursKnown).toBe(true);
});

test('tenders may be on the shift itself, and one range may give both shift and opening hours', async () => {
  const pages = {
    shifts: [
      record('Tonight', {
        'Operating Hours': when(`${TODAY}T12:00:00.000-05:00`, `${TODAY}T23:00:00.000-05:00`),
        Tenders: relation(BOB, BOB),
      }),
      record('Without an end', { Shift: when(`${TODAY}T12:00:00.000-05:00`) }),
    ],
    tenders: [record('Bob', { Active: tick() }, { id: BOB })],
  };
  await using pub = await startPub(pages, {}, { cold: true });
  const [, , shifts] = pub.workspace.databases;
  delete shifts!.sources[0]!.columns.Shift;
  await pub.refresh();

  expect((await feedOf(pub)).pubTender).toMatchObject({ name: 'Bob', noteState: 'active' });
  expect(findPubState(pub.service.ctx)).toEqual({
    configured: true,
    open: true,
    closesAt: Temporal.Instant.from(`${TODAY}T23:00-05:00`).epochMilliseconds,
    opensAt: null,
  });
  pub.service.clock.now -= HOUR;
  expect(findPubState(pub.service.ctx)).toMatchObject({
    open: false,
    opensAt: pub.service.clock.now + HOUR,
  });
  expect(pub.service.logged.some((line) => line.includes('the times of the shift cannot be read'))).toBe(
    true,
  );
});

test('without credentials every key is present but empty, and the source is a placeholder', async () => {
  await using service = await testApp();

  const answer = await service.get('/api/events');

  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    todayEvents: [],
    weekEvents: [],
    announcements: [],
    pubHoursWeek: Array.from({ length: 7 }, (_, day) => ({
      date: `2026-11-${15 + day}`,
      open: false,
      hours: null,
    })),
    pubTender: {
      name: '',
      hours: '',
      note: 'No shift today',
      noteState: 'inactive',
      pageUrl: '',
      activeTenders: [],
    },
    slides: [],
    lastUpdated: '2026-11-21T17:00:00.000Z',
    source: 'placeholder',
    stale: false,
    carryoverEvents: [],
    hoursKnown: false,
    nextWindowMin: 60,
    timeZone: 'America/New_York',
  });
  expect((await service.get('/api/tenders')).json()).toEqual({
    tenders: [],
    lastUpdated: '2026-11-21T17:00:00.000Z',
    source: 'placeholder',
    stale: false,
  });
  expect(findPubState(service.ctx)).toEqual({
    configured: false,
    open: false,
    closesAt: null,
    opensAt: null,
  });
});

test('databases that are not configured leave their parts empty', async () => {
  await using pub = await startPub(
    { events: [event('Quiz', `${TODAY}T19:00:00.000-05:00`)] },
    {
      WORKSPACE_SHIFTS_DATABASE_ID: '',
      WORKSPACE_ANNOUNCEMENTS_DATABASE_ID: '',
      WORKSPACE_PUB_TENDERS_DATABASE_ID: '',
    },
  );

  expect(await feedOf(pub)).toMatchObject({
    source: 'workspace',
    todayEvents: [{ title: 'Quiz' }],
    announcements: [],
    slides: [],
    hoursKnown: false,
  });
  expect((await pub.service.get('/api/tenders')).json()).toMatchObject({
    tenders: [],
    source: 'placeholder',
  });
});

test('the feeds may be cached for two minutes, and a client that has them gets a 304', async () => {
  await using pub = await startPub({ events: [event('Quiz', `${TODAY}T13:30:00.000-05:00`)] });

  for (const path of ['/api/events', '/api/events?window=14', '/api/tenders']) {
    const first = await pub.service.get(path);
    const { etag } = first.headers;
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=120',
      'content-type': 'application/json; charset=utf-8',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
    for (const known of [`${etag}`, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await pub.service.get(path, { 'if-none-match': known });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await pub.service.get(path, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  }
  const { etag } = (await pub.service.get('/api/events')).headers;
  pub.service.clock.now += 30 * MINUTE;
  // By then the event is Next, so the answer is another one.
  expect((await pub.service.get('/api/events', { 'if-none-match': `${etag}` })).statusCode).toBe(200);
  const head = await pub.service.request({ method: 'HEAD', url: '/api/events' });
  expect([head.statusCode, head.body]).toEqual([200, '']);
});

async function feedOf(pub: Pub): Promise<EventsFeed> {
  return (await pub.service.get('/api/events')).json();
}
