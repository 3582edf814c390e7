import { z } from 'zod';
import { rangesInList } from '#content/records/columns.ts';
import { date, range, tenders } from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';
import { t } from '#kernel/language/message.ts';
import { commas, dateInWords } from '#kernel/language/times.ts';

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
  title: (body) => t('content-admin.kinds.roster_of', { date: dateInWords(body.date) }),
  dates: (body) => ({ from: body.date, to: body.date }),
  columns: [
    { label: t('content-admin.kinds.day'), words: ({ date }) => dateInWords(date), leads: true },
    {
      label: t('content-admin.kinds.who_works'),
      words: ({ tenders }, { nameOf }) =>
        commas(tenders.map((id) => nameOf(id) ?? t('content-admin.kinds.somebody_else'))) ??
        t('content-admin.kinds.nobody'),
    },
    {
      label: t('content-admin.kinds.hours'),
      words: ({ range }) => (range && rangesInList([range])) ?? t('content-admin.kinds.whole_opening'),
    },
  ],
  labels: {
    date: t('content-admin.kinds.date'),
    range: t('content-admin.kinds.hours'),
    tenders: t('content-admin.kinds.who_works'),
  },
});
