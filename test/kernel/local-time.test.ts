import { expect, onTestFinished, test } from 'vitest';
import {
  addDays,
  atLineStart,
  daysInWords,
  formatInList,
  formatInSentence,
  formatWhen,
  localDate,
  momentInWords,
  offsetsFrom,
  parseTimestamp,
  spanInWords,
  timeInWords,
  toLocalInput,
  zoneInFull,
} from '#kernel/local-time.ts';
import { setClubReader } from '#kernel/locale.ts';

const ZONE = 'America/New_York';
const at = (iso: string) => Temporal.Instant.from(iso).epochMilliseconds;

test.each([
  ['2026-11-22T04:59:00Z', ZONE, 'Sat, Nov 21, 2026, 11:59 PM New York time'],
  ['2026-07-01T16:00:00Z', ZONE, 'Wed, Jul 1, 2026, 12:00 PM New York time'],
  ['2026-07-01T16:00:00Z', 'Asia/Kolkata', 'Wed, Jul 1, 2026, 9:30 PM Kolkata time'],
  ['2026-07-01T00:00:00Z', 'UTC', 'Wed, Jul 1, 2026, 12:00 AM UTC'],
  ['2026-11-01T05:30:00Z', ZONE, 'Sun, Nov 1, 2026, 1:30 AM New York time, before the clocks go back'],
  ['2026-11-01T06:30:00Z', ZONE, 'Sun, Nov 1, 2026, 1:30 AM New York time, after the clocks go back'],
])('%s in %s is written %s', (iso, zone, text) => {
  expect(formatWhen(at(iso), zone)).toBe(text);
});

test.each([
  ['2026-11-22T04:59:00Z', ZONE, 'New York time (America/New_York, UTC−5)'],
  ['2026-07-01T16:00:00Z', 'Asia/Kolkata', 'Kolkata time (Asia/Kolkata, UTC+5:30)'],
])('the full name of the zone at %s in %s is %s', (iso, zone, text) => {
  expect(zoneInFull(at(iso), zone)).toBe(text);
});

test.each([
  ['2026-11-21T23:59', '2026-11-22T04:59:00Z', 'local time of the zone'],
  ['2026-11-21 23:59:30', '2026-11-22T04:59:30Z', 'a space instead of T'],
  ['2026-11-21T23:59:00Z', '2026-11-21T23:59:00Z', 'UTC'],
  ['2026-11-21T23:59:00.250+01:00', '2026-11-21T22:59:00.25Z', 'an offset'],
  ['2026-03-08T02:30', '2026-03-08T07:30:00Z', 'a time that the clock change skips'],
  ['2026-11-01T01:30', '2026-11-01T05:30:00Z', 'a time that happens twice: the first'],
])('the timestamp %s is read as %s (%s)', (text, iso) => {
  expect(parseTimestamp(text, ZONE)).toBe(at(iso));
});

test.each([
  '',
  'tomorrow',
  '2026-11-21',
  '2026-13-01T10:00',
  '2026-11-21T25:00',
  '1e3',
  '20261121',
  'T10:00',
])('"%s" is not a timestamp', (text) => {
  expect(parseTimestamp(text, ZONE)).toBeUndefined();
});

test('addDays keeps the time of day, also over a clock change', () => {
  expect(addDays(at('2026-10-31T16:00:00Z'), 1, ZONE)).toBe(at('2026-11-01T17:00:00Z'));
});

test('the date and the form value are local', () => {
  expect(localDate(at('2026-11-22T04:59:00Z'), ZONE)).toBe('2026-11-21');
  expect(toLocalInput(at('2026-11-22T04:59:00Z'), ZONE)).toBe('2026-11-21T23:59');
});

test('in sentences midnight and noon are words, and hours after midnight belong to the evening before', () => {
  const now = at('2026-11-21T22:00:00Z');
  const words = (iso: string) => momentInWords(at(iso), now, ZONE);

  expect(timeInWords(at('2026-11-22T05:00:00Z'), ZONE)).toBe('midnight');
  expect(timeInWords(at('2026-11-22T05:01:00Z'), ZONE)).toBe('12:01 AM');
  expect(words('2026-11-21T17:00:00Z')).toBe('noon');
  expect(words('2026-11-22T05:00:00Z')).toBe('midnight');
  expect(words('2026-11-22T07:30:00Z')).toBe('2:30 AM');
  expect(words('2026-11-22T17:00:00Z')).toBe('Sun, Nov 22, 12:00 PM');
  expect(words('2026-11-23T05:00:00Z')).toBe('Mon, Nov 23, 12:00 AM');
  expect(words('2026-11-21T05:00:00Z')).toBe('midnight');
});

test.each([
  ['noon – 2:00 AM', 'Noon – 2:00 AM'],
  ['midnight', 'Midnight'],
  ['5:00 PM – midnight', '5:00 PM – midnight'],
  ['', ''],
])('at the start of a line “%s” is “%s”', (words, line) => expect(atLineStart(words)).toBe(line));

test.each([
  ['en-US', '12:00', '14:00', 'noon to 2:00 PM'],
  ['en-US', '18:00', '00:00', '6:00 PM to midnight'],
  ['de-DE', '12:00', '14:00', '12:00 to 14:00'],
  ['de-DE', '18:00', '00:00', '18:00 to 0:00'],
  ['de-DE', '12:00', '00:00', 'noon to midnight'],
])('in %s a span from %s to %s is “%s”', (tag, from, to, words) => {
  setClubReader({ language: 'en', locale: tag });
  onTestFinished(() => setClubReader({ language: 'en', locale: 'en-US' }));
  const date = to === '00:00' ? '2026-11-22' : '2026-11-21';
  expect(spanInWords(at(`2026-11-21T${from}:00Z`), at(`${date}T${to}:00Z`), 'UTC').join(' to ')).toBe(words);
});

test.each([
  ['2026-11-18T18:00:00Z', '2026-11-28T18:00:00Z', 'Nov 18 to Nov 28, 2026'],
  ['2026-11-18T05:00:00Z', '2026-11-19T04:59:00Z', 'Nov 18, 2026'],
  ['2026-11-18T04:59:00Z', '2026-11-18T05:00:00Z', 'Nov 17 to Nov 18, 2026'],
  ['2026-12-30T18:00:00Z', '2027-01-02T18:00:00Z', 'Dec 30, 2026 to Jan 2, 2027'],
])('the days from %s to %s are “%s”', (start, end, words) =>
  expect(daysInWords(at(start), at(end), ZONE)).toBe(words),
);

test.each([
  ['2026-11-21T17:00:00Z', 'Today, 12:00 PM'],
  ['2026-11-21T04:59:00Z', 'Yesterday, 11:59 PM'],
  ['2026-11-22T05:00:00Z', 'Tomorrow, 12:00 AM'],
  ['2026-11-23T17:00:00Z', 'Mon, Nov 23, 12:00 PM'],
  ['2027-09-16T16:00:00Z', 'Thu, Sep 16, 12:00 PM'],
  ['2027-09-18T16:00:00Z', 'Sat, Sep 18, 2027, 12:00 PM'],
  ['2026-01-24T17:00:00Z', 'Sat, Jan 24, 2026, 12:00 PM'],
])('in a list of November 21, 2026 %s is “%s”', (iso, words) =>
  expect(formatInList(at(iso), at('2026-11-21T17:00:00Z'), ZONE)).toBe(words),
);

test.each([
  ['2026-11-20T17:00:00Z', 'yesterday, 12:00 PM'],
  ['2026-11-21T23:00:00Z', 'today, 6:00 PM'],
  ['2026-11-22T17:00:00Z', 'tomorrow, 12:00 PM'],
  ['2026-11-24T17:00:00Z', 'in 3 days, Tue, Nov\u00a024, 12:00 PM'],
  ['2026-11-27T17:00:00Z', 'in 6 days, Fri, Nov\u00a027, 12:00 PM'],
  ['2026-11-28T17:00:00Z', 'Sat, Nov\u00a028, 12:00 PM'],
  ['2026-11-18T17:00:00Z', 'Wed, Nov\u00a018, 12:00 PM'],
  ['2027-11-21T17:00:00Z', 'Sun, Nov\u00a021, 2027, 12:00 PM'],
])('in a sentence of November 21, 2026 %s is “%s”', (iso, words) =>
  expect(formatInSentence(at(iso), at('2026-11-21T17:00:00Z'), ZONE)).toBe(words),
);

test('the offsets of a zone are those of now and of its next two changes', () => {
  const now = at('2026-11-21T17:00:00Z');
  expect(offsetsFrom(now, 'America/New_York')).toBe(
    `-300 ${at('2027-03-14T07:00:00Z')}:-240 ${at('2027-11-07T06:00:00Z')}:-300`,
  );
  expect(offsetsFrom(now, 'Asia/Kolkata')).toBe('330');
  expect(offsetsFrom(now, '+01:00')).toBe('60');
});
