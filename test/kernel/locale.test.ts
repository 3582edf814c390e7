import { afterEach, expect, test } from 'vitest';
import { formatDay, formatShort, formatTime, formatWhen } from '#kernel/local-time.ts';
import { compareNames, formatNumber, formatWeekday, setClubReader, weekdays } from '#kernel/locale.ts';

const EVENING = Date.UTC(2026, 10, 21, 20, 3);
const ZONE = 'Europe/Berlin';

afterEach(() => setClubReader({ language: 'en', locale: 'en-US' }));

test.each([
  ['en-US', 'Sat, Nov 21, 2026, 9:03 PM', 'Sat, Nov 21', '9:03 PM', '1,234.5'],
  ['en-GB', 'Sat, 21 Nov 2026, 21:03', 'Sat 21 Nov', '21:03', '1,234.5'],
  ['en-IE', 'Sat 21 Nov 2026, 21:03', 'Sat, 21 Nov', '21:03', '1,234.5'],
  ['de-DE', 'Sa., 21. Nov. 2026, 21:03', 'Sa., 21. Nov.', '21:03', '1.234,5'],
  ['fr-FR', 'sam. 21 nov. 2026, 21:03', 'sam. 21 nov.', '21:03', '1\u202f234,5'],
])('%s formats dates, times and numbers in its own way', (tag, short, day, time, number) => {
  setClubReader({ language: 'en', locale: tag });
  expect([formatShort(EVENING, ZONE), formatDay(EVENING, ZONE), formatTime(EVENING, ZONE)]).toEqual([
    short,
    day,
    time,
  ]);
  expect(formatNumber(1234.5)).toBe(number);
  expect(formatWhen(EVENING, ZONE)).toBe(`${short} Berlin time`);
});

test.each([
  ['en-US', 'Sunday', 'Saturday'],
  ['en-GB', 'Monday', 'Sunday'],
  ['de-DE', 'Montag', 'Sonntag'],
  ['fr-FR', 'lundi', 'dimanche'],
])('a week of %s goes from %s to %s', (tag, first, last) => {
  setClubReader({ language: 'en', locale: tag });
  const names = weekdays().map((day) => formatWeekday(day));
  expect([names.length, names[0], names[6]]).toEqual([7, first, last]);
});

test('names are sorted by the rules of the locale', () => {
  const names = ['Östen', 'Zora', 'otto', 'Room 10', 'Room 2'];
  setClubReader({ language: 'en', locale: 'de-DE' });
  expect(names.toSorted(compareNames)).toEqual(['Östen', 'otto', 'Room 2', 'Room 10', 'Zora']);
  setClubReader({ language: 'en', locale: 'sv-SE' });
  expect(names.toSorted(compareNames)).toEqual(['otto', 'Room 2', 'Room 10', 'Zora', 'Östen']);
});
