import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderFeed } from '#calendar/feed/ics.ts';
import { faultIn } from '#calendar/feed/ics-check.ts';
import { cleanLine, cleanText, unfold } from '#calendar/feed/ics-text.ts';
import type { Program } from '#calendar/feed/programme.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { anyTextUpTo } from '#test/support/any-text.ts';
import { expected, program, readWithIcalJs, readWithNodeIcal } from './readers.ts';

const ZONE = 'America/New_York';

function feedOf(programs: Program[], zone = ZONE, title = 'Club programme'): string {
  return renderFeed({ title, url: 'https://club.example/programme', zone, accent: '#1f4d3a', programs });
}

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const midnight = (date: string, zone = ZONE) =>
  Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;

test('the product says in which language the texts are: that of the club', () => {
  const feed = (language?: string) =>
    renderFeed({
      title: 'Programme',
      zone: ZONE,
      accent: '#1f4d3a',
      programs: [],
      ...(language && { language }),
    });

  expect(feed()).toContain('PRODID:-//Public House//Programme//EN');
  expect(feed('de')).toContain('PRODID:-//Public House//Programme//DE');
});

describe('two independent parsers read the same instants and texts', () => {
  test.each<[string, Partial<Program>]>([
    ['an evening', { start: at('2026-11-28T00:00:00Z'), end: at('2026-11-28T03:00:00Z') }],
    ['a night over midnight', { start: at('2026-11-28T03:00:00Z'), end: at('2026-11-28T09:00:00Z') }],
    ['several days', { start: at('2026-12-04T23:00:00Z'), end: at('2026-12-06T20:00:00Z') }],
    [
      'the hour before clocks go back',
      { start: at('2026-11-01T04:30:00Z'), end: at('2026-11-01T05:15:00Z') },
    ],
    [
      'the hour that comes twice, first time',
      { start: at('2026-11-01T05:30:00Z'), end: at('2026-11-01T05:45:00Z') },
    ],
    [
      'the hour that comes twice, second time',
      { start: at('2026-11-01T06:30:00Z'), end: at('2026-11-01T06:45:00Z') },
    ],
    ['across the clocks going back', { start: at('2026-11-01T03:00:00Z'), end: at('2026-11-01T08:00:00Z') }],
    [
      'across the clocks going forward',
      { start: at('2027-03-14T06:30:00Z'), end: at('2027-03-14T07:30:00Z') },
    ],
    ['a day', { allDay: true, start: midnight('2026-12-05'), end: midnight('2026-12-06') }],
    [
      'the day the clocks go back',
      { allDay: true, start: midnight('2026-11-01'), end: midnight('2026-11-02') },
    ],
    ['a week over new year', { allDay: true, start: midnight('2026-12-28'), end: midnight('2027-01-04') }],
    ['what was cancelled', { cancelled: true }],
    [
      'texts with every special character',
      {
        title: 'A; B, "C": D',
        description: 'One\nTwo; three, four',
        url: 'https://club.example/a;b?x=1,2&y=%5C',
      },
    ],
    [
      'other scripts and emoji',
      { title: 'Ζωή 夜の会 🎲👩‍👩‍👧', location: 'Στο πίσω δωμάτιο', description: `${'🍺'.repeat(60)} ende` },
    ],
    ['nothing but a title', { location: '', description: '', url: null }],
  ])('%s', (_name, fields) => {
    const one = program(fields);
    const feed = feedOf([one]);

    expect(readWithIcalJs(feed)).toEqual([expected(one, ZONE)]);
    expect(readWithNodeIcal(feed)).toEqual([expected(one, ZONE)]);
    expect(faultIn(feed, [one], ZONE)).toBeUndefined();
  });

  test.each([
    'Europe/London',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'UTC',
    'US/Eastern',
    'Asia/Gaza',
    'Africa/Casablanca',
    'Pacific/Apia',
  ])('on every fourth day of a year in %s', (zone) => {
    const programs = Array.from({ length: 90 }, (_, index) => {
      const start = at('2026-11-01T00:30:00Z') + index * (4 * DAY + 37 * MINUTE);
      return program({ id: `p${index}`, start, end: start + 2 * HOUR });
    });
    const feed = feedOf(programs, zone);

    expect(readWithIcalJs(feed)).toEqual(programs.map((one) => expected(one, zone)));
  });
});

test('the properties of the calendar come before its components, in the names of both standards', () => {
  const lines = unfold(feedOf([program()], ZONE, 'Quiz, beer; and more'));
  const head = lines.slice(0, lines.indexOf('BEGIN:VTIMEZONE'));

  expect(head).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Public House//Programme//EN',
    'URL:https://club.example/programme',
    'CALSCALE:GREGORIAN',
    'NAME:Quiz\\, beer\\; and more',
    'X-WR-CALNAME:Quiz\\, beer\\; and more',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    'X-APPLE-CALENDAR-COLOR:#1F4D3A',
    'COLOR:darkgreen',
  ]);
  expect(lines.filter((line) => line.startsWith('BEGIN:VTIMEZONE'))).toHaveLength(1);
  expect(lines).toContain('TZID:America/New_York');
});

test('times of an event are local with a zone, its stamps are UTC, and its sequence grows with an edit', () => {
  const first = program();
  const edited = { ...first, editedAt: first.editedAt + MINUTE };
  const [before, after] = [first, edited].map((one) => unfold(feedOf([one])));

  expect(before).toContain('DTSTART;TZID=America/New_York:20261127T190000');
  expect(before).toContain('DTSTAMP:20261120T120000Z');
  expect(before).toContain('LAST-MODIFIED:20261120T120000Z');
  expect(before).toContain('UID:a0@publichouse');
  const sequence = (lines: string[] | undefined) =>
    Number(lines?.find((line) => line.startsWith('SEQUENCE:'))?.slice('SEQUENCE:'.length));
  expect(sequence(after)).toBeGreaterThan(sequence(before));
  expect(sequence(after)).toBeLessThan(2 ** 31);
});

test('an empty calendar is a valid one', () => {
  const feed = feedOf([]);

  expect(readWithIcalJs(feed)).toEqual([]);
  expect(readWithNodeIcal(feed)).toEqual([]);
  expect(feed).toContain('BEGIN:VTIMEZONE');
  expect(feed.endsWith('END:VCALENDAR\r\n')).toBe(true);
});

describe('for any text', () => {
  const anyText = fc.oneof(
    anyTextUpTo(120),
    fc.string({ unit: 'grapheme', maxLength: 120 }),
    fc
      .array(
        fc.constantFrom(
          '\r\n',
          '\r',
          '\n',
          '\u2028',
          '\u0085',
          '\0',
          '\t',
          '\v',
          ':',
          ';',
          ',',
          '\\',
          '\\n',
          '"',
          ' ',
          'BEGIN:VEVENT',
          'END:VEVENT',
          'ATTACH:x',
          '\ud800',
          '\udc00',
          '🎲',
          'é',
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join('')),
  );
  const anyEncoded = anyTextUpTo(20).map(encodeURIComponent);
  // Like the unit `binary`, `webUrl` first makes a map of all characters.
  const anyUrl = fc
    .tuple(fc.domain(), anyEncoded, anyEncoded, anyEncoded)
    .map(([domain, path, query, fragment]) => `https://${domain}/${path}?q=${query}#${fragment}`);
  const anyProgram = fc.record({
    title: anyText,
    location: anyText,
    description: anyText,
    url: fc.option(fc.oneof(anyUrl, anyText)),
    id: fc.oneof(
      fc.uuid(),
      anyText.map((text) => `x${text}`),
    ),
    cancelled: fc.boolean(),
    allDay: fc.boolean(),
  });

  test('no line is too long, no line break is wrong, no property is injected, and every text is read back', () => {
    fc.assert(
      fc.property(fc.array(anyProgram, { maxLength: 4 }), anyText, (fields, title) => {
        const programs = fields.map((one) =>
          program({ ...one, ...(one.allDay && { start: midnight('2026-12-05') }) }),
        );
        const feed = feedOf(programs, ZONE, title);

        expect(feed.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
        expect(feed).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
        expect(feed.endsWith('\r\n')).toBe(true);
        expect(feed.isWellFormed()).toBe(true);
        const names = unfold(feed).map((line) => line.split(/[:;]/)[0]);
        expect(names.filter((name) => !OURS.has(name ?? ''))).toEqual([]);
        expect(names.filter((name) => name === 'SUMMARY')).toHaveLength(programs.length);
        expect(faultIn(feed, programs, ZONE)).toBeUndefined();
        expect(
          readWithIcalJs(feed).map(({ summary, location, description }) => ({
            summary,
            location,
            description,
          })),
        ).toEqual(
          programs.map((one) => ({
            summary: cleanLine(one.title, 300),
            location: cleanLine(one.location, 300),
            description: cleanText(one.description, 8_000),
          })),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('the feed is rendered the same each time, and one edit changes it', () => {
    fc.assert(
      fc.property(fc.array(anyProgram, { minLength: 1, maxLength: 3 }), (fields) => {
        const programs = fields.map((one, index) => program({ ...one, id: `p${index}` }));
        const [first, ...rest] = programs;
        const feed = feedOf(programs);

        expect(feedOf(structuredClone(programs))).toBe(feed);
        expect(feedOf([{ ...first!, editedAt: first!.editedAt + 1_000 }, ...rest])).not.toBe(feed);
        expect(feedOf([{ ...first!, title: `${first!.title.slice(0, 50)} x` }, ...rest])).not.toBe(feed);
      }),
      { numRuns: 40 },
    );
  });

  const OURS = new Set(
    'BEGIN END VERSION PRODID URL CALSCALE NAME X-WR-CALNAME REFRESH-INTERVAL X-PUBLISHED-TTL X-APPLE-CALENDAR-COLOR COLOR TIMEZONE-ID X-WR-TIMEZONE TZID X-LIC-LOCATION LAST-MODIFIED TZNAME TZOFFSETFROM TZOFFSETTO DTSTART RRULE UID SEQUENCE DTSTAMP DTEND SUMMARY TRANSP LOCATION DESCRIPTION STATUS X-MICROSOFT-CDO-ALLDAYEVENT X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT'.split(
      ' ',
    ),
  );
});

describe('a feed that differs from its programs is detected', () => {
  const one = program();
  const good = feedOf([one]);

  test.each<[string, string]>([
    ['cut short', good.slice(0, -20)],
    ['a property slipped in', good.replace('STATUS:', 'ATTACH:file:///etc/passwd\r\nSTATUS:')],
    ['a second event', good.replace('END:VCALENDAR', 'BEGIN:VEVENT\r\nUID:x\r\nEND:VEVENT\r\nEND:VCALENDAR')],
    ['a line too long', good.replace('Teams of four.', 'x'.repeat(80))],
    ['a bare line feed', good.replace('Teams of four.', 'Teams\nof four.')],
    ['another text', good.replace('Quiz night', 'Quiz  night')],
    ['another time', good.replace('T190000', 'T193000')],
    ['parts out of order', good.replace('END:VEVENT\r\n', '')],
    ['a line that is no property', good.replace('STATUS:CONFIRMED', 'so it goes')],
  ])('%s', (_name, feed) => {
    expect(faultIn(feed, [one], ZONE)).toBeTypeOf('string');
  });
});
