import { expect, test } from 'vitest';
import { readCalendarFile } from '#content/ical/calendar-file.ts';
import { CLUB, WINDOW } from './read-starts.ts';

const calendar = (lines: string[]) =>
  Buffer.from(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n'));
const event = (uid: number | string, ...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTART:20261124T200000Z',
  ...lines,
  'END:VEVENT',
];
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const read = (bytes: Buffer) => readCalendarFile(bytes, { window: WINDOW, clubZone: CLUB });

test.each<[name: string, lines: string[], dates: number]>([
  [
    '500 series every minute',
    many(500, (uid) => event(uid, 'RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30')).flat(),
    500,
  ],
  [
    '500 series of a date that never comes',
    many(500, (uid) => event(uid, 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')).flat(),
    500,
  ],
  ['a line of 5 MB', event('u', `ATTACH:${'x'.repeat(5e6)}`), 1],
  ['a title of 5 MB', event('u', `SUMMARY:${'<'.repeat(5e6)}`), 1],
  ['a description of 5 MB', event('u', `DESCRIPTION:${'<a&#'.repeat(1.2e6)}`), 1],
  ['a million folds', event('u', `SUMMARY:${'x\r\n '.repeat(1e6)}`), 1],
  ['300,000 parameters', event('u', `SUMMARY${';A=B'.repeat(3e5)}:x`), 1],
  ['300,000 quotes', event('u', `SUMMARY;A=${'"'.repeat(300_001)}:x`), 1],
  ['100,000 extra dates', event('u', `RDATE:${many(1e5, () => '20261125T200000Z').join()}`), 2],
  ['100,000 exceptions', event('u', ...Array.from({ length: 1e5 }, () => 'EXDATE:20261125T200000Z')), 1],
  ['200,000 ends of nothing', many(2e5, () => 'END:VALARM').concat(event('u')), 1],
  [
    'a zone with 40,000 changes',
    [
      'BEGIN:VTIMEZONE',
      'TZID:x',
      ...many(4e4, () => [
        'BEGIN:STANDARD',
        'DTSTART:20200101T000000',
        'TZOFFSETTO:+0100',
        'RRULE:FREQ=YEARLY',
        'END:STANDARD',
      ]).flat(),
      'END:VTIMEZONE',
      ...event('u'),
    ],
    1,
  ],
  [
    'a daily series from the year 1',
    ['BEGIN:VEVENT', 'DTSTART:00010101T200000Z', 'RRULE:FREQ=DAILY', 'END:VEVENT'],
    212,
  ],
  ['names of prototypes', event('__proto__', '__PROTO__:x', 'SUMMARY;__proto__=x:y', 'CONSTRUCTOR:x'), 1],
])('%s: the file is read', (_name, lines, dates) => {
  expect(read(calendar(lines)).dates).toHaveLength(dates);
});

test('components that are nested too deeply are refused', () => {
  const nested = many(200_000, () => 'BEGIN:VALARM');

  expect(() => read(calendar(nested))).toThrow('nested');
});

test('at most 1,000 dates of a series are read', () => {
  const bytes = calendar(event('u', 'RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7,8'));

  expect(read(bytes).dates).toHaveLength(1_000);
});
