import { expect, test } from 'vitest';
import type { Event, WeekEvent } from '#pub/display/events.ts';
import { type Feed, screenModel } from '#views/assets/tv/model.js';
import { hoursLines, nextOpening, stateAt } from '#views/assets/tv/opening.js';
import type { Slide } from '#views/assets/tv/slide.js';
import { holdFor } from '#views/assets/tv/slides.js';
import { textPages } from '#views/assets/tv/text-pages.js';

const ZONE = 'America/New_York';
const iso = (local: string) =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(ZONE).toInstant().toString();
const ms = (local: string) => Date.parse(iso(local));
const label = (local: string) =>
  new Date(ms(local)).toLocaleTimeString('en-US', { timeZone: ZONE, hour: 'numeric', minute: '2-digit' });

const event = (title: string, start: string, end: string, date = ''): Event & WeekEvent => ({
  title,
  start: label(start),
  end: label(end),
  startIso: iso(start),
  endIso: iso(end),
  date,
  rcTag: null,
  allDay: false,
  status: 'Later',
});

/** A day with its openings, each from and to a local time; an end before its start is on the next day. */
const day = (date: string, ...ranges: [from: string, to: string][]) => ({
  date,
  open: ranges.length > 0,
  hours:
    ranges.map(([from, to]) => `${label(`${date}T${from}`)} – ${label(`${date}T${to}`)}`).join(', ') || null,
  openings: ranges.map(([from, to]): [string, string] => {
    const next = to < from ? Temporal.PlainDate.from(date).add({ days: 1 }).toString() : date;
    return [iso(`${date}T${from}`), iso(`${next}T${to}`)];
  }),
});

/** Sunday to Saturday, Nov 15 to 21; open from Tuesday on, on Saturday until one. */
const WEEK = [15, 16, 17, 18, 19, 20, 21].map((date) => {
  if (date < 17) return day(`2026-11-${date}`);
  if (date < 21) return day(`2026-11-${date}`, ['17:00', '23:00']);
  return day('2026-11-21', ['11:00', '14:00'], ['17:00', '01:00']);
});
const OPEN: Feed['pubTender'] = {
  name: 'Ada & Bo',
  hours: '5:00 PM – 1:00 AM',
  note: 'Open until 1:00 AM',
  noteState: 'active',
  pageUrl: '',
  activeTenders: [],
};
const NO_SHIFT: Feed['pubTender'] = {
  ...OPEN,
  name: '',
  hours: '',
  note: 'No shift today',
  noteState: 'inactive',
};

const feed = (more: Partial<Feed> = {}): Feed => ({
  lastUpdated: iso('2026-11-21T12:00'),
  source: 'workspace',
  stale: false,
  timeZone: ZONE,
  announcements: [],
  pubHoursWeek: [],
  todayEvents: [],
  carryoverEvents: [],
  weekEvents: [],
  slides: [],
  pubDays: WEEK,
  hoursKnown: true,
  nextWindowMin: 60,
  pubTender: OPEN,
  ...more,
});

/** What the screen shows at a local time, from a feed that was read at `readAt` and is recent if `fresh`. */
const at = (time: string, more: Partial<Feed> = {}, { readAt = time, fresh = true } = {}) =>
  screenModel(feed(more), ms(time), { zone: ZONE, readAt: ms(readAt), fresh });

test('an event is Later, then Next, then Now, then Done for ten minutes, then gone', () => {
  const todayEvents = [event('Quiz', '2026-11-21T19:00', '2026-11-21T21:00')];
  const row = (time: string) => at(time, { todayEvents }).today.map(({ status, note }) => [status, note]);

  expect(row('2026-11-21T17:59:59')).toEqual([['Later', 'until 9:00 PM']]);
  expect(row('2026-11-21T18:00')).toEqual([['Next', 'in 60 min, until 9:00 PM'.replace('60 min', '1 h')]]);
  expect(row('2026-11-21T18:59:59')).toEqual([['Next', 'in 1 min, until 9:00 PM']]);
  expect(row('2026-11-21T19:00')).toEqual([['Now', 'until 9:00 PM']]);
  expect(row('2026-11-21T21:00')).toEqual([['Done', 'is over']]);
  expect(row('2026-11-21T21:10')).toEqual([]);
  expect(at('2026-11-21T21:10', { todayEvents }).nothing).toBe('That was all for today.');
});

test('midnight is written as a word', () => {
  const todayEvents = [event('Quiz', '2026-11-21T19:00', '2026-11-22T00:00')];
  const openingInWords = { hours: '5:00 PM – midnight', note: 'Open until midnight' };
  const { today, pub } = at('2026-11-21T19:00', { todayEvents, openingInWords });

  expect([today[0]?.note, pub.note]).toEqual(['until midnight', 'Open until midnight']);
});

test('after midnight without a new feed, yesterday is gone and tomorrow has become today', () => {
  const more = {
    todayEvents: [
      event('Quiz', '2026-11-21T19:00', '2026-11-21T21:00'),
      event('Late', '2026-11-21T22:00', '2026-11-22T01:00'),
    ],
    weekEvents: [
      event('Roast', '2026-11-22T13:00', '2026-11-22T15:00', 'Sun, Nov 22'),
      event('Mic', '2026-11-24T20:00', '2026-11-24T22:00', 'Tue, Nov 24'),
    ],
  };
  const shown = (time: string) => {
    const { today, coming } = at(time, more, { readAt: '2026-11-21T20:00', fresh: false });
    return [today.map(({ title }) => title), coming.map(({ when, title }) => `${when} ${title}`)];
  };

  expect(shown('2026-11-21T23:59')).toEqual([
    ['Late'],
    ['Sun, Nov 22 · 1:00 PM Roast', 'Tue, Nov 24 · 8:00 PM Mic'],
  ]);
  expect(shown('2026-11-22T00:00')).toEqual([['Late', 'Roast'], ['Tue, Nov 24 · 8:00 PM Mic']]);
  expect(shown('2026-11-22T01:00')).toEqual([['Roast'], ['Tue, Nov 24 · 8:00 PM Mic']]);
  expect(shown('2026-11-22T15:00')).toEqual([[], ['Tue, Nov 24 · 8:00 PM Mic']]);
  expect(shown('2026-11-25T15:00')).toEqual([[], []]);
});

test('the model has all events, but finished ones only if there are few', () => {
  const todayEvents = Array.from({ length: 7 }, (_, index) =>
    event(`E${index}`, `2026-11-21T1${index}:00`, `2026-11-21T1${index}:55`),
  );
  const { today, coming } = at('2026-11-21T10:57', {
    todayEvents,
    weekEvents: Array.from({ length: 12 }, (_, index) =>
      event(`W${index}`, `2026-11-22T1${index % 10}:00`, '2026-11-22T23:00', 'Sun, Nov 22'),
    ),
  });
  expect(today.map(({ title }) => title)).toEqual(['E1', 'E2', 'E3', 'E4', 'E5', 'E6']);
  expect(coming).toHaveLength(12);
});

test('the openings say whether the pub is open, also past midnight, and when it opens again', () => {
  const state = (time: string) => stateAt(WEEK, ms(time), ZONE);
  expect(state('2026-11-16T20:00')).toBe('inactive');
  expect(state('2026-11-18T16:59')).toBe('upcoming');
  expect(state('2026-11-18T17:00')).toBe('active');
  expect(state('2026-11-18T23:00')).toBe('closed');
  expect(state('2026-11-21T15:00')).toBe('upcoming');
  expect(state('2026-11-21T23:59')).toBe('active');
  expect(state('2026-11-22T00:59')).toBe('active');
  expect(state('2026-11-22T01:00')).toBe('inactive');

  const next = (time: string) => nextOpening(WEEK, ms(time), ZONE);
  expect(next('2026-11-15T12:00')).toBe('We open again Tuesday at 5:00 PM.');
  expect(next('2026-11-16T12:00')).toBe('We open again tomorrow at 5:00 PM.');
  expect(next('2026-11-21T15:00')).toBe('We open again today at 5:00 PM.');
  expect(next('2026-11-21T18:00')).toBe('');
});

test('the welcome slide has the hours of the next seven days, today first', () => {
  const pubDays = [...WEEK, ...[22, 23, 24, 25, 26, 27, 28].map((date) => day(`2026-11-${date}`))];
  const { week = [] } = at('2026-11-21T12:00', { pubDays }).slides[0] ?? {};
  expect(week.map(({ day: name }) => name)).toEqual(
    'Saturday Sunday Monday Tuesday Wednesday Thursday Friday'.split(' '),
  );
  expect(week[0]).toMatchObject({ hours: '11:00 AM – 2:00 PM, 5:00 PM – 1:00 AM', today: true });
});

test('a closed pub dims the screen and says when it opens again, unless something is on', () => {
  const closed = { pubTender: NO_SHIFT };
  expect(at('2026-11-18T23:30', closed)).toMatchObject({
    closed: true,
    slides: [{ type: 'welcome', title: 'Closed for tonight', body: 'We open again tomorrow at 5:00 PM.' }],
  });
  const slides: Slide[] = [{ type: 'announcement', title: 'Ale' }];
  expect(at('2026-11-18T23:30', { ...closed, slides }).slides).toMatchObject([
    { type: 'welcome' },
    { title: 'Ale' },
  ]);
  const todayEvents = [event('Night watch', '2026-11-18T23:00', '2026-11-18T23:59')];
  expect(at('2026-11-18T23:30', { ...closed, todayEvents }).closed).toBe(false);
});

test('a pub without known opening hours is not shown as closed, and shows no hours', () => {
  const none = { hoursKnown: false, pubTender: NO_SHIFT };
  const { closed, pub, slides } = at('2026-11-18T23:30', none);
  expect([closed, pub.hours, pub.note, pub.who]).toEqual([false, '', '', '']);
  expect(slides).toMatchObject([{ type: 'welcome', title: 'Public House', week: [] }]);
});

test('from an old feed only what is still valid is shown', () => {
  const old = at('2026-11-21T18:00', {}, { readAt: '2026-11-21T17:30', fresh: false });
  expect(old.pub).toMatchObject({ hours: '5:00 PM – 1:00 AM', note: '', who: 'Ada & Bo', state: 'active' });
  const next = at('2026-11-20T18:00', {}, { readAt: '2026-11-19T18:00', fresh: false });
  expect(next.pub).toMatchObject({ hours: '5:00 PM – 11:00 PM', note: '', who: '' });
});

test.each([
  ['an open pub says until when', {}, ['Open until 1:00\u00a0AM', '']],
  [
    'one that will open says its hours',
    { noteState: 'upcoming', note: 'Opens at 5:00 PM' },
    ['5:00\u00a0PM\u00a0– 1:00\u00a0AM', ''],
  ],
  [
    'the last call stands below the hours',
    { noteState: 'last-call', note: 'Last call' },
    ['5:00\u00a0PM\u00a0– 1:00\u00a0AM', 'Last call'],
  ],
] as const)('no time is said twice or broken: %s', (_what, tender, lines) => {
  const { pub } = at('2026-11-21T18:00', { pubTender: { ...OPEN, ...tender } });
  expect(hoursLines(pub)).toEqual(lines);
  const { pub: old } = at('2026-11-21T18:00', { pubTender: { ...OPEN, ...tender } }, { fresh: false });
  expect(hoursLines(old)).toEqual(['5:00\u00a0PM\u00a0– 1:00\u00a0AM', '']);
});

test.each<[Slide, hold: number]>([
  [{ type: 'announcement', durationMs: 9_000 }, 9_000],
  [{ type: 'announcement', durationMs: 1 }, 5_000],
  [{ type: 'announcement', durationMs: 9e9 }, 120_000],
  [{ type: 'announcement', title: 'Winter ale', body: 'is on' }, 9_200],
  [{ type: 'announcement', title: 'Poster', imageUrl: '/x' }, 12_000],
  [{ type: 'tender' }, 15_000],
  [{ type: 'link' }, 12_000],
])('%o is shown for %i ms', (slide, hold) => {
  expect(holdFor(slide)).toBe(hold);
});

test('a part of a text is shown for its share of the duration, but at least for its reading time', () => {
  const text = 'word '.repeat(120);
  const slide: Slide = { type: 'announcement', title: 'Meeting', body: text, durationMs: 120_000 };
  const part = { text: 'word '.repeat(60), page: 0, pages: 2 };
  expect(holdFor(slide, part)).toBe(60_000);
  expect(holdFor({ ...slide, durationMs: 10_000 }, part)).toBe(22_300);
  expect(holdFor({ ...slide, durationMs: null }, part)).toBe(22_300);
});

test('a long text is divided where sentences end, into parts of about the same length', () => {
  const fits = (most: number) => (part: string) => part.split(/\s+/).length <= most;
  const sentence = 'One two three four five six.';
  expect(textPages(sentence, fits(6))).toEqual([sentence]);
  expect(textPages(`${sentence} ${sentence} ${sentence} ${sentence}`, fits(16))).toEqual([
    `${sentence} ${sentence}`,
    `${sentence} ${sentence}`,
  ]);
  expect(textPages('a b c d e f g', fits(3))).toEqual(['a b c', 'd e f', 'g']);
  expect(textPages('word', () => false)).toEqual(['word']);
  expect(textPages('two words', () => false)).toEqual(['two', 'words']);
});
