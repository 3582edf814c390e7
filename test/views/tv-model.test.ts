import { expect, test } from 'vitest';
import { rangesOf, screenModel, stateByHours } from '#views/assets/tv/model.js';
import { holdFor } from '#views/assets/tv/slides.js';

const ZONE = 'America/New_York';
const iso = (local: string) =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(ZONE).toInstant().toString();
const ms = (local: string) => Date.parse(iso(local));
const label = (local: string) =>
  new Date(ms(local)).toLocaleTimeString('en-US', { timeZone: ZONE, hour: 'numeric', minute: '2-digit' });

const event = (title: string, start: string, end: string, date = '') => ({
  title,
  start: label(start),
  end: label(end),
  startIso: iso(start),
  endIso: iso(end),
  ...(date && { date }),
});

/** Sunday to Saturday, Nov 15 to 21; open from Tuesday on, on Saturday until one. */
const WEEK = [null, null, 'ev', 'ev', 'ev', 'ev', 'late'].map((kind, index) => ({
  date: `2026-11-${15 + index}`,
  open: kind !== null,
  hours: kind && (kind === 'ev' ? '5:00 PM – 11:00 PM' : '11:00 AM – 2:00 PM, 5:00 PM – 1:00 AM'),
}));
const OPEN = {
  name: 'Ada & Bo',
  hours: '5:00 PM – 1:00 AM',
  note: 'Open until 1:00 AM',
  noteState: 'active',
};

const feed = (more: object = {}) => ({
  todayEvents: [],
  carryoverEvents: [],
  weekEvents: [],
  slides: [],
  pubHoursWeek: WEEK,
  hoursKnown: true,
  nextWindowMin: 60,
  pubTender: OPEN,
  ...more,
});

/** What the screen shows at a local time, from a feed that was read at `readAt` and is recent if `fresh`. */
const at = (time: string, more: object = {}, { readAt = time, fresh = true } = {}) =>
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

test('midnight and noon are said in words', () => {
  const todayEvents = [event('Quiz', '2026-11-21T19:00', '2026-11-22T00:00')];
  const pubTender = { ...OPEN, note: 'Open until 12:00 AM' };
  const { today, pub } = at('2026-11-21T19:00', { todayEvents, pubTender });

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

  expect(shown('2026-11-21T23:59')).toEqual([['Late'], ['Sun, Nov 22 Roast', 'Tue, Nov 24 Mic']]);
  expect(shown('2026-11-22T00:00')).toEqual([['Late', 'Roast'], ['Tue, Nov 24 Mic']]);
  expect(shown('2026-11-22T01:00')).toEqual([['Roast'], ['Tue, Nov 24 Mic']]);
  expect(shown('2026-11-22T15:00')).toEqual([[], ['Tue, Nov 24 Mic']]);
  expect(shown('2026-11-25T15:00')).toEqual([[], []]);
});

test('of many events five are shown, those that are over last of all', () => {
  const todayEvents = Array.from({ length: 7 }, (_, index) =>
    event(`E${index}`, `2026-11-21T1${index}:00`, `2026-11-21T1${index}:55`),
  );
  const { today, more, coming } = at('2026-11-21T10:57', {
    todayEvents,
    weekEvents: [event('Roast', '2026-11-22T13:00', '2026-11-22T15:00', 'Sun, Nov 22')],
  });
  expect(today.map(({ title }) => title)).toEqual(['E1', 'E2', 'E3', 'E4', 'E5']);
  expect([more, coming]).toEqual([1, []]);
});

test('the hours of the week say whether the pub is open, also past midnight', () => {
  const state = (time: string) => stateByHours(WEEK, ms(time), ZONE);
  expect(state('2026-11-16T20:00')).toBe('inactive');
  expect(state('2026-11-18T16:59')).toBe('upcoming');
  expect(state('2026-11-18T17:00')).toBe('active');
  expect(state('2026-11-18T23:00')).toBe('closed');
  expect(state('2026-11-21T15:00')).toBe('upcoming');
  expect(state('2026-11-21T23:59')).toBe('active');
  expect(rangesOf('11:00 AM – 2:00 PM, 10:00 PM – 12:00 AM, later')).toEqual([
    { from: 660, to: 840 },
    { from: 1320, to: 1440 },
  ]);
  const friday = WEEK.map((day, index) => (index === 5 ? { ...day, hours: '5:00 PM – 1:00 AM' } : day));
  expect(stateByHours(friday, ms('2026-11-21T00:59'), ZONE)).toBe('active');
  expect(stateByHours(friday, ms('2026-11-21T01:00'), ZONE)).toBe('upcoming');
});

test('both switch days have the hours that stand on the wall', () => {
  const day = (date: string) => [{ date, open: true, hours: '1:00 AM – 4:00 AM' }];
  expect(stateByHours(day('2026-11-01'), Date.parse('2026-11-01T08:30:00Z'), ZONE)).toBe('active');
  expect(stateByHours(day('2026-11-01'), Date.parse('2026-11-01T09:00:00Z'), ZONE)).toBe('closed');
  expect(stateByHours(day('2026-03-08'), Date.parse('2026-03-08T07:59:00Z'), ZONE)).toBe('active');
  expect(stateByHours(day('2026-03-08'), Date.parse('2026-03-08T08:00:00Z'), ZONE)).toBe('closed');
});

test('a closed pub dims the screen and says when it opens again, unless something is on', () => {
  const closed = { pubTender: { name: '', hours: '', note: 'No shift today', noteState: 'inactive' } };
  expect(at('2026-11-18T23:30', closed)).toMatchObject({
    closed: true,
    slides: [{ type: 'welcome', title: 'Closed for tonight', body: 'We open again tomorrow at 5:00 PM.' }],
  });
  const slides = [{ type: 'announcement', title: 'Ale' }];
  expect(at('2026-11-18T23:30', { ...closed, slides }).slides).toMatchObject([
    { type: 'welcome' },
    { title: 'Ale' },
  ]);
  const todayEvents = [event('Night watch', '2026-11-18T23:00', '2026-11-18T23:59')];
  expect(at('2026-11-18T23:30', { ...closed, todayEvents }).closed).toBe(false);
});

test('a pub without opening hours is not closed, and says nothing of them', () => {
  const none = {
    hoursKnown: false,
    pubTender: { name: '', hours: '', note: 'No shift today', noteState: 'inactive' },
  };
  const { closed, pub, slides } = at('2026-11-18T23:30', none);
  expect([closed, pub.hours, pub.note, pub.who]).toEqual([false, '', '', '']);
  expect(slides).toMatchObject([{ type: 'welcome', title: 'Public House', week: [] }]);
});

test('from an old feed only what is still known is shown', () => {
  const old = at('2026-11-21T18:00', {}, { readAt: '2026-11-21T17:30', fresh: false });
  expect(old.pub).toMatchObject({ hours: '5:00 PM – 1:00 AM', note: '', who: 'Ada & Bo', state: 'active' });
  const next = at('2026-11-20T18:00', {}, { readAt: '2026-11-19T18:00', fresh: false });
  expect(next.pub).toMatchObject({ hours: '5:00 PM – 11:00 PM', note: '', who: '' });
});

test.each([
  [{ type: 'announcement', durationMs: 9_000 }, 9_000],
  [{ type: 'announcement', durationMs: 1 }, 5_000],
  [{ type: 'announcement', durationMs: 9e9 }, 120_000],
  [{ type: 'announcement', title: 'Winter ale', body: 'is on' }, 9_200],
  [{ type: 'announcement', title: 'Poster', imageUrl: '/x' }, 12_000],
  [{ type: 'tender' }, 15_000],
])('%o stands for %i ms', (slide, hold) => {
  expect(holdFor(slide)).toBe(hold);
});
