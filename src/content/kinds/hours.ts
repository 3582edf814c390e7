import { z } from 'zod';
import { crewedRange, date, longText, overlapOf, WEEKDAYS } from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';
import { fieldError } from '#kernel/http/errors.ts';
import { listOf } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { dateInWords } from '#kernel/language/times.ts';

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
  title: ({ from }) => t('content-admin.kinds.hours_from', { date: dateInWords(from) }),
  dates: ({ from }) => ({ from, to: null }),
  columns: [
    { label: t('content-admin.kinds.valid'), words: ({ from }) => dateInWords(from), leads: true },
    { label: t('content-admin.kinds.note'), words: ({ note }) => note },
  ],
  labels: {
    from: t('content-admin.kinds.from'),
    same: t('content-admin.kinds.hours_ticked_days'),
    week: t('content-admin.kinds.week'),
    note: t('content-admin.kinds.note'),
  },
});
