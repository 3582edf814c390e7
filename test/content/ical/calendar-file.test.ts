import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { readCalendarFile } from '#content/ical/calendar-file.ts';
import { lineOf } from '#content/ical/components.ts';
import { blockText, lineText } from '#content/ical/text.ts';
import { unfoldBytes } from '#content/ical/unfold.ts';
import { CLUB, readStarts, WINDOW } from './read-starts.ts';

const calendar = (...lines: string[]) =>
  Buffer.from(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n'));
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
const read = (bytes: Buffer) => readCalendarFile(bytes, { window: WINDOW, clubZone: CLUB });
const WEEKLY = ['UID:u1', 'DTSTART;TZID=America/New_York:20261124T200000', 'RRULE:FREQ=WEEKLY;COUNT=3'];
const BERLIN_8_PM = '2026-11-24T19:00Z';

test.each([
  ['/mozilla.org/20050126_1/Europe/Berlin', BERLIN_8_PM],
  ['/x/20050126_1/America/Indiana/Knox', '2026-11-25T02:00Z'],
  ['europe/berlin', BERLIN_8_PM],
  [' Europe/Berlin ', BERLIN_8_PM],
  ['W. Europe Standard Time', BERLIN_8_PM],
  ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', BERLIN_8_PM],
  ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', BERLIN_8_PM],
  ['"(GMT+01.00) Amsterdam / Berlin / Bern / Rome / Stockholm / Vienna"', BERLIN_8_PM],
  ['"(UTC-05:00) Eastern Time (US & Canada)', '2026-11-25T01:00Z'],
  ['Berlin', BERLIN_8_PM],
  ['GMT +01:00', BERLIN_8_PM],
  ['GMT-0500', '2026-11-25T01:00Z'],
  ['UTC', '2026-11-24T20:00Z'],
  ['tzone://Microsoft/Utc', '2026-11-24T20:00Z'],
])('the time zone name %s is understood', (tzid, start) => {
  expect(readStarts(calendar(...event('UID:u', `DTSTART;TZID=${tzid}:20261124T200000`)))).toEqual([start]);
});

test('times without a zone are in that of their calendar, and not of another in the file', () => {
  const floating = event('UID:u', 'DTSTART:20261124T200000');
  const tokyo = calendar(
    'X-WR-TIMEZONE:Asia/Tokyo',
    ...floating,
    ...event('UID:v', 'DTSTART;TZID=?:20261124T210000'),
  );

  expect(readStarts(tokyo)).toEqual(['2026-11-24T11:00Z', '2026-11-24T12:00Z']);
  expect(readStarts(Buffer.concat([tokyo, calendar(...floating)]))).toHaveLength(3);
});

test('a zone defined only in the file is used, even if defined after the events, with its clock changes', () => {
  const part = (name: string, start: string, from: string, to: string, rule: string) => [
    `BEGIN:${name}`,
    `DTSTART:${start}`,
    `TZOFFSETFROM:${from}`,
    `TZOFFSETTO:${to}`,
    `RRULE:${rule}`,
    `END:${name}`,
  ];
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Ours',
    ...part('STANDARD', '20071104T020000', '-0400', '-0500', 'FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'),
    ...part('DAYLIGHT', '20070311T020000', '-0500', '-0400', 'FREQ=YEARLY;BYMONTH=3;BYDAY=2SU'),
    'END:VTIMEZONE',
  ];
  const series = (name: string) => event('UID:u', `DTSTART;TZID=${name}:20261031T013000`, 'RRULE:FREQ=DAILY');
  const skipped = (name: string) => event('UID:v', `DTSTART;TZID=${name}:20270314T023000`);

  const starts = (name: string) => readStarts(calendar(...series(name), ...skipped(name), ...zone));
  expect(starts('Ours')).toEqual(starts('America/New_York'));
  expect(starts('Ours')).toContain('2027-03-14T07:30Z');
});

test.each([
  ['an exception in UTC', ['EXDATE:20261202T010000Z'], ['2026-11-25T01:00Z', '2026-12-09T01:00Z']],
  ['an exception without a zone', ['EXDATE:20261201T200000'], ['2026-11-25T01:00Z', '2026-12-09T01:00Z']],
  [
    'two rules',
    ['RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=2'],
    ['2026-11-25T01:00Z', '2026-11-28T01:00Z', '2026-12-02T01:00Z', '2026-12-09T01:00Z'],
  ],
  [
    'a series that is cancelled',
    ['STATUS:CANCELLED'],
    ['2026-11-25T01:00Z cancelled', '2026-12-02T01:00Z cancelled', '2026-12-09T01:00Z cancelled'],
  ],
  [
    'a second start',
    ['DTSTART:20270101T200000'],
    ['2026-11-25T01:00Z', '2026-12-02T01:00Z', '2026-12-09T01:00Z'],
  ],
])('%s', (_name, lines, starts) => {
  expect(readStarts(calendar(...event(...WEEKLY, ...lines)))).toEqual(starts);
});

test('a change may come before its series, in UTC, several times', () => {
  const change = (hour: number, sequence: number) =>
    event(
      'UID:u1',
      'RECURRENCE-ID:20261202T010000Z',
      `DTSTART:20261202T${hour}0000Z`,
      `SEQUENCE:${sequence}`,
    );

  const { dates } = read(calendar(...change(20, 3), ...event(...WEEKLY), ...change(21, 2)));

  expect(dates.map(({ start }) => new Date(start).getUTCHours())).toEqual([1, 20, 1]);
  expect(dates[1]?.original.toString()).toBe('2026-12-01T20:00:00');
});

test('for whole days, exceptions and changes may be written as times', () => {
  const series = ['UID:u1', 'DTSTART;VALUE=DATE:20261124', 'RRULE:FREQ=DAILY;UNTIL=20261129T050000Z'];
  const change = event(
    'UID:u1',
    'RECURRENCE-ID:20261126T050000Z',
    'DTSTART;VALUE=DATE:20261226',
    'DURATION:P2D',
  );

  const bytes = calendar(...event(...series, 'EXDATE:20261125T000000', 'EXDATE:20261127T050000Z'), ...change);
  const last = read(bytes).dates.at(-1);

  expect(readStarts(bytes)).toEqual(['2026-11-24 day', '2026-11-28 day', '2026-11-29 day', '2026-12-26 day']);
  expect(new Date(last?.end ?? 0).toISOString()).toBe('2026-12-28T05:00:00.000Z');
});

test('private events and busy times are left out, also single dates of a series', () => {
  const changed = ['UID:u1', 'RECURRENCE-ID:20261202T010000Z', 'DTSTART:20261202T020000Z'];
  const bytes = calendar(
    ...event(...WEEKLY),
    ...event(...changed, 'CLASS:PRIVATE', 'SUMMARY:SECRET'),
    ...event('UID:u2', 'DTSTART:20261202T020000Z', 'CLASS:CONFIDENTIAL'),
    ...event('UID:u3', 'DTSTART:20261202T020000Z', 'CLASS:X-OURS'),
    ...event('UID:u4', 'DTSTART:20261202T020000Z', 'SUMMARY:Busy'),
    ...event('UID:u5', 'DTSTART:20261202T020000Z', 'CLASS:PRIVATE', 'RRULE:FREQ=WEEKLY;COUNT=2'),
    ...event('UID:u5', 'RECURRENCE-ID:20261209T020000Z', 'DTSTART:20261209T030000Z', 'SUMMARY:SECRET'),
    ...event('UID:u6', 'DTSTART:nothing', 'CLASS:PRIVATE', 'SUMMARY:SECRET'),
  );

  expect(readStarts(bytes)).toEqual(['2026-11-25T01:00Z', '2026-12-09T01:00Z']);
  expect(JSON.stringify(read(bytes).faults)).toBe('[{"fault":{"is":"start"}}]');
});

test('one invalid event of 500 is named, and the others are kept', () => {
  const many = Array.from({ length: 499 }, (_, index) => event(`UID:${index}`, 'DTSTART:20261202T020000Z'));
  const { events, bad, faults, dates } = read(
    calendar(...event('UID:x', 'SUMMARY:Quiz', 'DTSTART:20261332'), ...many.flat()),
  );

  expect({ events, bad, faults, dates: dates.length }).toEqual({
    events: 500,
    bad: 1,
    faults: [{ title: 'Quiz', fault: { is: 'start' } }],
    dates: 499,
  });
});

test.each([
  ['FREQ=HOURLY', { why: 'hourly' }],
  ['FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5', { why: 'too_often' }],
  ['FREQ=MONTHLY;BYMONTHDAY=32', { why: 'other' }],
  ['FREQ=WEEKLY;UNTIL=soon', { why: 'end' }],
  ['FREQ=WEEKLY;COUNT=-1', { why: 'other' }],
  ['RSCALE=CHINESE;FREQ=YEARLY', { why: 'other_calendar' }],
  ['FREQ=YEARLY;BYEASTER=1', { why: 'unknown_part', part: 'BYEASTER' }],
  ['FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD', { why: 'unknown_part', part: 'SKIP' }],
])('of an event whose rule is %s only the first date is shown, with the reason', (rule, reason) => {
  const bytes = calendar(...event('UID:u', 'SUMMARY:Quiz', 'DTSTART:20261124T200000', `RRULE:${rule}`));

  expect(readStarts(bytes)).toEqual(['2026-11-25T01:00Z']);
  const faults = [{ title: 'Quiz', fault: { is: 'rule', ...reason } }];
  expect(read(bytes)).toMatchObject({ bad: 1, faults });
});

test('a rule that cannot be followed to its dates is refused', () => {
  const rule = 'RRULE:FREQ=DAILY;COUNT=200000;BYMONTH=2;BYMONTHDAY=30';
  const bytes = calendar(...event('UID:u', 'SUMMARY:Quiz', 'DTSTART:19000101T200000', rule));

  const faults = [{ title: 'Quiz', fault: { is: 'rule', why: 'not_followed' } }];
  expect(read(bytes)).toMatchObject({ dates: [], bad: 1, faults });
});

const FROM_HERE_ON = ['DTSTART;TZID=America/New_York:20261201T200000', 'DURATION:PT1H'];
test.each([
  [
    'a day in a file of another zone is the day in the club',
    ['X-WR-TIMEZONE:UTC', ...event('UID:u', 'DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261226')],
    ['2026-12-25 day'],
  ],
  [
    'so is one that names a zone, and the days of its series without an exception',
    [
      'X-WR-TIMEZONE:Australia/Sydney',
      ...event(
        'UID:u',
        'DTSTART;TZID=Asia/Tokyo;VALUE=DATE:20261224',
        'RRULE:FREQ=DAILY;COUNT=3',
        'EXDATE;VALUE=DATE:20261225',
      ),
    ],
    ['2026-12-24 day', '2026-12-26 day'],
  ],
  [
    'a time that is marked as a date is one',
    event('UID:u', 'DTSTART;VALUE=DATE:20261201T000000Z', 'DTEND;VALUE=DATE:20261202T000000Z'),
    ['2026-12-01 day'],
  ],
  [
    'midnight to midnight is a day where Outlook says so',
    [
      ...event('UID:u', 'DTSTART:20261201T050000Z', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'),
      ...event('UID:v', 'DTSTART;TZID=Europe/Berlin:20261202T000000', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'),
      ...event('UID:w', 'DTSTART:20261203T010000Z', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'),
    ],
    ['2026-12-01 day', '2026-12-02 day', '2026-12-03T01:00Z'],
  ],
  ['an empty rule is none', event('UID:u', 'DTSTART:20261225', 'RRULE:'), ['2026-12-25 day']],
  [
    'so is a rule of nothing but a semicolon',
    event('UID:u', 'DTSTART:20261225', 'RRULE:;'),
    ['2026-12-25 day'],
  ],
  [
    'the end of a rule counts where its number of dates says nothing',
    event('UID:u', 'DTSTART:20261201', 'RRULE:FREQ=DAILY;COUNT=-1;UNTIL=20261202'),
    ['2026-12-01 day', '2026-12-02 day'],
  ],
  [
    'a series that ends before it begins has no dates',
    event('UID:u', ...FROM_HERE_ON, 'RRULE:FREQ=WEEKLY;UNTIL=20261130T045959Z'),
    [],
  ],
  [
    'except for those that are listed',
    event('UID:u', ...FROM_HERE_ON, 'RRULE:FREQ=WEEKLY;UNTIL=20261130', 'RDATE:20261203T010000Z'),
    ['2026-12-03T01:00Z'],
  ],
  [
    'a single date may be excluded',
    event('UID:u', ...FROM_HERE_ON, 'EXDATE;TZID=America/New_York:20261201T200000'),
    [],
  ],
  [
    'a change that is older than the removal of its date does not count',
    [
      ...event(
        'UID:u',
        'DTSTART;VALUE=DATE:20261130',
        'RRULE:FREQ=WEEKLY;COUNT=2',
        'SEQUENCE:2',
        'EXDATE:20261207',
      ),
      ...event('UID:u', 'RECURRENCE-ID;VALUE=DATE:20261207', 'DTSTART;VALUE=DATE:20261208', 'SEQUENCE:1'),
    ],
    ['2026-11-30 day'],
  ],
  ['spaces may precede the file', [], []],
])('%s', (_name, lines, starts) => {
  expect(readStarts(Buffer.concat([Buffer.from('\r\n  '), calendar(...lines)]))).toEqual(starts);
});

test('of two entries for one date the one with the later edit counts, wherever it stands in the file', () => {
  const entry = (title: string, edited: string, ...more: string[]) =>
    event('UID:u', 'DTSTART:20261201T200000', `SUMMARY:${title}`, `LAST-MODIFIED:${edited}T000000Z`, ...more);
  const [old, renewed] = [entry('Old', '20261001', 'SEQUENCE:1'), entry('New', '20261101', 'SEQUENCE:1')];
  const titles = (...lines: string[]) =>
    read(calendar(...lines)).dates.map(({ entry: { component } }) => lineOf(component, 'SUMMARY')?.value);

  expect(titles(...old, ...renewed)).toEqual(['New']);
  expect(titles(...renewed, ...old)).toEqual(['New']);
  expect(titles(...entry('Newest', '20261001', 'SEQUENCE:2'), ...renewed)).toEqual(['Newest']);
});

test('a series of two dates a day is shown over the whole window, and a longer one says that it is cut', () => {
  const daily = (rule: string) =>
    read(calendar(...event('UID:u', 'SUMMARY:Feed', 'DTSTART:20261101T120000', `RRULE:FREQ=DAILY;${rule}`)));

  expect(daily('BYHOUR=12,18')).toMatchObject({ faults: [] });
  expect(daily('BYHOUR=12,18').dates.length).toBeGreaterThan(420);
  expect(daily('BYHOUR=1,2,3,4,5,6,7,8').faults).toEqual([
    { title: 'Feed', fault: { is: 'too_many', most: 1000 } },
  ]);
});

const TITLE = 'SUMMARY:Käsefest Müller';
test.each([
  ['ISO-8859-1 that the server names', Buffer.from(TITLE, 'latin1'), 'ISO-8859-1'],
  ['Windows-1252 that nobody names', Buffer.from(TITLE, 'latin1'), undefined],
  ['UTF-8 that the server calls something else', Buffer.from(TITLE), 'iso-8859-1'],
  ['an encoding that does not exist', Buffer.from(TITLE, 'latin1'), 'x-unheard-of'],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${TITLE}`, 'utf16le'), undefined],
  ['UTF-16 without a mark', Buffer.from(TITLE, 'utf16le'), undefined],
  ['UTF-16 in the other order', Buffer.from(`\ufeff${TITLE}`, 'utf16le').swap16(), 'utf-8'],
])('a file in %s is read', (_name, bytes, charset) => {
  expect(unfoldBytes(bytes, charset)).toEqual([TITLE]);
});

test('one byte that is not UTF-8 spoils its own character alone', () => {
  const bytes = Buffer.concat([Buffer.from(`${TITLE}\n`), Buffer.from('LOCATION:M\xfcnchen', 'latin1')]);

  expect(unfoldBytes(bytes)).toEqual([TITLE, 'LOCATION:M\ufffdnchen']);
});

test.each([
  ['a page', '<!doctype html><title>Sign in</title>', 'not_calendar'],
  ['nothing', '', 'not_calendar'],
  [
    'a calendar in a calendar that nothing ends',
    'BEGIN:VCALENDAR\nBEGIN:VCALENDAR\nEND:VCALENDAR\n',
    'cut_off',
  ],
])('%s is refused', (_name, text, reason) => {
  expect(readStarts(Buffer.from(text))).toBe(reason);
});

test('a line may be folded in the middle of a character', () => {
  const [before, after] = ['SUMMARY:Caf', ' au lait'];
  const bytes = Buffer.concat([
    Buffer.from(`${before}\xc3`, 'latin1'),
    Buffer.from(`\r\n \xa9${after}\n\t!\n`, 'latin1'),
  ]);

  expect(unfoldBytes(bytes)).toEqual(['SUMMARY:Café au lait!']);
});

test('markup in a description is converted to text', () => {
  expect(blockText('<p>Fish &amp\\; chips<br>8 &lt\\; 9</p><script>x</script>')).toBe(
    'Fish & chips\n8 < 9\nx',
  );
  expect(blockText('a < b\\nand c > d')).toBe('a < b\nand c > d');
});

test('common rules give the same dates as another library', () => {
  const rules = [
    'FREQ=DAILY;INTERVAL=3',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR',
    'FREQ=MONTHLY;BYDAY=2TU,-1FR',
  ];
  const more = [
    'FREQ=MONTHLY;BYMONTHDAY=31',
    'FREQ=YEARLY;BYMONTH=12;BYDAY=1SU',
    'FREQ=WEEKLY;WKST=SU;INTERVAL=3',
  ];
  for (const rule of [...rules, ...more]) {
    const bytes = calendar(...event('UID:u', 'DTSTART:20260901T190000Z', `RRULE:${rule}`));
    const component = new ICAL.Component(ICAL.parse(bytes.toString()) as [string, unknown[], unknown[]]);
    const iterator = new ICAL.Event(component.getFirstSubcomponent('vevent')!).iterator();
    const expected: number[] = [];
    for (let at = iterator.next(); at; at = iterator.next()) {
      const start = at.toUnixTime() * 1_000;
      if (start >= WINDOW.until) break;
      if (start >= WINDOW.from && new Date(start) >= new Date('2026-09-02')) expected.push(start);
    }
    expect([rule, read(bytes).dates.map(({ start }) => start)]).toEqual([rule, expected]);
  }
});

test.each([
  ['Rock &amp\\; Roll &#8211\\; Live', 'Rock & Roll – Live'],
  ['Rock &amp; Roll &#x2013; Live', 'Rock & Roll – Live'],
  ['<b>Quiz</b> night<br />upstairs', 'Quiz night upstairs'],
  ['<span class="x">Caf&eacute;&nbsp;Müller</span>', 'Café Müller'],
  ['once: &amp;lt;b&amp;gt;', 'once: &lt;b&gt;'],
  ['8 < 9 & 10 > 9, I <3 B&B, Quiz <English>', '8 < 9 & 10 > 9, I <3 B&B, Quiz <English>'],
  ['<i>Quiz</i> <English>', 'Quiz <English>'],
  ['&frogs; &#99999999; AT&T', '&frogs; &#99999999; AT&T'],
])('a title or a place is text: %s', (value, text) => {
  expect(lineText(value)).toBe(text);
});
