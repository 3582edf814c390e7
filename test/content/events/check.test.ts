import { expect, test } from 'vitest';
import type { EventBody } from '#content/events/body.ts';
import { checkEvent, checkEventAmong, completeEvent } from '#content/events/check.ts';
import { event, NOW, weekly, ZONE } from './event.ts';

const complete = (body: EventBody, before?: EventBody, at = NOW) =>
  completeEvent(body, { before, at, zone: ZONE });

test.each<[string, Partial<EventBody>]>([
  ['end_time', { end_time: '20:00' }],
  ['end_time', { end_time: '01:30' }],
  ['end_time', { end_time: null, end_days: 1 }],
  ['end_time', { time: null }],
  ['rule', { rule: 'FREQ=HOURLY' }],
  ['rule', { rule: 'FREQ=MONTHLY;BYMONTHDAY=32' }],
  ['rule', { rule: 'FREQ=WEEKLY;COUNT=3' }],
  ['rule', { rule: 'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30' }],
  ['until', { until: '2027-06-30' }],
  ['until', { rule: 'FREQ=WEEKLY', until: '2026-12-07' }],
  ['until', { rule: 'FREQ=WEEKLY;BYDAY=FR', until: '2026-12-10' }],
  ['end_days', { rule: 'FREQ=DAILY', end_days: 2 }],
  ['end_days', { rule: 'FREQ=WEEKLY;BYDAY=FR,SA', end_days: 1 }],
  ['end_days', { rule: 'FREQ=DAILY', time: null, end_time: null, end_days: 1 }],
  ['end_days', { extra: ['2026-12-09'], end_days: 1 }],
  [
    'changes.2026-12-15.end_time',
    { rule: 'FREQ=WEEKLY', changes: { '2026-12-15': { as: 'changed', time: '23:30' } } },
  ],
])('an error at %s is reported for %j', (path, fields) => {
  const problems = checkEvent({ ...event(), ...fields });

  expect(problems.map((problem) => problem.path)).toEqual([path]);
});

test.each<Partial<EventBody>>([
  { end_time: '01:30', end_days: 1 },
  { end_time: '20:00', end_days: 1, rule: 'FREQ=DAILY' },
  { time: null, end_time: null, rule: 'FREQ=DAILY' },
  { time: null, end_time: null, end_days: 60 },
  { rule: 'FREQ=MONTHLY', end_days: 27 },
  { rule: 'FREQ=YEARLY;INTERVAL=4', date: '2028-02-29', end_days: 5 },
])('%j is valid', (fields) => {
  expect(checkEvent({ ...event(), ...fields })).toEqual([]);
});

test('the first date moves to the rule’s first match, the rule is normalized, the zone defaults to the club’s', () => {
  const input = { ...event(), rule: 'byday=th;freq=weekly', zone: null, extra: ['2026-12-24', '2026-12-10'] };

  expect(complete(input)).toMatchObject({
    date: '2026-12-10',
    rule: 'FREQ=WEEKLY;BYDAY=TH',
    zone: ZONE,
    extra: ['2026-12-24'],
  });
  expect(complete({ ...input, zone: null }, event({ zone: 'Europe/Berlin' })).zone).toBe('Europe/Berlin');
});

test('the end may be at most ten years ahead', () => {
  const check = (until: string) =>
    checkEventAmong(weekly({ until }), { before: undefined, others: () => [], today: '2026-11-21' });

  expect(check('2036-11-21')).toEqual([]);
  expect(check('2036-11-22')).toMatchObject([{ path: 'until' }]);
});

test('all series together have limits, which are not checked when only texts change', () => {
  const check = (body: EventBody, others: EventBody[], before?: EventBody) =>
    checkEventAmong(body, { before, others: () => others, today: '2026-12-01' });
  const daily = event({ rule: 'FREQ=DAILY' });

  expect(check(daily, Array(19).fill(daily))).toEqual([]);
  expect(check(daily, Array(29).fill(daily))).toMatchObject([
    { path: 'rule', message: expect.stringContaining('13,620 dates') },
  ]);
  expect(check({ ...daily, title: 'Darts' }, Array(29).fill(daily), daily)).toEqual([]);
  expect(check(weekly(), Array(1_000).fill(weekly()))).toMatchObject([{ path: 'rule' }]);
  expect(check(weekly(), Array(1_000).fill(event()))).toEqual([]);
});

test('the stamp is the time of the last change that matters to calendars, and never decreases', () => {
  const first = weekly();
  const ticked = complete(
    { ...first, in_pub: false, picture: 'p', stamps: { all: 5, dates: {} } },
    first,
    NOW + 1_000,
  );
  const later = complete({ ...ticked, time: '19:00' }, ticked, NOW + 2_000);
  const back = complete({ ...later, time: '20:00', stamps: null }, later, NOW + 3_000);
  const longer = complete({ ...back, extra: ['2026-12-24'], until: '2027-06-30' }, back, NOW + 4_000);

  expect([first, ticked, later, back, longer].map(({ stamps }) => stamps?.all)).toEqual(
    [0, 0, 2_000, 3_000, 3_000].map((ms) => NOW + ms),
  );
  const single = event();
  expect(complete({ ...single, date: '2026-12-09' }, single, NOW + 1_000).stamps?.all).toBe(NOW + 1_000);
});

test('a changed date has its own stamp; reverting it changes the stamp of the series', () => {
  const first = weekly();
  const changes = { '2026-12-15': { as: 'cancelled' as const } };
  const cancelled = complete({ ...first, changes }, first, NOW + 1_000);
  const same = complete({ ...cancelled, changes }, cancelled, NOW + 2_000);
  const noted = complete(
    { ...same, changes: { '2026-12-15': { as: 'cancelled', note: 'Flu' } } },
    same,
    NOW + 3_000,
  );
  const back = complete({ ...noted, changes: {} }, noted, NOW + 4_000);

  expect(cancelled.stamps).toEqual({ all: NOW, dates: { '2026-12-15': NOW + 1_000 } });
  expect(same.stamps).toEqual({ all: NOW, dates: { '2026-12-15': NOW + 1_000 } });
  expect(noted.stamps).toEqual({ all: NOW, dates: { '2026-12-15': NOW + 3_000 } });
  expect(back.stamps).toEqual({ all: NOW + 4_000, dates: {} });
});

test('a new record may have a stamp in the past, but not in the future', () => {
  expect(complete({ ...event(), stamps: { all: NOW - 5, dates: {} } }).stamps?.all).toBe(NOW - 5);
  expect(complete({ ...event(), stamps: { all: NOW + 5, dates: {} } }).stamps?.all).toBe(NOW);
});
