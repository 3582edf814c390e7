import { describe, expect, test } from 'vitest';
import type { WorkspacePage, WorkspaceProperty } from '#kernel/workspace/client.ts';
import {
  endOf,
  findName,
  firstUrl,
  RECORDS,
  readDate,
  readFiles,
  readFlag,
  readNumber,
  readRelations,
  readText,
  readUrl,
  spanOf,
  startOf,
} from '#kernel/workspace/records.ts';
import { id } from '#test/stand-ins/workspace-server.ts';

const zone = 'America/New_York';
const IT = { names: ['It', 'Its Other Name'], types: [] };
const text = (...parts: string[]) => ({ rich_text: parts.map((plain_text) => ({ plain_text })) });
const formula = (type: string, value: unknown) => ({ formula: { type, [type]: value } });
const rollup = (...array: object[]) => ({
  rollup: { type: 'array', function: 'show_original', array: array.map(typed) },
});

test.each<[value: object, text: string]>([
  [{ title: [{ plain_text: 'Quiz ' }, { plain_text: 'night' }] }, 'Quiz night'],
  [text('  spaced  '), 'spaced'],
  [text(), ''],
  [{ select: { name: 'Pub' } }, 'Pub'],
  [{ select: null }, ''],
  [{ status: { name: 'Open' } }, 'Open'],
  [{ multi_select: [{ name: 'Pub' }, { name: 'Garden' }] }, 'Pub, Garden'],
  [{ people: [{ id: 'x', name: 'Ann' }, { id: 'y' }] }, ''],
  [{ people: [{ name: 'Ann' }, { name: 'Bob' }] }, 'Ann, Bob'],
  [{ number: 0 }, '0'],
  [{ url: 'https://a.example' }, 'https://a.example'],
  [{ email: 'ann@club.example' }, 'ann@club.example'],
  [{ phone_number: '+1 555' }, '+1 555'],
  [formula('string', 'made'), 'made'],
  [formula('number', 7), '7'],
  [formula('unsupported', {}), ''],
  [rollup({ title: [{ plain_text: 'Ann' }] }, text('Bob'), { checkbox: true }), 'Ann, Bob'],
  [{ rollup: { type: 'number', number: 3 } }, '3'],
  [{ date: { start: '2026-11-21', end: null } }, '2026-11-21'],
  [{ checkbox: true }, ''],
])('%j reads as the text %j', (value, expected) => {
  expect(readText(page({ It: value }), IT)).toBe(expected);
});

test.each<[value: object, flag: boolean]>([
  [{ checkbox: true }, true],
  [{ checkbox: false }, false],
  [formula('boolean', true), true],
  [rollup({ checkbox: false }, { checkbox: true }), true],
  [{ select: { name: 'Yes' } }, true],
  [{ select: { name: 'No' } }, false],
  [{ status: { name: 'Active' } }, true],
  [text('✓'), true],
  [text('not yet'), false],
  [{ number: 1 }, true],
  [{ number: 0 }, false],
  [{ checkbox: 'true' }, true],
  [{ checkbox: null }, false],
])('%j reads as the flag %j', (value, expected) => {
  expect(readFlag(page({ It: value }), IT)).toBe(expected);
});

test.each<[value: object, number: number | undefined]>([
  [{ number: 2.5 }, 2.5],
  [{ number: null }, undefined],
  [text('2,5 hours'), 2.5],
  [text('-3'), -3],
  [text('15 min.'), 15],
  [text('1:30'), undefined],
  [text('about 2'), undefined],
  [{ select: { name: '20' } }, 20],
  [formula('number', 4), 4],
  [rollup({ number: null }, { number: 5 }), 5],
])('%j reads as the number %j', (value, expected) => {
  expect(readNumber(page({ It: value }), IT)).toBe(expected);
});

test.each<[value: object, date: object | undefined]>([
  [{ date: { start: '2026-11-21', end: '2026-11-23' } }, { start: '2026-11-21', end: '2026-11-23' }],
  [{ date: { start: '2026-11-21T19:00:00.000-05:00' } }, { start: '2026-11-21T19:00:00.000-05:00' }],
  [{ date: null }, undefined],
  [formula('date', { start: '2026-11-21', end: null }), { start: '2026-11-21' }],
  [{ rollup: { type: 'date', date: { start: '2026-11-21' } } }, { start: '2026-11-21' }],
  [rollup({ date: null }, { date: { start: '2026-11-22' } }), { start: '2026-11-22' }],
  [text('2026-11-21T19:00'), { start: '2026-11-21T19:00' }],
  [{ created_time: '2026-11-21T19:00:00.000Z' }, { start: '2026-11-21T19:00:00.000Z' }],
  [text('next week'), undefined],
])('%j reads as the date %j', (value, expected) => {
  expect(readDate(page({ It: value }), IT)).toEqual(expected && { end: undefined, ...expected });
});

test('relations, files and addresses are read, also through a rollup, and invalid ones ignored', () => {
  const relation = { relation: [{ id: id(7) }, { id: 'no id' }, { id: id(7) }] };
  const files = {
    files: [
      { name: 'a.jpg', type: 'file', file: { url: 'https://f.example/a.jpg', expiry_time: 'x' } },
      { name: 'b.jpg', type: 'external', external: { url: 'javascript:alert(1)' } },
      { type: 'external', external: { url: 'https://f.example/c.jpg' } },
    ],
  };

  expect(readRelations(page({ It: relation }), IT)).toEqual([id(7)]);
  expect(readRelations(page({ It: rollup(relation, { relation: [{ id: id(8) }] }) }), IT)).toEqual([
    id(7),
    id(8),
  ]);
  expect(readRelations(page({ It: text(id(7)) }), IT)).toEqual([]);
  expect(readFiles(page({ It: files }), IT)).toEqual([
    { name: 'a.jpg', url: 'https://f.example/a.jpg' },
    { name: '', url: 'https://f.example/c.jpg' },
  ]);
  expect(readFiles(page({ It: { url: 'https://f.example/d.png' } }), IT)).toEqual([
    { name: '', url: 'https://f.example/d.png' },
  ]);
  expect(readFiles(page({ It: { files: [] } }), IT)).toEqual([]);
  expect(readUrl(page({ It: text('https://ann.example/x') }), IT)).toBe('https://ann.example/x');
  expect(readUrl(page({ It: { url: 'javascript:alert(1)' } }), IT)).toBeUndefined();
});

describe('a property', () => {
  test('is found regardless of case, spaces and punctuation in its name', () => {
    for (const name of ['it', 'IT', ' It ', 'its_other_name', 'Its other-name!'])
      expect(readText(page({ [name]: text('x') }), IT)).toBe('x');
    expect(readText(page({ 'It too': text('x') }), IT)).toBe('');
  });

  test('that is empty under its first name is read under its next', () => {
    expect(readText(page({ It: text(), 'Its Other Name': text('x') }), IT)).toBe('x');
    expect(readText(page({ It: text('a'), 'Its Other Name': text('x') }), IT)).toBe('a');
    // An unticked checkbox is a value.
    expect(readFlag(page({ It: { checkbox: false }, 'Its Other Name': { checkbox: true } }), IT)).toBe(false);
    expect(readFlag(page({ It: { select: null }, 'Its Other Name': { checkbox: true } }), IT)).toBe(true);
  });

  test.each<unknown>([
    null,
    7,
    'text',
    [],
    {},
    { type: 7 },
    { type: 'rich_text' },
    { type: 'formula', formula: null },
  ])('of the shape %j counts as missing', (shape) => {
    const broken = page({});
    broken.properties.It = shape as WorkspaceProperty;

    expect([readText(broken, IT), readFlag(broken, IT), readRelations(broken, IT)]).toEqual(['', false, []]);
    expect([readDate(broken, IT), readNumber(broken, IT), readUrl(broken, IT)]).toEqual(
      Array(3).fill(undefined),
    );
    expect(readFiles(broken, IT)).toEqual([]);
  });

  test('that is nested too deeply is ignored', () => {
    const deep = Array.from({ length: 50 }).reduce<object>((inner) => rollup(inner), text('x'));

    expect(readText(page({ It: deep }), IT)).toBe('');
  });
});

test('the first URL of a page is found, without the excluded properties', () => {
  const { paymentA, paymentB } = RECORDS.tender;
  const them = page({
    'payment b': { url: 'https://pay.example' },
    Site: { url: 'not an address' },
    Blog: { url: 'https://blog.example/' },
  });

  expect(firstUrl(them, [paymentA, paymentB])).toBe('https://blog.example/');
  expect(firstUrl(them)).toBe('https://pay.example/');
  expect(findName(['payment b', 'Site'], paymentB)).toBe('payment b');
  expect(findName(['Site'], paymentB)).toBeUndefined();
});

test.each<[start: string, end: string | undefined, from: string, until: string | undefined, allDay: boolean]>(
  [
    ['2026-11-21', undefined, '2026-11-21T05:00:00Z', '2026-11-22T05:00:00Z', true],
    ['2026-11-21', '2026-11-23', '2026-11-21T05:00:00Z', '2026-11-24T05:00:00Z', true],
    ['2026-03-08', undefined, '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z', true],
    ['2026-11-01', undefined, '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z', true],
    ['2026-11-21T19:00:00.000-05:00', undefined, '2026-11-22T00:00:00Z', undefined, false],
    ['2026-11-21T19:00', '2026-11-21T22:00', '2026-11-22T00:00:00Z', '2026-11-22T03:00:00Z', false],
    // The hour skipped by the clock change, and the repeated one.
    ['2026-03-08T02:30', '2026-03-08T04:00', '2026-03-08T07:30:00Z', '2026-03-08T08:00:00Z', false],
    ['2026-11-01T01:30', '2026-11-01T03:00', '2026-11-01T05:30:00Z', '2026-11-01T08:00:00Z', false],
  ],
)('from %s to %s is %s to %s', (start, end, from, until, allDay) => {
  const at = (time: string | undefined) => time && Temporal.Instant.from(time).epochMilliseconds;

  expect(spanOf({ start, end }, zone)).toEqual({ start: at(from), end: at(until), allDay });
});

test('a span that is invalid, or ends before it starts, is undefined', () => {
  expect(spanOf({ start: '2026-02-30', end: undefined }, zone)).toBeUndefined();
  expect(spanOf({ start: 'soon', end: undefined }, zone)).toBeUndefined();
  expect(spanOf({ start: '2026-11-21', end: '2026-11-19' }, zone)).toBeUndefined();
  expect(startOf('99999-01-01', zone)).toBeUndefined();
  expect(endOf('9999-12-31', zone)).toBeUndefined();
});

/** Builds a page from properties by name, each given as its value under the name of its type. */
function page(properties: Record<string, object>): WorkspacePage {
  const all = Object.entries(properties).map(([name, value]) => [name, typed(value)]);
  return {
    id: id(1),
    title: '',
    parentDatabaseId: null,
    written: '',
    parentWritten: '',
    dataSourceId: null,
    lastEdited: '',
    properties: Object.fromEntries(all),
  };
}

function typed(value: object): object {
  return { type: Object.keys(value)[0], ...value };
}
