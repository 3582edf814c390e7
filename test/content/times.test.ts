import { expect, test } from 'vitest';
import { readTypedSpan, readTypedTime } from '#content/times.ts';
import { message } from '#test/support/messages.ts';

test.each([
  ...['8pm', '8 PM', '8:00 p.m.', '8.00pm', '20.00', '20h', '20h00', '20:00', '2000', '20 Uhr', ' 20:00:00 '],
  '８pm',
])('%s is read as 20:00', (text) => {
  expect(readTypedTime(text)).toBe('20:00');
});

test.each([
  ['12am', '00:00'],
  ['12:30 AM', '00:30'],
  ['12pm', '12:00'],
  ['noon', '12:00'],
  ['midnight', '00:00'],
  ['7:05', '07:05'],
  ['9h30', '09:30'],
  ['0:00', '00:00'],
  ['23.59', '23:59'],
])('%s is read as %s', (text, time) => {
  expect(readTypedTime(text)).toBe(time);
});

test.each([
  ...['', '8', '25:00', '24:00', '13pm', '0am', '20:60', '8:5', '20:00:30', '-1:00', '800', '8pmx'],
  ...['20;00', 'eight', '１２：３：４'],
])('%j is not a time', (text) => {
  expect(readTypedTime(text)).toBeUndefined();
});

test.each([
  ['8pm', '23h', { time: '20:00', end_time: '23:00', end_days: 0 }],
  ['20:00', '1:30am', { time: '20:00', end_time: '01:30', end_days: 1 }],
  ['20:00', 'midnight', { time: '20:00', end_time: '00:00', end_days: 1 }],
  ['20:00', '24:00', { time: '20:00', end_time: '00:00', end_days: 1 }],
  ['20:00', ' ', { time: '20:00', end_time: null, end_days: 0 }],
  ['', '', { time: null, end_time: null, end_days: 0 }],
])('from %j until %j is a span', (from, until, span) => {
  expect(readTypedSpan(from, until)).toEqual({ span });
});

test.each([
  ['20:00', '8pm', ['end_time'], 'From 20:00 until 20:00 would be 24 hours.'],
  ['25:00', '1x', ['time', 'end_time'], message('not_time_of_day', { text: '25:00' })],
  ['', '23:00', ['time'], message('begin_missing')],
  ['8', '23:00', ['time'], '“8” is not a time of day.'],
])('from %j until %j is refused at %j', (from, until, paths, message) => {
  const read = readTypedSpan(from, until);

  const problems = 'problems' in read ? read.problems : [];
  expect(problems.map(({ path }) => path)).toEqual(paths);
  expect(problems[0]!.message).toContain(message);
});

test('the fields may have other names', () => {
  expect(readTypedSpan('x', '', { from: 'opens', until: 'closes' })).toMatchObject({
    problems: [{ path: 'opens' }],
  });
});
