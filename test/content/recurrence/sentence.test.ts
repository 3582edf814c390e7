import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Described, describeRepeat, describeSeries } from '#content/recurrence/sentence.ts';
import { ENGLISH, type Reader } from '#kernel/language/words.ts';

const described = (series: Described, reader: Reader = ENGLISH) => describeSeries(series).for(reader);

const series = { date: '2026-12-08', time: '20:00', until: null };

test.each([
  ['FREQ=DAILY', 'Every day at 8:00 PM'],
  ['FREQ=DAILY;INTERVAL=2', 'Every second day at 8:00 PM'],
  ['FREQ=DAILY;INTERVAL=10', 'Every 10 days at 8:00 PM'],
  ['FREQ=DAILY;BYMONTH=12', 'Every day in December at 8:00 PM'],
  ['FREQ=WEEKLY', 'Every Tuesday at 8:00 PM'],
  ['FREQ=WEEKLY;BYDAY=FR,SA', 'Every Friday and Saturday at 8:00 PM'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', 'Every second Tuesday at 8:00 PM'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH', 'Every second week on Monday and Thursday at 8:00 PM'],
  ['FREQ=WEEKLY;INTERVAL=3', 'Every 3 weeks on Tuesday at 8:00 PM'],
  ['FREQ=MONTHLY', 'On day 8 of every month at 8:00 PM'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 'On the last day of every month at 8:00 PM'],
  ['FREQ=MONTHLY;BYMONTHDAY=-2,1,15', 'On day 1, day 15 and the second last day of every month at 8:00 PM'],
  ['FREQ=MONTHLY;BYDAY=1TU,3TU', 'On the first and third Tuesday of every month at 8:00 PM'],
  ['FREQ=MONTHLY;BYDAY=-1FR', 'On the last Friday of every month at 8:00 PM'],
  ['FREQ=MONTHLY;BYDAY=-1FR,2FR', 'On the second and last Friday of every month at 8:00 PM'],
  ['FREQ=MONTHLY;BYDAY=1MO,2TU', 'On the first Monday and the second Tuesday of every month at 8:00 PM'],
  ['FREQ=MONTHLY;INTERVAL=2;BYDAY=TU', 'On every Tuesday of every second month at 8:00 PM'],
  ['FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU', 'On the second Tuesday of every 3 months at 8:00 PM'],
  ['FREQ=MONTHLY;BYDAY=MO,TH;BYSETPOS=-1', 'On the last Monday or Thursday of every month at 8:00 PM'],
  ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'On every Friday that is day 13 of every month at 8:00 PM'],
  ['FREQ=MONTHLY;BYMONTH=6,7;BYDAY=1SU', 'On the first Sunday of each June and July at 8:00 PM'],
  ['FREQ=YEARLY', 'On December 8 of every year at 8:00 PM'],
  ['FREQ=YEARLY;INTERVAL=2', 'On December 8 of every second year at 8:00 PM'],
  ['FREQ=YEARLY;BYMONTH=7;BYDAY=3TH', 'On the third Thursday of July of every year at 8:00 PM'],
  ['FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4', 'On day 4 of July of every year at 8:00 PM'],
  ['FREQ=YEARLY;BYDAY=20MO', 'On the 20th Monday of every year at 8:00 PM'],
])('%s is described as: %s', (rule, sentence) => {
  expect(described({ ...series, rule })).toBe(sentence);
});

test('the sentence has the end, extra dates, and all-day events', () => {
  const rule = 'FREQ=WEEKLY;INTERVAL=2';

  expect(described({ ...series, rule, until: '2027-06-30' })).toBe(
    'Every second Tuesday at 8:00 PM, until June 30, 2027',
  );
  expect(described({ ...series, rule, time: null, extra: ['2026-12-24'] })).toBe(
    'Every second Tuesday, all day, and on December 24, 2026',
  );
  expect(described({ ...series, rule: null, extra: ['2026-12-24', '2026-12-26'] })).toBe(
    'On December 8, 2026 at 8:00 PM, and on 2 more dates',
  );
});

test('names and times follow the locale', () => {
  const rule = 'FREQ=WEEKLY';

  expect(described({ ...series, rule, until: '2027-06-30' }, { language: 'en', locale: 'de-DE' })).toBe(
    'Every Dienstag at 20:00, until 30. Juni 2027',
  );
  expect(described({ ...series, rule, until: '2027-06-30' }, { language: 'en', locale: 'en-GB' })).toBe(
    'Every Tuesday at 20:00, until 30 June 2027',
  );
});

test('every frozen rule has a sentence', () => {
  const file = path.join(import.meta.dirname, '../../fixtures/recurrence-rules.jsonl');
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');

  for (const line of lines)
    expect(described(JSON.parse(line))).toMatch(/^(Every|On) .* at \d{1,2}:\d\d [AP]M/);
});

test.each([
  ['FREQ=DAILY;INTERVAL=2;BYDAY=MO,TU', 'Every second day, if it is a Monday or Tuesday'],
  ['FREQ=DAILY;BYMONTHDAY=1,-1;BYMONTH=6', 'Every day, if it is day 1 or the last day of the month in June'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYMONTH=6,7', 'Every second Tuesday in June and July'],
  ['FREQ=MONTHLY;BYMONTH=6;BYMONTHDAY=1', 'On day 1 of each June'],
  ['FREQ=MONTHLY;BYMONTH=6,7;BYDAY=TU', 'On every Tuesday of each June and July'],
  ['FREQ=MONTHLY;BYMONTH=6;BYDAY=1MO,2TU', 'On the first Monday and the second Tuesday of each June'],
  ['FREQ=MONTHLY;BYMONTH=6,7;INTERVAL=2', 'On day 8 of every second month, if it is June or July'],
  ['FREQ=MONTHLY;BYDAY=TU,1MO', 'On every Tuesday and the first Monday of every month'],
  ['FREQ=MONTHLY;BYDAY=-4MO', 'On the 4th last Monday of every month'],
  ['FREQ=MONTHLY;BYMONTHDAY=1,15;BYSETPOS=2', 'On the second day 1 or day 15 of every month'],
  [
    'FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=1,2;BYSETPOS=-1',
    'On the last Monday that is day 1 or day 2 of every month',
  ],
  ['FREQ=MONTHLY;BYMONTH=6;BYSETPOS=1', 'On the first day of each June'],
  ['FREQ=YEARLY;BYMONTHDAY=4', 'On day 4 of every month'],
  ['FREQ=YEARLY;INTERVAL=3;BYMONTHDAY=4', 'On day 4 of every month, every 3 years'],
  ['FREQ=YEARLY;BYDAY=TU', 'On every Tuesday of every year'],
  ['FREQ=YEARLY;BYDAY=1MO,2TU', 'On the first Monday and the second Tuesday of every year'],
  ['FREQ=YEARLY;BYMONTH=7;BYDAY=TU', 'On every Tuesday of July of every year'],
  ['FREQ=YEARLY;BYMONTH=7;BYDAY=TU,1MO', 'On every Tuesday and the first Monday of July of every year'],
])('%s without its time is described as: %s', (rule, sentence) => {
  expect(describeRepeat({ rule, date: series.date }).for(ENGLISH)).toBe(sentence);
});
