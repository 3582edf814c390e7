import { expect, test } from 'vitest';
import { formOfRepeat, type RepeatForm, repeatOfForm } from '#content/recurrence/form.ts';

const date = '2026-12-08';
const empty = formOfRepeat({ rule: null, until: null, extra: [] }, date);
const form = (fields: Partial<RepeatForm>): RepeatForm => ({ ...empty, ...fields });

test('a new form has no day selected, since days follow from the date, which may still change', () => {
  const day = { weekdays: [], month_day: '', nths: [], nth_weekday: 'TU' };
  expect(empty).toMatchObject({ ...day, repeat: 'none', ends: 'never' });
});

test.each<[Partial<RepeatForm>, string | null]>([
  [{ repeat: 'none' }, null],
  [{ repeat: 'daily', every: '3' }, 'FREQ=DAILY;INTERVAL=3'],
  [{ repeat: 'weekly', weekdays: [] }, 'FREQ=WEEKLY'],
  [{ repeat: 'weekly', every: '2', weekdays: ['TH', 'TU'] }, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH'],
  [{ repeat: 'month_day', month_day: '' }, 'FREQ=MONTHLY'],
  [{ repeat: 'month_day', month_day: '31' }, 'FREQ=MONTHLY;BYMONTHDAY=31'],
  [{ repeat: 'month_last' }, 'FREQ=MONTHLY;BYMONTHDAY=-1'],
  [{ repeat: 'month_weekday', nths: ['3', '1'], nth_weekday: 'SU' }, 'FREQ=MONTHLY;BYDAY=1SU,3SU'],
  [{ repeat: 'month_weekday', nths: ['-1', '2'], nth_weekday: 'FR' }, 'FREQ=MONTHLY;BYDAY=-1FR,2FR'],
  [{ repeat: 'yearly' }, 'FREQ=YEARLY'],
])('%j becomes %s, and vice versa', (fields, rule) => {
  const repeat = repeatOfForm(form(fields), date);

  expect(repeat.rule).toBe(rule);
  expect(formOfRepeat(repeat, date).repeat).toBe(fields.repeat);
  expect(repeatOfForm(formOfRepeat(repeat, date), date)).toEqual(repeat);
});

test.each([
  'FREQ=MONTHLY;BYMONTH=6;BYDAY=1TU',
  'FREQ=MONTHLY;BYDAY=1TU,2WE',
  'FREQ=MONTHLY;BYDAY=TU',
  'FREQ=MONTHLY;BYMONTHDAY=1,15',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=SU',
  'FREQ=YEARLY;BYMONTH=7;BYDAY=3TH',
  'FREQ=MONTHLY;BYDAY=5FR',
  'FREQ=MONTHLY;BYDAY=MO,TH;BYSETPOS=-1',
])('%s is shown as text and kept', (rule) => {
  const shown = formOfRepeat({ rule, until: '2027-06-30', extra: ['2026-12-24'] }, date);

  expect(shown).toMatchObject({ repeat: 'own', own: rule, ends: 'on', until: '2027-06-30' });
  expect(repeatOfForm(shown, date)).toEqual({ rule, until: '2027-06-30', extra: ['2026-12-24'] });
});

test('"after N times" becomes the date of the last time', () => {
  const fields = form({ repeat: 'weekly', ends: 'after', times: '5' });

  expect(repeatOfForm(fields, date)).toEqual({
    rule: 'FREQ=WEEKLY',
    until: '2027-01-05',
    extra: [],
  });
});

test('fields of other choices are ignored', () => {
  const fields = form({ repeat: 'daily', month_day: 'x', own: 'nonsense', until: 'never', times: '-1' });

  expect(repeatOfForm(fields, date)).toEqual({ rule: 'FREQ=DAILY', until: null, extra: [] });
});

test('dates can be entered as a list', () => {
  const fields = form({ repeat: 'dates', dates: '2027-01-20\r\n2026-12-24, 2027-01-20\n' });

  expect(repeatOfForm(fields, date)).toEqual({
    rule: null,
    until: null,
    extra: ['2026-12-24', '2027-01-20'],
  });
});

test.each<[string, Partial<RepeatForm>]>([
  ['every', { repeat: 'daily', every: '0' }],
  ['every', { repeat: 'weekly', every: '367' }],
  ['month_day', { repeat: 'month_day', month_day: '32' }],
  ['nths', { repeat: 'month_weekday', nths: [] }],
  ['nths', { repeat: 'month_weekday', nths: ['7'] }],
  ['own', { repeat: 'own', own: 'FREQ=HOURLY' }],
  ['own', { repeat: 'own', own: 'FREQ=DAILY;COUNT=3' }],
  ['dates', { repeat: 'dates', dates: '2027-02-30' }],
  ['dates', { repeat: 'dates', dates: 'tomorrow' }],
  ['until', { repeat: 'daily', ends: 'on', until: '' }],
  ['times', { repeat: 'daily', ends: 'after', times: '' }],
  ['times', { repeat: 'yearly', ends: 'after', times: '20' }],
])('the error names %s for %j', (field, fields) => {
  expect(() => repeatOfForm(form(fields), date)).toThrow(
    expect.objectContaining({ statusCode: 400, errors: [expect.objectContaining({ path: field })] }),
  );
});
