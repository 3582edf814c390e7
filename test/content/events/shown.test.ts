import icalJs from 'ical.js';
import nodeIcal from 'node-ical';
import { expect, test } from 'vitest';
import { renderFeed } from '#calendar/feed/ics.ts';
import { faultIn } from '#calendar/feed/ics-check.ts';
import type { EventBody } from '#content/events/body.ts';
import { bytesOf, candidateEntries, fillCalendar } from '#content/events/horizon.ts';
import { calendarEntriesOf, nextDates, screenEventsOf } from '#content/events/shown.ts';
import { daysAfter } from '#content/recurrence/dates.ts';
import { event, local, NOW, weekly, ZONE } from './event.ts';

const window = { from: '2026-09-01', until: '2028-03-01' };
const today = '2026-11-21';
const record = (body: EventBody, id = 'a1b2') => ({ id, uid_base: id, body });

test('screens show events that are ticked for them, wherever they are; cancelled ones say so', () => {
  const changes: EventBody['changes'] = {
    '2026-12-08': { as: 'cancelled' },
    '2026-12-15': { as: 'changed', place: 'Library' },
    '2026-12-22': { as: 'skipped' },
  };
  const body = weekly({ tag: 'rc-direct', changes, until: '2026-12-29' });

  const events = screenEventsOf(record(body), window, ZONE);

  expect(events.map(({ start, ...rest }) => ({ ...rest, start: local(start) }))).toEqual([
    expect.objectContaining({ title: 'Quiz night', start: '2026-12-08 20:00', cancelled: true }),
    expect.objectContaining({ title: 'Quiz night', start: '2026-12-15 20:00', place: 'Library' }),
    expect.objectContaining({ title: 'Quiz night', start: '2026-12-29 20:00', rcTag: 'rc-direct' }),
  ]);
  expect(events[1]).not.toHaveProperty('cancelled');
  expect(screenEventsOf(record(event({ in_pub: false })), window, ZONE)).toEqual([]);
  for (const place of ['Function room', 'Upstairs bar', ''])
    expect(screenEventsOf(record(event({ place })), window, ZONE)).toMatchObject([{ place }]);
});

test('in the calendar a single event has its own UID, and each date of a series one with its original date', () => {
  const changes: EventBody['changes'] = {
    '2026-12-15': { as: 'changed', date: '2026-12-16', note: 'Upstairs' },
    '2026-12-22': { as: 'skipped' },
  };
  const body = weekly({
    changes,
    until: '2026-12-22',
    description: 'Teams of six',
    url: 'https://q.example/',
  });

  expect(calendarEntriesOf(record(event()), window, ZONE)).toMatchObject([
    { id: 'a1b2', location: 'Pub', description: '', url: null, cancelled: false, editedAt: NOW },
  ]);
  expect(calendarEntriesOf(record(body), window, ZONE)).toMatchObject([
    { id: 'a1b2-20261208', description: 'Teams of six', url: 'https://q.example/' },
    { id: 'a1b2-20261215', description: 'Upstairs\n\nTeams of six' },
  ]);
  expect(calendarEntriesOf(record(event({ in_calendar: false })), window, ZONE)).toEqual([]);
});

test('the next ten dates are found, also for yearly rules', () => {
  expect(nextDates(weekly(), today, 10, ZONE)).toHaveLength(10);
  expect(nextDates(event({ rule: 'FREQ=YEARLY' }), today, 10, ZONE).map(({ original }) => original)).toEqual(
    Array.from({ length: 10 }, (_, i) => `${2026 + i}-12-08`),
  );
  expect(nextDates(weekly({ until: '2026-12-15' }), today, 10, ZONE)).toHaveLength(2);
});

const fill = (bodies: EventBody[]) =>
  fillCalendar(
    bodies.map((body, i) => record(body, `series${i}`)),
    [],
    { today, house: ZONE, entriesOf: candidateEntries({ today, window, house: ZONE }) },
  );

const series = (fields: Partial<EventBody> = {}) => weekly({ date: '2026-08-04', ...fields });

test('few series are in the calendar for 400 days', () => {
  const { entries, horizon } = fill([series(), event({ description: 'x'.repeat(3_000) })]);

  expect(horizon).toBe(400);
  expect(entries.map(({ start }) => local(start)).filter((start) => start < today)).toHaveLength(4);
  expect(local(Math.max(...entries.map(({ start }) => start)))).toBe('2027-12-21 20:00');
  expect(fill([event()])).toMatchObject({ horizon: null, entries: [{ id: 'series0' }] });
});

test('forty weekly series fill the calendar to 900 events, all up to the same day', () => {
  const { entries, horizon } = fill(Array.from({ length: 40 }, () => series()));

  expect(entries.length).toBeLessThanOrEqual(900);
  expect(entries.length).toBeGreaterThan(850);
  const last = Map.groupBy(entries, ({ id }) => id.split('-')[0]);
  expect(new Set([...last.values()].map((dates) => dates.length)).size).toBe(1);
  expect(Math.max(...entries.map(({ start }) => start))).toBeLessThan(
    Temporal.PlainDate.from(daysAfter(today, horizon! + 1)).toZonedDateTime(ZONE).epochMilliseconds,
  );
});

test('long descriptions are cut before dates are left out, and single events stay', () => {
  const long = 'Täglich; mit "Quiz", Musik, und Tanz.\n'.repeat(100);
  const bodies = [
    ...Array.from({ length: 12 }, () => series({ description: long })),
    event({ description: long }),
  ];

  const { entries, horizon } = fill(bodies);

  expect(horizon).toBe(400);
  expect(new Set(entries.map(({ description }) => description.length))).toEqual(new Set([500, long.length]));
});

test('a calendar that is full of single events has no dates of series', () => {
  const singles = Array.from({ length: 901 }, () => event());

  expect(fill([...singles, series()])).toMatchObject({ horizon: 0, entries: { length: 901 } });
});

test('the estimated size of an entry is at least that of its lines in the file', () => {
  const texts = ['', 'Quiz, "night"; und Übermut \\ 🍺'.repeat(8), 'a,b;c\\d\n'.repeat(60)];
  const entries = texts.flatMap((text) =>
    calendarEntriesOf(
      record(weekly({ title: text.slice(0, 190) || 'Quiz', description: text, url: 'https://q.example/' })),
      { from: '2026-12-01', until: '2027-01-01' },
      ZONE,
    ),
  );
  for (const entry of entries) {
    const file = (programs: typeof entries) =>
      Buffer.byteLength(
        renderFeed({ title: 'Programme', url: undefined, zone: ZONE, accent: '#1f4d3a', programs }),
      );
    const one = { ...entry, id: `${entry.id}x` };
    expect(bytesOf(entry)).toBeGreaterThanOrEqual(file([one, entry]) - file([one]));
  }
});

test('the full calendar is below its limits, is valid, and other libraries find every UID once', async () => {
  const bodies = Array.from({ length: 40 }, (_, i) =>
    series({ title: `Series ${i}`, description: 'Übung, '.repeat(90) }),
  );
  const { entries } = fill(bodies);
  const programs = entries.toSorted((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1));

  const file = renderFeed({ title: 'Programme', url: undefined, zone: ZONE, accent: '#1f4d3a', programs });

  expect(Buffer.byteLength(file)).toBeLessThanOrEqual(900_000);
  expect(file).not.toContain('RRULE:FREQ=WEEKLY');
  expect(faultIn(file, programs, ZONE)).toBeUndefined();
  const expected = programs.map(({ id }) => `${id}@publichouse`).sort();
  const events = new icalJs.Component(icalJs.parse(file)).getAllSubcomponents('vevent');
  expect(events.map((one) => String(one.getFirstPropertyValue('uid'))).sort()).toEqual(expected);
  const others = Object.values(await nodeIcal.async.parseICS(file)).filter((one) => one?.type === 'VEVENT');
  expect(others.map((one) => (one as { uid: string }).uid).sort()).toEqual(expected);
});
