import { expect, test } from 'vitest';
import { listEventDates, unfitChanges } from '#content/events/dates.ts';
import { resolveSpan } from '#content/events/times.ts';
import { event, local, shown, weekly, ZONE } from './event.ts';

const HOUR = 3_600_000;

test('a weekly event keeps its local time over both clock changes', () => {
  const body = weekly({ date: '2027-03-09' });

  expect(shown(body, '2027-03-09', '2027-03-16')).toEqual(['2027-03-09 20:00', '2027-03-16 20:00']);
  const [before, after] = listEventDates(body, '2027-03-09', '2027-03-16', ZONE);
  expect(after!.start - before!.start).toBe(7 * 24 * HOUR - HOUR);
  const [late, later] = listEventDates(body, '2027-11-02', '2027-11-09', ZONE);
  expect(later!.start - late!.start).toBe(7 * 24 * HOUR + HOUR);
});

test('a time skipped by the clock change moves forward, a repeated one occurs once', () => {
  const body = event({ date: '2027-03-01', time: '02:30', end_time: '03:30', rule: 'FREQ=DAILY' });
  const night = event({ date: '2027-11-01', time: '01:30', end_time: '02:30', rule: 'FREQ=DAILY' });

  expect(shown(body, '2027-03-13', '2027-03-15')).toEqual([
    '2027-03-13 02:30',
    '2027-03-14 03:30',
    '2027-03-15 02:30',
  ]);
  expect(shown(night, '2027-11-06', '2027-11-08')).toEqual([
    '2027-11-06 01:30',
    '2027-11-07 01:30',
    '2027-11-08 01:30',
  ]);
});

test('a whole day is listed even if its midnight is skipped', () => {
  const havana = 'America/Havana';
  const body = event({ date: '2027-03-12', time: null, end_time: null, rule: 'FREQ=DAILY', zone: havana });

  const dates = listEventDates(body, '2027-03-13', '2027-03-15', havana);

  expect(dates.map(({ start, end }) => [local(start, havana), local(end, havana)])).toEqual([
    ['2027-03-13 00:00', '2027-03-14 01:00'],
    ['2027-03-14 01:00', '2027-03-15 00:00'],
    ['2027-03-15 00:00', '2027-03-16 00:00'],
  ]);
});

test.each([
  // An evening over the night of the repeated hour ends at the later half past one.
  ['2026-10-31', '20:00', '01:30', 1, 6.5],
  ['2026-10-30', '20:00', '01:30', 1, 5.5],
  // It begins at the earlier one.
  ['2026-11-01', '01:30', '02:00', 0, 1.5],
  ['2027-03-14', '02:30', '03:00', 0, 0.5],
  ['2027-03-13', '23:00', '02:30', 1, 3.5],
  // The longest that one without an end can last.
  ['2026-12-08', '20:00', null, 0, 4],
  ['2026-12-08', '20:00', '20:00', 1, 24],
])('%s from %s until %s (%i days later) takes %d hours', (date, time, end_time, end_days, hours) => {
  const { start, end } = resolveSpan({ date, time, end_time, end_days }, ZONE, ZONE);

  expect((end - start) / HOUR).toBe(hours);
});

test('an event keeps its time zone; whole days are in the club’s', () => {
  const span = { date: '2026-12-08', time: '20:00', end_time: '23:00', end_days: 0 };

  expect(local(resolveSpan(span, 'Europe/Berlin', ZONE).start)).toBe('2026-12-08 14:00');
  expect(local(resolveSpan({ ...span, time: null, end_time: null }, 'Europe/Berlin', ZONE).start)).toBe(
    '2026-12-08 00:00',
  );
});

test('dates of a series can be changed, moved, skipped and cancelled', () => {
  const body = weekly({
    changes: {
      '2026-12-08': { as: 'changed', title: 'Big quiz', note: 'Upstairs' },
      '2026-12-15': { as: 'changed', date: '2026-12-16', time: '19:00' },
      '2026-12-22': { as: 'skipped' },
      '2026-12-29': { as: 'cancelled' },
    },
  });

  expect(shown(body, '2026-12-01', '2027-01-05')).toEqual([
    '2026-12-08 20:00',
    '2026-12-16 19:00',
    '2026-12-29 20:00 cancelled',
    '2027-01-05 20:00',
  ]);
  const [first, second] = listEventDates(body, '2026-12-01', '2026-12-16', ZONE);
  expect(first).toMatchObject({ title: 'Big quiz', note: 'Upstairs', changed: true });
  expect(second).toMatchObject({ original: '2026-12-15', title: 'Quiz night' });
});

test('a moved date is listed on its new day, however far away', () => {
  const body = weekly({ changes: { '2026-12-15': { as: 'changed', date: '2027-05-05' } } });

  expect(shown(body, '2026-12-15', '2026-12-15')).toEqual([]);
  expect(shown(body, '2027-05-05', '2027-05-05')).toEqual(['2027-05-05 20:00']);
});

test('a date of a timed series may be a whole day, and vice versa', () => {
  const late = weekly({
    end_time: '01:30',
    end_days: 1,
    changes: { '2026-12-15': { as: 'changed', time: null } },
  });
  const days = weekly({
    time: null,
    end_time: null,
    end_days: 1,
    changes: { '2026-12-15': { as: 'changed', time: '18:00' } },
  });

  expect(listEventDates(late, '2026-12-15', '2026-12-15', ZONE)).toMatchObject([
    { allDay: true, wall: { end_time: null, end_days: 0 } },
  ]);
  const [evening] = listEventDates(days, '2026-12-15', '2026-12-15', ZONE);
  expect(evening).toMatchObject({ allDay: false, openEnded: true });
});

test('a change of a date outside the series is not shown, and is reported as unfit', () => {
  const change = { as: 'changed', date: '2026-12-20' } as const;
  const body = weekly({ changes: { '2026-12-09': change, '2026-12-15': { as: 'skipped' } } });

  expect(unfitChanges(body)).toEqual(['2026-12-09']);
  expect(shown(body, '2026-12-08', '2026-12-22')).toEqual(['2026-12-08 20:00', '2026-12-22 20:00']);
});

test('inherited property names are not dates', () => {
  const changes = JSON.parse('{"__proto__": {"as": "skipped"}, "constructor": {"as": "skipped"}}');

  expect(shown({ ...weekly(), changes }, '2026-12-08', '2026-12-08')).toEqual(['2026-12-08 20:00']);
});
