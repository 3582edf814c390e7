import { expect, test } from 'vitest';
import type { EventBody } from '#content/events/body.ts';
import { checkEvent, completeEvent, ensureWithinLimits } from '#content/events/check.ts';
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
])('%s is named for %j', (path, fields) => {
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
])('%j is right', (fields) => {
  expect(checkEvent({ ...event(), ...fields })).toEqual([]);
});

test('the first date moves to the first hit, the rule is stored in one spelling, the zone is that of the club', () => {
  const input = { ...event(), rule: 'byday=th;freq=weekly', zone: null, extra: ['2026-12-24', '2026-12-10'] };

  expect(complete(input)).toMatchObject({
    date: '2026-12-10',
    rule: 'FREQ=WEEKLY;BYDAY=TH',
    zone: ZONE,
    extra: ['2026-12-24'],
  });
  expect(complete({ ...input, zone: null }, event({ zone: 'Europe/Berlin' })).zone).toBe('Europe/Berlin');
});

test('an end may be ten years ahead', () => {
  expect(() => complete(weekly({ until: '2036-11-21' }))).not.toThrow();
  expect(() => complete({ ...weekly(), until: '2036-11-22' })).toThrow('until: must be at most 10 years');
});

test('all series together have limits', () => {
  const daily = event({ rule: 'FREQ=DAILY' });

  expect(() => ensureWithinLimits(Array(20).fill(daily), '2026-12-01')).not.toThrow();
  expect(() => ensureWithinLimits(Array(30).fill(daily), '2026-12-01')).toThrow('13,620 dates');
  expect(() => ensureWithinLimits(Array(1_001).fill(weekly()), '2026-12-01')).toThrow('1,000 series');
  expect(() => ensureWithinLimits(Array(1_001).fill(event()), '2026-12-01')).not.toThrow();
});

test('the stamp says when something that matters to a calendar was changed, and never goes down', () => {
  const first = weekly();
  const ticked = complete({ ...first, in_pub: false, picture: 'p', stamp: 5 }, first, NOW + 1_000);
  const later = complete({ ...ticked, time: '19:00' }, ticked, NOW + 2_000);
  const back = complete({ ...later, time: '20:00', stamp: NOW }, later, NOW + 3_000);
  const longer = complete({ ...back, extra: ['2026-12-24'], until: '2027-06-30' }, back, NOW + 4_000);

  expect([first, ticked, later, back, longer].map(({ stamp }) => stamp)).toEqual(
    [0, 0, 2_000, 3_000, 3_000].map((ms) => NOW + ms),
  );
  const single = event();
  expect(complete({ ...single, date: '2026-12-09' }, single, NOW + 1_000).stamp).toBe(NOW + 1_000);
});

test('a changed date has a stamp of its own; taking it back counts for the series', () => {
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

  expect(cancelled).toMatchObject({ stamp: NOW, changes: { '2026-12-15': { stamp: NOW + 1_000 } } });
  expect(same).toMatchObject({ stamp: NOW, changes: { '2026-12-15': { stamp: NOW + 1_000 } } });
  expect(noted).toMatchObject({ stamp: NOW, changes: { '2026-12-15': { stamp: NOW + 3_000 } } });
  expect(back.stamp).toBe(NOW + 4_000);
});

test('a new record may bring a stamp of the past, none of the future', () => {
  expect(complete({ ...event(), stamp: NOW - 5 }).stamp).toBe(NOW - 5);
  expect(complete({ ...event(), stamp: NOW + 5 }).stamp).toBe(NOW);
});
