import { expect, test } from 'vitest';
import type { PubShift } from '#content/shifts.ts';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { dutyAt, pubHoursWeek } from '#pub/display/hours.ts';

const zone = 'America/New_York';

// Friday to Sunday, 20 to 22 November 2026, in New York.
const EVENING = shift('2026-11-21T16:30', '2026-11-21T23:45', '2026-11-21T17:00', '2026-11-21T23:00', 'ann');

test.each<[time: string, state: string, note: string, hours: string]>([
  ['2026-11-21T00:00', 'upcoming', 'Opens at 5:00 PM', '5:00 PM – 11:00 PM'],
  ['2026-11-21T16:29', 'upcoming', 'Opens at 5:00 PM', '5:00 PM – 11:00 PM'],
  ['2026-11-21T16:30', 'setup', 'Setting up', '5:00 PM – 11:00 PM'],
  ['2026-11-21T16:59', 'setup', 'Setting up', '5:00 PM – 11:00 PM'],
  ['2026-11-21T17:00', 'active', 'Open until 11:00 PM', '5:00 PM – 11:00 PM'],
  ['2026-11-21T22:29', 'active', 'Open until 11:00 PM', '5:00 PM – 11:00 PM'],
  ['2026-11-21T22:30', 'last-call', 'Last call', '5:00 PM – 11:00 PM'],
  ['2026-11-21T22:59', 'last-call', 'Last call', '5:00 PM – 11:00 PM'],
  ['2026-11-21T23:00', 'closed', 'Closed for tonight', '5:00 PM – 11:00 PM'],
  ['2026-11-21T23:44', 'closed', 'Closed for tonight', '5:00 PM – 11:00 PM'],
  ['2026-11-21T23:45', 'inactive', 'No shift today', ''],
  ['2026-11-22T05:00', 'inactive', 'No shift today', ''],
  ['2026-11-20T23:59', 'inactive', 'No shift today', ''],
])('at %s the pub is %s: %s', (time, noteState, note, hours) => {
  const duty = dutyOf([EVENING], time);

  expect(duty).toMatchObject({ noteState, note, hours });
  expect(duty.tenders).toEqual(noteState === 'inactive' ? [] : ['ann']);
});

test('`until` is the time of the next change', () => {
  const shifts = [
    EVENING,
    shift('2026-11-21T10:30', '2026-11-21T15:00', '2026-11-21T11:00', '2026-11-21T14:00', 'bob'),
    shift('2026-11-22T12:00', '2026-11-22T18:00', '2026-11-22T12:00', '2026-11-22T18:00', 'cat'),
  ];
  const saidAt = (now: number) => said(dutyAt(shifts, { now, zone, lastCallMinutes: 30 }));
  let now = at('2026-11-20T22:00');
  let until = now;

  for (; now < at('2026-11-23T06:00'); now += 15 * MINUTE) {
    const duty = saidAt(now);
    const before = saidAt(now - 1);
    const changed = JSON.stringify({ ...duty, until: 0 }) !== JSON.stringify({ ...before, until: 0 });
    if (changed) expect(before.until).toBe(now);
    expect(duty.until).toBeGreaterThan(now);
    until = duty.until;
  }
  expect(until).toBeGreaterThan(now - 15 * MINUTE);
});

test('with two shifts on a day the first is used until its end, then the second', () => {
  const lunch = shift('2026-11-21T10:30', '2026-11-21T15:00', '2026-11-21T11:00', '2026-11-21T14:00', 'bob');
  const both = [EVENING, lunch];

  expect(dutyOf(both, '2026-11-21T13:00')).toMatchObject({ noteState: 'active', tenders: ['bob'] });
  expect(dutyOf(both, '2026-11-21T14:59')).toMatchObject({
    noteState: 'closed',
    note: 'Opens at 5:00 PM',
    hours: '11:00 AM – 2:00 PM',
    tenders: ['bob'],
  });
  expect(dutyOf(both, '2026-11-21T15:00')).toMatchObject({
    noteState: 'upcoming',
    note: 'Opens at 5:00 PM',
    tenders: ['ann'],
  });
  expect(dutyOf(both, '2026-11-21T16:45')).toMatchObject({ noteState: 'setup', tenders: ['ann'] });
});

test('shifts with adjoining hours are one opening, without a last call between them', () => {
  const early = shift('2026-11-21T10:30', '2026-11-21T17:30', '2026-11-21T11:00', '2026-11-21T17:00', 'bob');
  const both = [early, EVENING];

  expect(dutyOf(both, '2026-11-21T16:45')).toMatchObject({
    noteState: 'active',
    note: 'Open until 11:00 PM',
    hours: '11:00 AM – 11:00 PM',
    tenders: ['bob', 'ann'],
  });
  expect(dutyOf(both, '2026-11-21T18:00').tenders).toEqual(['ann']);
  expect(dutyOf(both, '2026-11-21T09:00')).toMatchObject({ noteState: 'upcoming', tenders: ['bob'] });
});

test('hours past midnight belong to the evening on which they began', () => {
  const late = shift('2026-11-20T20:00', '2026-11-21T02:30', '2026-11-20T21:00', '2026-11-21T02:00', 'bob');

  expect(dutyOf([late], '2026-11-21T01:00')).toMatchObject({
    noteState: 'active',
    note: 'Open until 2:00 AM',
    tenders: ['bob'],
  });
  expect(dutyOf([late], '2026-11-21T02:10').noteState).toBe('closed');
  expect(weekOf([late], '2026-11-21T12:00')[5]).toEqual({
    date: '2026-11-20',
    open: true,
    hours: '9:00 PM – 2:00 AM',
  });
  expect(weekOf([late], '2026-11-21T12:00')[6]?.open).toBe(false);
});

test('last call never begins before the opening, and never with `lastCallMinutes` 0', () => {
  const short = shift('2026-11-21T17:00', '2026-11-21T17:20', '2026-11-21T17:00', '2026-11-21T17:20', 'bob');

  expect(dutyOf([short], '2026-11-21T16:59').noteState).toBe('upcoming');
  expect(dutyOf([short], '2026-11-21T17:00').noteState).toBe('last-call');
  expect(dutyAt([EVENING], { now: at('2026-11-21T22:59'), zone, lastCallMinutes: 0 }).noteState).toBe(
    'active',
  );
});

test('the week runs from Sunday to Saturday and lists every opening of a day', () => {
  const shifts = [
    EVENING,
    shift('2026-11-18T11:00', '2026-11-18T14:00', '2026-11-18T11:00', '2026-11-18T14:00', ''),
    shift('2026-11-18T17:00', '2026-11-18T20:00', '2026-11-18T17:00', '2026-11-18T20:00', ''),
    shift('2026-11-18T20:00', '2026-11-18T23:00', '2026-11-18T20:00', '2026-11-18T23:00', ''),
    shift('2026-11-22T12:00', '2026-11-22T18:00', '2026-11-22T12:00', '2026-11-22T18:00', ''),
  ];

  expect(weekOf(shifts, '2026-11-21T12:00')).toEqual([
    { date: '2026-11-15', open: false, hours: null },
    { date: '2026-11-16', open: false, hours: null },
    { date: '2026-11-17', open: false, hours: null },
    { date: '2026-11-18', open: true, hours: '11:00 AM – 2:00 PM, 5:00 PM – 11:00 PM' },
    { date: '2026-11-19', open: false, hours: null },
    { date: '2026-11-20', open: false, hours: null },
    { date: '2026-11-21', open: true, hours: '5:00 PM – 11:00 PM' },
  ]);
  expect(weekOf(shifts, '2026-11-22T00:00')[0]).toEqual({
    date: '2026-11-22',
    open: true,
    hours: '12:00 PM – 6:00 PM',
  });
});

test.each([
  ['2026-03-08', '2026-03-07', 7 * HOUR],
  ['2026-11-01', '2026-10-31', 9 * HOUR],
])('in the week of the clock change on %s the hours are in local time', (sunday, eve, length) => {
  const night = shift(`${eve}T20:00`, `${sunday}T04:30`, `${eve}T20:00`, `${sunday}T04:00`, 'ann');
  const day = shift(`${sunday}T16:00`, `${sunday}T23:00`, `${sunday}T17:00`, `${sunday}T23:00`, 'ann');

  expect(night.closes - night.opens).toBe(length);
  expect(weekOf([night, day], `${sunday}T23:59`)[0]).toEqual({
    date: sunday,
    open: true,
    hours: '5:00 PM – 11:00 PM',
  });
  expect(weekOf([night, day], `${eve}T12:00`)[6]).toMatchObject({ date: eve, hours: '8:00 PM – 4:00 AM' });
  expect(dutyOf([night, day], `${sunday}T03:45`).noteState).toBe('last-call');
  expect(dutyOf([night, day], `${sunday}T12:00`).note).toBe('Opens at 5:00 PM');
  expect(weekOf([night, day], `${sunday}T12:00`).map(({ date }) => date)).toHaveLength(7);
});

function at(local: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
}

function shift(start: string, end: string, opens: string, closes: string, tender: string): PubShift {
  return {
    start: at(start),
    end: at(end),
    opens: at(opens),
    closes: at(closes),
    tenders: tender ? [tender] : [],
  };
}

const said = ({ note, inWords: _, hours, ...duty }: ReturnType<typeof dutyAt>) => ({
  ...duty,
  note: note.for(ENGLISH),
  hours: hours?.digits.for(ENGLISH) ?? '',
});
const dutyOf = (shifts: PubShift[], time: string) =>
  said(dutyAt(shifts, { now: at(time), zone, lastCallMinutes: 30 }));
const weekOf = (shifts: PubShift[], time: string) => pubHoursWeek(shifts, at(time), zone);
