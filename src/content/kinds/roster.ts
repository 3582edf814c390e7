import { z } from 'zod';
import { rangesInList } from '#content/records/columns.ts';
import { date, range, tenders } from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';
import { dateInWords } from '#kernel/local-time.ts';

/** Who works on a date. */
export type RosterBody = z.output<typeof schema>;
const schema = z.strictObject({
  date,
  /** Null: the whole opening hours. */
  range: range.nullable().default(null),
  tenders: tenders.default([]),
});

export const ROSTER = defineKind({
  name: 'roster',
  schema,
  title: (body) => `Roster of ${dateInWords(body.date)}`,
  dates: (body) => ({ from: body.date, to: body.date }),
  columns: [
    { label: 'Day', words: ({ date }) => dateInWords(date), leads: true },
    {
      label: 'Who works',
      words: ({ tenders }, { nameOf }) =>
        tenders.map((id) => nameOf(id) ?? 'somebody else').join(', ') || 'Nobody',
    },
    { label: 'Hours', words: ({ range }) => (range ? rangesInList([range]) : 'The whole opening') },
  ],
  labels: { date: 'Date', range: 'Hours', tenders: 'Who works' },
});
