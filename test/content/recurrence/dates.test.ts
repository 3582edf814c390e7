import { expect, test } from 'vitest';
import { daysAfter, firstHit, hasDate, listDates, nthDate } from '#content/recurrence/dates.ts';
import { expandWalls } from '#content/recurrence/expand.ts';
import { FROZEN_RULES, wrongRules } from './frozen-rules.ts';

const rules = FROZEN_RULES;

test('300 rules give the same dates as another library', () => {
  expect(rules).toHaveLength(300);
  expect(wrongRules()).toEqual([]);
});

test('a window that begins in the middle has the same dates', () => {
  const wrong = rules.filter(({ rule, date, until, last, dates }) => {
    const from = dates[Math.floor(dates.length / 2)] ?? date;
    const expected = dates.filter((one) => one >= from);
    const found = listDates({ rule, date, until, extra: [] }, from, dates.length < 60 ? last : dates[59]!);
    return found.join() !== expected.join();
  });

  expect(wrong.map(({ rule, date }) => `${rule} from ${date}`)).toEqual([]);
});

test('local times do not change over a clock change, and none is dropped', () => {
  const start = Temporal.PlainDateTime.from('2027-03-12T02:30');
  const until = Temporal.PlainDateTime.from('2027-03-16T02:30');

  const walls = expandWalls({ rule: 'FREQ=DAILY', start }, start, until);

  expect(walls.map(String)).toEqual([
    '2027-03-12T02:30:00',
    '2027-03-13T02:30:00',
    '2027-03-14T02:30:00',
    '2027-03-15T02:30:00',
    '2027-03-16T02:30:00',
  ]);
});

test('a start that does not match its rule is not a date', () => {
  const series = { rule: 'FREQ=WEEKLY;BYDAY=TU', date: '2026-12-03', until: null, extra: [] };

  expect(listDates(series, '2026-12-01', '2026-12-16')).toEqual(['2026-12-08', '2026-12-15']);
  expect(firstHit(series.rule, series.date)).toBe('2026-12-08');
});

test.each([
  ['FREQ=MONTHLY;BYMONTHDAY=31', ['2027-01-31', '2027-03-31', '2027-05-31']],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
  ['FREQ=MONTHLY', ['2027-01-31', '2027-03-31', '2027-05-31']],
  ['FREQ=MONTHLY;BYDAY=-1FR', ['2027-02-26', '2027-03-26', '2027-04-30', '2027-05-28']],
  ['FREQ=MONTHLY;BYDAY=1TU,3TU;BYMONTH=2,3', ['2027-02-02', '2027-02-16', '2027-03-02', '2027-03-16']],
])('%s from January 31 gives the right dates', (rule, dates) => {
  expect(listDates({ rule, date: '2027-01-31', until: null, extra: [] }, '2027-01-01', '2027-05-31')).toEqual(
    dates,
  );
});

test('the last Friday of 24 months is the last one of each', () => {
  const series = { rule: 'FREQ=MONTHLY;BYDAY=-1FR', date: '2027-01-29', until: null, extra: [] };

  const found = listDates(series, '2027-01-01', '2028-12-31').map((date) => Temporal.PlainDate.from(date));

  expect(found.map((date) => date.toPlainYearMonth().toString())).toEqual(
    Array.from({ length: 24 }, (_, months) =>
      Temporal.PlainYearMonth.from('2027-01').add({ months }).toString(),
    ),
  );
  for (const date of found) {
    expect(date.dayOfWeek).toBe(5);
    expect(date.add({ days: 7 }).month).not.toBe(date.month);
  }
});

test('extra dates count once, also after the end; without a rule the date itself counts', () => {
  const rule = 'FREQ=WEEKLY';
  const series = { rule, date: '2026-12-01', until: '2026-12-14', extra: ['2026-12-08', '2026-12-24'] };

  expect(listDates(series, '2026-01-01', '2027-12-31')).toEqual(['2026-12-01', '2026-12-08', '2026-12-24']);
  expect(listDates({ ...series, rule: null }, '2026-01-01', '2027-12-31')).toEqual([
    '2026-12-01',
    '2026-12-08',
    '2026-12-24',
  ]);
  expect(hasDate(series, '2026-12-24')).toBe(true);
  expect(hasDate(series, '2026-12-15')).toBe(false);
});

test('a rule that never matches has no first date, one that rarely matches has', () => {
  expect(firstHit('FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30', '2026-01-01')).toBeUndefined();
  expect(firstHit('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU', '2026-01-01')).toBe('2032-02-29');
});

test('nthDate returns the date of the nth occurrence', () => {
  expect(nthDate('FREQ=WEEKLY;INTERVAL=2', '2026-12-01', 5)).toBe('2027-01-26');
  expect(nthDate('FREQ=YEARLY', '2026-12-01', 12)).toBeUndefined();
});

test('fifty series of five years expand, and an empty window has no dates', () => {
  const series = rules.slice(0, 50).map(({ rule, date }) => ({ rule, date, until: null, extra: [] }));

  const dates = series.map((one) => listDates(one, daysAfter(one.date, 1_400), daysAfter(one.date, 1_800)));

  expect(dates.every((list) => list.every((date, i) => i === 0 || date > list[i - 1]!))).toBe(true);
  expect(dates.flat().length).toBeGreaterThan(500);
  expect(listDates(series[0]!, '2027-02-01', '2027-01-01')).toEqual([]);
});
