import { expect, test } from 'vitest';
import { readTime } from '#content/forms/form.ts';
import { hoursForm } from '#content/forms/hours.ts';
import { HOURS } from '#content/kinds/hours.ts';
import { parseBody } from '#content/records/kind.ts';

test.each([
  ['8pm', '20:00'],
  ['8 PM', '20:00'],
  ['8:30 p.m.', '20:30'],
  ['12am', '00:00'],
  ['12 pm', '12:00'],
  ['20.00', '20:00'],
  ['20h', '20:00'],
  ['20h30', '20:30'],
  ['20 Uhr', '20:00'],
  ['20:00', '20:00'],
  ['7', '7'],
  ['midnight', '00:00'],
  ['13pm', '13pm'],
  ['25:00', '25:00'],
  ['late', 'late'],
  ['20:0', '20:0'],
])('%s is read as %s', (text, time) => {
  expect(readTime(text)).toBe(time);
});

test('a week keeps values for which its form has no fields', () => {
  const [ann, bob] = ['a'.repeat(32), 'b'.repeat(32)];
  const ranges = [
    { opens: '11:00', closes: '14:00', before: 30, after: 0, tenders: [ann] },
    { opens: '16:00', closes: '17:00', before: 0, after: 15, tenders: [bob] },
    { opens: '18:00', closes: '01:00', before: 0, after: 0, tenders: [] },
  ];
  const body = parseBody(HOURS, { from: '2026-11-01', week: { mon: ranges } });

  expect(parseBody(HOURS, hoursForm.fromForm(hoursForm.toForm(body), body))).toEqual(body);
  const changed = { ...hoursForm.toForm(body), before: '45', 'crew.mon': [bob] };
  expect(parseBody(HOURS, hoursForm.fromForm(changed, body)).week.mon).toEqual([
    { opens: '11:00', closes: '14:00', before: 45, after: 0, tenders: [bob] },
    { opens: '16:00', closes: '17:00', before: 45, after: 15, tenders: [bob] },
    ranges[2],
  ]);
});
