import { z } from 'zod';
import { timesInList } from '#content/records/columns.ts';
import { between, days, neededText, order, shortText, tick } from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';
import { fieldError } from '#kernel/http/errors.ts';
import { oneOf } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { coded } from '#kernel/messages/messages.ts';
import { byOrder } from '#kernel/shared/menu-words.js';

const SECTION_KINDS = ['drinks', 'food'] as const;
const SECTIONS_AT_MOST = 12;

/** A section of the list of drinks and food. */
export type MenuSectionBody = z.output<typeof schema>;
const schema = z.strictObject({
  title: neededText(60),
  note: shortText(200),
  order,
  kind: oneOf(SECTION_KINDS).default('drinks'),
  /** Its drinks are shown only while a tap has them. Food keeps it for the case that it becomes a section of drinks. */
  on_tap: tick(false),
  /** When it is shown, such as the hours of a kitchen. */
  days,
  between,
  show_on: z
    .strictObject({ screens: tick(true), phones: tick(true), print: tick(true) })
    .default({ screens: true, phones: true, print: true }),
  /** Lines of each item on screens. */
  rows: z.union([z.literal(1), z.literal(2)], coded('out_of_range', { min: 1, max: 2 })).default(2),
});

export const MENU_SECTION = defineKind({
  name: 'menu_section',
  schema,
  checkAmong: (_, { before, others }) =>
    before === undefined && others().length >= SECTIONS_AT_MOST
      ? [fieldError('title', 'too_many_records', { max: SECTIONS_AT_MOST })]
      : [],
  mergedByKey: ['show_on'],
  isOnMenu: true,
  ordered: { group: () => '', compare: byOrder },
  title: ({ title }) => title,
  columns: [
    { label: t('content-admin.kinds.section'), words: ({ title }) => title, leads: true },
    {
      label: t('content-admin.kinds.what'),
      words: ({ kind, on_tap }) =>
        kind === 'food'
          ? t('content-admin.kinds.food')
          : on_tap
            ? t('content-admin.kinds.drinks_tap')
            : t('content-admin.kinds.drinks'),
    },
    { label: t('content-admin.kinds.shown'), words: timesInList },
  ],
  labels: {
    title: t('content-admin.kinds.title'),
    note: t('content-admin.kinds.note'),
    order: t('content-admin.kinds.place_list'),
    kind: t('content-admin.kinds.what'),
    on_tap: t('content-admin.kinds.tap'),
    days: t('content-admin.kinds.days'),
    between: t('content-admin.kinds.time_day'),
    show_on: t('content-admin.kinds.shown_on'),
    rows: t('content-admin.kinds.lines_screens'),
  },
});
