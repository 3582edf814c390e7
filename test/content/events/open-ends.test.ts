import { afterEach, beforeEach, expect, test } from 'vitest';
import { refreshFeed } from '#calendar/feed/feed.ts';
import { closedBy, startsByPlace, type Timed } from '#content/events/times.ts';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { calendarHost, calendarText } from '#test/stand-ins/calendar-host.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { mintFeed } from '../../calendar/fixtures.ts';
import { readSource } from '../ical/reading-service.ts';

const HTML = { accept: 'text/html' };
/** The tests' clock is at noon on this Saturday, in New York (UTC-5). */
const TODAY = '2026-11-21';
const QUIZ = { title: 'Quiz', place: 'Pub', date: TODAY, time: '20:00' };

let service: TestApp;
let eve: Awaited<ReturnType<typeof editorAt>>;
beforeEach(async () => {
  service = await testApp({ BASE_URL: 'https://pub.example', TIME_ZONE: 'America/New_York' });
  eve = await editorAt(service);
});
afterEach(() => service[Symbol.asyncDispose]());

const feedOf = async (): Promise<EventsFeed> => (await service.get('/api/events')).json();
const ofToday = async (title: string) => (await feedOf()).todayEvents.find((event) => event.title === title);
const at = (time: string, date = TODAY) =>
  Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime('America/New_York').toInstant();
const iso = (time: string, date?: string) => at(time, date).toString({ fractionalSecondDigits: 3 });
const week = (range: [opens: string, closes: string]) => ({
  from: '2026-01-01',
  week: Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [
      day,
      [{ opens: range[0], closes: range[1] }],
    ]),
  ),
});

const START = Date.UTC(2026, 10, 21, 20);
const CASES: [
  name: string,
  others: readonly [place: string, start: number, more?: object][],
  closing: number | undefined,
  hours: number,
  of?: Partial<Timed> & { place?: string },
][] = [
  ['nothing else is known', [], undefined, 4],
  ['the next event at its place', [['Pub', 2 * HOUR]], undefined, 2],
  ['a place is compared as a name', [[' PUB ', 2 * HOUR]], undefined, 2],
  ['an event at another place', [['Hall', 2 * HOUR]], undefined, 4],
  [
    'the nearest of several',
    [
      ['Pub', 3 * HOUR],
      ['Pub', 1.5 * HOUR],
    ],
    undefined,
    1.5,
  ],
  ['one that begins within the hour', [['Pub', 30 * MINUTE]], undefined, 1],
  ['one that begins at the same time', [['Pub', 0]], undefined, 4],
  ['one without a place', [['', 2 * HOUR]], undefined, 4, { place: '' }],
  ['one that is cancelled', [['Pub', 2 * HOUR, { cancelled: true }]], undefined, 4],
  ['one that lasts all day', [['Pub', 2 * HOUR, { allDay: true }]], undefined, 4],
  ['the closing', [], 3 * HOUR, 3],
  ['a closing within the hour', [], 20 * MINUTE, 1],
  ['a closing much later', [], 9 * HOUR, 4],
  ['the closing before the next event', [['Pub', 3 * HOUR]], 2 * HOUR, 2],
  ['the closing, elsewhere', [], 3 * HOUR, 4, { openEnded: 'elsewhere' }],
];

test.each(CASES)('an event without an end ends by: %s', (_name, others, closing, hours, of = {}) => {
  const { place = 'Pub', ...more } = of;
  const event: Timed = { start: START, end: START, allDay: false, openEnded: 'pub', ...more };
  const starts = startsByPlace(
    others.map(([where, after, rest]) => ({
      event: { start: START + after, allDay: false, ...rest },
      place: where,
    })),
  );
  const closingAfter = () => (closing === undefined ? undefined : START + closing);

  expect((closedBy({ starts, closingAfter }, event, place).end - START) / HOUR).toBe(hours);
});

test('an end that was entered stays, whatever begins before it', () => {
  const event: Timed = { start: START, end: START + 6 * HOUR, allDay: false };
  const starts = new Map([['pub', [START + HOUR]]]);

  expect(closedBy({ starts, closingAfter: () => START + HOUR }, event, 'Pub')).toBe(event);
});

test('feeds give an end to an event without one, and pages do not show it', async () => {
  await eve.publish('event', QUIZ);
  const id = await eve.publish('event', {
    ...QUIZ,
    title: 'Open mic',
    date: '2026-11-22',
    announce_from: TODAY,
  });
  await refreshFeed(service.calendarContext);

  expect(await ofToday('Quiz')).toMatchObject({
    start: '8:00 PM',
    end: '12:00 AM',
    startIso: iso('20:00'),
    endIso: iso('00:00', '2026-11-22'),
    open_ended: true,
  });
  const feed = await feedOf();
  expect(feed.slides).toMatchObject([{ title: 'Open mic', body: 'Sun, Nov 22, from 8:00 PM' }]);
  for (const page of ['/events', '/programme', '/tv']) {
    const { body } = await service.get(page, HTML);
    // The texts that browser modules may need are not shown.
    const shown = body.replace(/<script type="application\/json" id="texts">.*?<\/script>/s, '');
    const text = shown.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    expect([page, /from 8(:00)? PM/i.test(text), /midnight|12:00 AM/i.test(text)]).toEqual([
      page,
      true,
      false,
    ]);
  }
  const [, href = ''] = /href="(\/events\/[^"]+)"/.exec((await service.get('/programme', HTML)).body) ?? [];
  const page = (await service.get(href, HTML)).body;
  expect(page).toContain('from 8 PM');
  expect(page).not.toMatch(/midnight|12:00 AM|– /);
  const { dates } = await eve.read(`event/${id}/dates`);
  expect(dates).toMatchObject([{ open_ended: true, end: iso('00:00', '2026-11-23') }]);
});

test('an event whose end was entered is not open', async () => {
  await eve.publish('event', { ...QUIZ, end_time: '22:00' });
  await eve.publish('event', { ...QUIZ, title: 'Fair', time: null });

  for (const title of ['Quiz', 'Fair']) expect(await ofToday(title)).not.toHaveProperty('open_ended');
});

test('the next event at the place, or the closing, ends it, and the status follows', async () => {
  await eve.publish('event', QUIZ);
  await eve.publish('event', { ...QUIZ, title: 'Band', time: '22:30', end_time: '23:30' });
  expect(await ofToday('Quiz')).toMatchObject({ endIso: iso('22:30'), open_ended: true });

  await eve.publish('hours', week(['17:00', '22:00']));
  expect(await ofToday('Quiz')).toMatchObject({ endIso: iso('22:00') });

  service.clock.now = at('21:59').epochMilliseconds;
  expect(await ofToday('Quiz')).toMatchObject({ status: 'Now' });
  service.clock.now = at('22:00').epochMilliseconds;
  expect(await ofToday('Quiz')).toMatchObject({ status: 'Done' });
});

test('the closing after midnight ends an event of the evening, not one at another place', async () => {
  await eve.publish('hours', week(['17:00', '01:00']));
  await eve.publish('event', { ...QUIZ, time: '22:00' });
  await eve.publish('event', { ...QUIZ, title: 'Outing', place: 'Forest', time: '22:00', in_pub: false });
  await refreshFeed(service.calendarContext);

  expect(await ofToday('Quiz')).toMatchObject({ endIso: iso('01:00', '2026-11-22') });
  const file = (await service.get(await mintFeed(service))).body;
  expect(file).toMatch(/DTEND;TZID=America\/New_York:20261122T010000/);
  expect(file).toMatch(/DTEND;TZID=America\/New_York:20261122T020000/);
});

test('each date of a series ends by what follows it on that day', async () => {
  await eve.publish('event', { ...QUIZ, rule: 'FREQ=DAILY' });
  await eve.publish('event', { ...QUIZ, title: 'Band', date: '2026-11-22', time: '21:30' });
  const { todayEvents, weekEvents } = await feedOf();
  const ends = [...todayEvents, ...weekEvents]
    .filter(({ title }) => title === 'Quiz')
    .map(({ endIso }) => endIso);

  expect(ends.slice(0, 3)).toEqual([
    iso('00:00', '2026-11-22'),
    iso('21:30', '2026-11-22'),
    iso('00:00', '2026-11-24'),
  ]);
});

test('an event of an external calendar without an end is open, one of a day is not', async () => {
  const lines = (uid: string, ...more: string[]) => [`UID:${uid}`, `SUMMARY:${uid}`, ...more];
  await using host = await calendarHost(() => ({
    body: calendarText([
      lines('Open', `DTSTART:20261122T010000Z`, 'LOCATION:Pub'),
      lines('Zero', `DTSTART:20261122T010000Z`, `DTEND:20261122T010000Z`),
      lines('Long', `DTSTART:20261122T010000Z`, 'DURATION:PT2H'),
      lines('Day', 'DTSTART;VALUE=DATE:20261121'),
    ]),
  }));
  await readSource(service, host.url, {});
  await eve.publish('event', { ...QUIZ, title: 'Band', time: '22:30' });
  const { todayEvents } = await feedOf();
  const told = todayEvents.map(({ title, endIso, open_ended = false }) => [title, endIso, open_ended]);

  expect(told.sort()).toEqual([
    ['Band', iso('02:30', '2026-11-22'), true],
    ['Day', iso('00:00', '2026-11-22'), false],
    ['Long', iso('22:00'), false],
    ['Open', iso('22:30'), true],
    ['Zero', iso('00:00', '2026-11-22'), true],
  ]);
});

test('the short form of an event takes an end, and does without', async () => {
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const form = (await service.get('/admin/first-steps', { ...HTML, ...owner })).body;
  const [, event = ''] = /<form[^>]*action="\/admin\/content\/event">([\s\S]*?)<\/form>/.exec(form) ?? [];
  expect(event).toMatch(/name="end_time"/);
  const fields = {
    next: '/admin/first-steps',
    in_pub: 'true',
    in_calendar: 'true',
    publish: 'true',
    date: TODAY,
  };
  for (const [title, end_time] of [
    ['With', '22:00'],
    ['Without', ''],
  ] as const)
    await service.submit('/admin/content/event', { ...fields, title, time: '20:00', end_time }, eve.headers);

  expect(await ofToday('With')).toMatchObject({ endIso: iso('22:00') });
  expect(await ofToday('Without')).toMatchObject({ open_ended: true });
});
