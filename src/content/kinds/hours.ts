import { z } from 'zod';
import { crewedRange, date, longText, overlapOf, WEEKDAYS } from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';
import { fieldError } from '#kernel/http/errors.ts';
import { listOf } from '#kernel/http/validation.ts';
import { dateInWords } from '#kernel/local-time.ts';

/** The opening hours of a week, valid from a date on. */
export type HoursBody = z.output<typeof schema>;
const day = listOf(crewedRange, 4).default([]);
const schema = z.strictObject({
  from: date,
  week: z.strictObject({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day }),
  note: longText(500),
});

export const HOURS = defineKind({
  name: 'hours',
  schema,
  check: ({ week }) =>
    WEEKDAYS.flatMap((name) => {
      const at = overlapOf(week[name]);
      return at === undefined ? [] : [fieldError(`week.${name}.${at}.opens`, 'hours_overlap')];
    }),
  mergedByKey: ['week'],
  title: ({ from }) => `Hours from ${dateInWords(from)}`,
  dates: ({ from }) => ({ from, to: null }),
  columns: [
    { label: 'Valid from', words: ({ from }) => dateInWords(from), leads: true },
    { label: 'Note', words: ({ note }) => note },
  ],
  labels: { from: 'From', same: 'Hours of the ticked days', week: 'Week', note: 'Note' },
});
