import { expect, test } from 'vitest';
import {
  choiceField,
  linesField,
  momentField,
  nameField,
  numberField,
  optionalField,
  record,
  textField,
  tickField,
} from '#kernel/http/record.ts';
import { listOf, requiredText } from '#kernel/http/validation.ts';

const TALK = record({
  title: nameField(20),
  begins_at: momentField(),
  ends_at: optionalField(momentField()),
  about: textField(50, { rows: 2 }),
  seats: numberField(1, 90, 30),
  least: optionalField(numberField(1, 90)),
  room: choiceField(['hall', 'bar'], { usual: 'hall' }),
  open: tickField(true),
  tags: linesField(listOf(requiredText(10), 3), { rows: 2, usual: [] }),
});
const place = { config: { TIME_ZONE: 'America/New_York' } };
const ROW = {
  title: 'Hops',
  begins_at: Temporal.Instant.from('2026-11-21T17:00:00Z').epochMilliseconds,
  ends_at: null,
  about: null,
  seats: 30,
  least: null,
  room: 'hall',
  open: 1,
  tags: '[]',
} as const;
const FORM = {
  title: 'Hops',
  begins_at: '2026-11-21T12:00',
  ends_at: '',
  about: '',
  seats: '30',
  least: '',
  room: 'hall',
  open: 'true',
  tags: '',
};

test('what is not sent has its usual value in a new record, and is left out of a change', () => {
  const made = TALK.input.parse({ title: 'Hops', begins_at: '2026-11-21T12:00' });
  expect(TALK.columns(made, place)).toEqual(ROW);
  expect(TALK.patch.parse({})).toEqual({});
  expect(TALK.changes(ROW, TALK.patch.parse({}), place)).toEqual({});
});

test('a change has the columns whose values differ, and null or an empty text removes one', () => {
  const stored = { ...ROW, about: 'All of them', least: 3, tags: '["new"]' };
  const sent = {
    about: '',
    least: null,
    seats: 30,
    open: 'false',
    tags: ['new'],
    ends_at: '2026-11-21T18:00Z',
  };
  expect(TALK.changes(stored, TALK.patch.parse(sent), place)).toEqual({
    about: null,
    least: null,
    open: 0,
    ends_at: Temporal.Instant.from('2026-11-21T18:00:00Z').epochMilliseconds,
  });
});

test('a form that is sent back as it was shown changes nothing', () => {
  const stored = {
    ...ROW,
    ends_at: ROW.begins_at + 90 * 60_000,
    least: 3,
    open: 0,
    tags: '["new","dry"]',
  } as const;
  for (const row of [ROW, stored])
    expect(TALK.changes(row, TALK.patch.parse(TALK.readForm(TALK.entered(row, place))), place)).toEqual({});
  expect(TALK.entered(ROW, place)).toEqual(FORM);
  expect(TALK.blank).toEqual({ ...FORM, title: '', begins_at: '' });
});

test('the last value of a tick counts, a list has one entry on each line, and other fields stay', () => {
  const sent = { open: ['false', 'true'], tags: 'new\r\n\n dry ', other: '1' };
  expect(TALK.readForm(sent)).toEqual({ open: 'true', tags: ['new', 'dry'], other: '1' });
});

test('a moment that nobody can read is refused by its name, and answered in UTC', () => {
  const made = { ...TALK.input.parse({ title: 'Hops', begins_at: '2026-11-21T12:00' }), ends_at: 'soon' };
  expect(() => TALK.columns(made, place)).toThrow('ends_at');
  expect(TALK.json(ROW)).toMatchObject({ begins_at: '2026-11-21T17:00:00.000Z', ends_at: null, open: true });
});
