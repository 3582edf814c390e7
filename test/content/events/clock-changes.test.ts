import { expect, test } from 'vitest';
import { describeClockChange } from '#content/events/clock-changes.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { ZONE } from './event.ts';

const span = (date: string, time: string | null, end_time: string | null = null, end_days = 0) => ({
  date,
  time,
  end_time,
  end_days,
});

test.each([
  [
    span('2026-10-31', '20:00', '01:30', 1),
    'Clocks go back that night: 1:30 AM comes twice; the later one is meant.',
  ],
  [
    span('2026-11-01', '01:30', '04:00'),
    'Clocks go back that night: 1:30 AM comes twice; the earlier one is meant.',
  ],
  [span('2026-10-31', '20:00', '03:00', 1), 'Clocks go back that night: it is an hour longer than they say.'],
  [
    span('2027-03-13', '20:00', '03:00', 1),
    'Clocks go forward that night: it is an hour shorter than they say.',
  ],
  [span('2027-03-14', '02:30'), 'Clocks go forward that night: 2:30 AM is left out; 3:30 AM is meant.'],
  [span('2026-12-08', '20:00', '01:30', 1), undefined],
  [span('2026-11-01', '20:00', '23:00'), undefined],
  [span('2026-11-01', null), undefined],
])('%j: %s', (when, sentence) => {
  expect(describeClockChange(when, ZONE)?.for(ENGLISH)).toBe(sentence);
});

test('a clock change of half an hour counts as well', () => {
  const sentence = 'Clocks go back that night: it is 30 minutes longer than they say.';
  expect(
    describeClockChange(span('2027-04-03', '20:00', '03:00', 1), 'Australia/Lord_Howe')?.for(ENGLISH),
  ).toBe(sentence);
});
