import { expect, test } from 'vitest';
import { listHolidays, listSourceEvents } from '#content/ical/sources/shown.ts';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { eventLines } from '#test/stand-ins/calendar-host.ts';
import { NOON } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { serviceWith } from './reading-service.ts';

const QUIZ = eventLines('Quiz', '20261121T200000', 'LOCATION:Pub', 'DURATION:PT2H');
const uidsIn = (feed: string) => [...feed.matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid);

test('events of an external calendar are on the screens and in the feed', async () => {
  const allDay = ['UID:day', 'DTSTART;VALUE=DATE:20261123', 'SUMMARY:Beer festival'];
  await using service = await serviceWith([QUIZ, allDay]);

  expect(await service.events()).toMatchObject({
    source: 'workspace',
    stale: false,
    lastUpdated: '2026-11-21T17:00:00.000Z',
    todayEvents: [
      { title: 'Quiz', start: '8:00 PM', end: '10:00 PM', allDay: false, rcTag: null, status: 'Later' },
    ],
    weekEvents: [{ title: 'Beer festival', date: 'Mon, Nov 23', start: 'All day', allDay: true }],
  });
  const feed = await service.feed();
  expect(feed).toContain('SUMMARY:Quiz');
  expect(feed).toContain('LOCATION:Pub');
  expect(feed).toContain('DTSTART;VALUE=DATE:20261123');
  for (const uid of uidsIn(feed)) expect(uid).toMatch(/^[0-9a-f]{32}@publichouse$/);
  expect((await service.get('/programme')).body).toContain('Beer festival');
});

test('the programme has a series of an external calendar once, with its next dates and one that was changed', async () => {
  const brew = (...more: string[]) => ['UID:brew', 'LOCATION:Quay', 'DURATION:PT1H', ...more];
  await using service = await serviceWith([
    QUIZ,
    brew('DTSTART:20261121T180000', 'RRULE:FREQ=WEEKLY', 'SUMMARY:Open brew day'),
    brew('RECURRENCE-ID:20261205T180000', 'DTSTART:20261206T180000', 'SUMMARY:Brew day, a day later'),
  ]);
  const page = (await service.get('/programme')).body;
  expect(page.match(/<h3>/g)).toHaveLength(2);
  expect(page.replace(/<[^>]*>/g, '')).toMatch(
    /Open brew day\s+Quay\s+Next: Sat, Nov 28 · Sun, Dec 6 · Sat, Dec 12 and \d+ more/,
  );
  const [first] = listSourceEvents(service.ctx, service.id).filter(({ title }) => title === 'Open brew day');
  expect((await service.get(`/events/${first!.id}`, { accept: 'text/html' })).body).toContain('December 6');
});

test('a day in a calendar of another zone is on its day on all surfaces', async () => {
  const day = [
    'UID:black',
    'DTSTART;VALUE=DATE:20261127',
    'DTEND;VALUE=DATE:20261128',
    'SUMMARY:Black Friday',
  ];
  await using service = await serviceWith([day], {}, ['X-WR-TIMEZONE:UTC']);
  const holidays = await serviceWith([day], { goes_to: 'holidays' }, ['X-WR-TIMEZONE:Australia/Sydney']);

  expect((await service.events()).weekEvents).toMatchObject([{ date: 'Fri, Nov 27', allDay: true }]);
  expect(await service.feed()).toContain('DTSTART;VALUE=DATE:20261127');
  expect(service.calendarContext.programmeFeed.leftOut).toBe(0);
  expect(listHolidays(holidays.ctx).map(({ date }) => date)).toEqual(['2026-11-27']);
  await holidays[Symbol.asyncDispose]();
});

test('a source that changes its UIDs with every read keeps its dates, also one that was copied', async () => {
  const quiz = (uid: string) => [`UID:${uid}`, 'DTSTART:20261128T200000', 'SUMMARY:Quiz', 'LOCATION:Pub'];
  const darts = (uid: string) => [`UID:${uid}`, 'DTSTART:20261128T200000', 'SUMMARY:Darts', 'LOCATION:Pub'];
  await using service = await serviceWith([quiz('A'), darts('B')]);
  const before = uidsIn(await service.feed());
  const [copied] = listSourceEvents(service.ctx, service.id).filter(({ title }) => title === 'Quiz');
  await service.change([darts('C'), quiz('D')]);
  await service.change([quiz('E'), darts('F'), quiz('G')]);

  const events = listSourceEvents(service.ctx, service.id);
  expect(events.map(({ title }) => title).sort()).toEqual(['Darts', 'Quiz', 'Quiz']);
  expect(events.filter(({ id }) => id === copied?.id)).toHaveLength(1);
  expect(uidsIn(await service.feed())).toEqual(expect.arrayContaining(before));
});

test('a calendar that is not for screens leaves their placeholder; other events have a fresh update time', async () => {
  await using service = await serviceWith([QUIZ], { goes_to: ['calendar'] });
  expect(await service.events()).toMatchObject({ source: 'placeholder', todayEvents: [] });

  await using other = await serviceWith([QUIZ], { goes_to: ['screens'] });
  other.clock.now += 3 * MINUTE;
  expect(await other.events()).toMatchObject({
    source: 'workspace',
    lastUpdated: '2026-11-21T17:02:00.000Z',
  });
  expect(await other.feed()).not.toContain('Quiz');
});

test('a source may have a filter, a default place, and a prefix for titles', async () => {
  const events = [
    eventLines('Cup final', '20261121T180000', 'CATEGORIES:Sport,Football'),
    eventLines('Reading', '20261121T190000', 'LOCATION:Library'),
  ];
  await using service = await serviceWith(events, {
    filter: { field: 'category', contains: 'FOOT' },
    place: 'Pub',
    prefix: 'Sport:',
  });

  expect((await service.events()).todayEvents).toMatchObject([{ title: 'Sport: Cup final' }]);
  const feed = await service.feed();
  expect(feed).toContain('LOCATION:Pub');
  expect(feed).not.toContain('Reading');
});

test('private events and busy times are in no response, page, feed or log', async () => {
  const events = [
    QUIZ,
    eventLines('SECRET one', '20261121T210000', 'CLASS:PRIVATE'),
    eventLines('SECRET two', '20261121T220000', 'CLASS:CONFIDENTIAL', 'DTEND:nothing'),
    eventLines('Busy', '20261121T223000'),
  ];
  await using service = await serviceWith(events);

  const said = [JSON.stringify(await service.events()), await service.feed(), service.logged.join()];
  for (const url of ['/programme', '/tv', '/events', '/admin/content/ical'])
    said.push((await service.get(url, { 'edge-access-authenticated-user-email': 'x@y.example' })).body);
  expect(said.filter((text) => /SECRET|Busy/.test(text))).toEqual([]);
  expect(said[0]).toContain('Quiz');
});

test('a cancelled date is shown as such until it is over, and stays in the feed', async () => {
  const series = eventLines('Quiz', '20261121T200000', 'RRULE:FREQ=WEEKLY;COUNT=2');
  await using service = await serviceWith([series]);
  const before = uidsIn(await service.feed());
  await service.change([
    series,
    eventLines('Quiz', '20261121T200000', 'RECURRENCE-ID:20261121T200000', 'STATUS:CANCELLED'),
  ]);

  expect((await service.events()).todayEvents).toMatchObject([{ title: 'Cancelled: Quiz', cancelled: true }]);
  const feed = await service.feed();
  expect(feed).toContain('STATUS:CANCELLED');
  expect(uidsIn(feed)).toEqual(before);
});

test('a moved date keeps its UID and raises its SEQUENCE; other dates do not change', async () => {
  const series = eventLines('Quiz', '20261121T200000', 'RRULE:FREQ=WEEKLY;COUNT=3');
  await using service = await serviceWith([series]);
  const sequences = (feed: string) =>
    Object.fromEntries(
      feed
        .split('BEGIN:VEVENT')
        .slice(1)
        .map((event) => [/UID:(\S+)/.exec(event)?.[1], Number(/SEQUENCE:(\d+)/.exec(event)?.[1])]),
    );
  const before = sequences(await service.feed());
  const moved = [
    'UID:Quiz@other',
    'RECURRENCE-ID:20261128T200000',
    'DTSTART:20261129T190000',
    'SUMMARY:Quiz',
  ];
  await service.change([series.map((line) => line.replace('DTSTAMP:20261101', 'DTSTAMP:20261121')), moved]);
  const after = sequences(await service.feed());

  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
  const raised = Object.keys(after).filter((uid) => (after[uid] ?? 0) > (before[uid] ?? 0));
  expect(raised).toHaveLength(1);
  expect(Object.keys(after).filter((uid) => (after[uid] ?? 0) < (before[uid] ?? 0))).toEqual([]);
});

test('the feed has at most 900 events: the next ones', async () => {
  const events = Array.from({ length: 920 }, (_, index) =>
    eventLines(`Night ${index}`, new Date(NOON + index * 8 * HOUR).toISOString().replace(/[-:]|\.000/g, '')),
  );
  await using service = await serviceWith(events);

  const feed = await service.feed();

  expect(uidsIn(feed)).toHaveLength(900);
  expect(feed).toContain('SUMMARY:Night 899\r\n');
  expect(feed.length).toBeLessThan(900_000);
});

test('holidays are listed for officers and not shown on screens or in the feed', async () => {
  const day = (title: string, date: string, ...lines: string[]) => [
    ...[`UID:${title}`, `DTSTART;VALUE=DATE:${date}`, `SUMMARY:${title}`],
    ...lines,
  ];
  const events = [
    day('Long ago', '20261101'),
    day('Today', '20261121'),
    day('Christmas', '20261225', 'DTEND;VALUE=DATE:20261227'),
    day('Also Christmas', '20261225'),
    ...Array.from({ length: 12 }, (_, index) => day(`Day ${index}`, `202701${10 + index}`)),
  ];
  await using service = await serviceWith(events, { goes_to: 'holidays' });

  const holidays = listHolidays(service.ctx);

  expect(holidays).toHaveLength(12);
  expect(holidays.slice(0, 4)).toEqual([
    { date: '2026-11-21', title: 'Today' },
    { date: '2026-12-25', title: 'Also Christmas, Christmas' },
    { date: '2026-12-26', title: 'Christmas' },
    { date: '2027-01-10', title: 'Day 0' },
  ]);
  expect(await service.events()).toMatchObject({ todayEvents: [], source: 'placeholder' });
  expect(await service.feed()).not.toContain('Christmas');
  const { headers } = await editorAt(service);
  const page = async (url: string) => (await service.get(url, { ...headers, accept: 'text/html' })).body;
  expect(await page('/admin/content/ical')).toContain('<dt>Fri, Dec 25, 2026</dt>');
  const [, ask = ''] =
    /Also Christmas, Christmas<\/span> <a[^>]* href="([^"]+)"/.exec(await page('/admin/content')) ?? [];
  expect(ask).toBe('/admin/content/special/new?date=2026-12-25');
  expect(await page(ask)).toContain('value="2026-12-25"');
});

test('own series that would fill the feed leave room for the next dates of external calendars', async () => {
  const foreign = Array.from({ length: 40 }, (_, index) =>
    eventLines(`Band ${index}`, `202612${String(1 + (index % 28)).padStart(2, '0')}T180000`, `X-N:${index}`),
  );
  await using service = await serviceWith(foreign);
  const eve = await editorAt(service);
  for (let index = 0; index < 3; index += 1)
    await eve.publish('event', { title: `Series ${index}`, date: '2026-11-23', rule: 'FREQ=DAILY' });

  const feed = await service.feed();

  expect(uidsIn(feed).length).toBeLessThanOrEqual(900);
  expect(feed.match(/^SUMMARY:Band/gm)).toHaveLength(40);
  expect(feed.match(/^SUMMARY:Series 0\r$/gm)?.length).toBeGreaterThan(35);
});
