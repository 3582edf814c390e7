import { z } from 'zod';
import { momentInList } from '#content/records/columns.ts';
import { between, days, longText, moment, neededText, picture } from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';
import { fieldError } from '#kernel/http/errors.ts';
import { listOf, oneOf } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import { localDate } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';

export const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const;

/** In forms: all screens, instead of their names. */
export const ALL_SCREENS = '*';

/** An announcement: a slide on the screens. */
export type AnnouncementBody = z.output<typeof schema>;
const schema = z.strictObject({
  title: neededText(200),
  text: longText(2_000),
  priority: oneOf(PRIORITIES).default('normal'),
  /** How long it is shown; null: the screens decide. */
  seconds: z
    .int(coded('out_of_range', { min: 5, max: 120 }))
    .refine((value) => value >= 5 && value <= 120, coded('out_of_range', { min: 5, max: 120 }))
    .nullable()
    .default(null),
  /** A date without a time includes the whole day, for both fields. */
  from: moment.nullable().default(null),
  until: moment.nullable().default(null),
  /** Empty: every day. */
  days,
  between,
  /** Names of screens; empty: all. */
  screens: listOf(neededText(40), 20).default([]),
  picture,
});

export const ANNOUNCEMENT = defineKind({
  name: 'announcement',
  schema,
  check: ({ from, until }) =>
    from !== null && until !== null && until < from.slice(0, until.length)
      ? [fieldError('until', 'ends_before_start')]
      : [],
  title: ({ title }) => title,
  dates: ({ from, until }) =>
    from === null && until === null
      ? null
      : { from: from?.slice(0, 10) ?? '', to: until?.slice(0, 10) ?? null },
  soonest: ({ until }, { now, zone }) =>
    until === null ? '9999' : until.slice(0, 10) < localDate(now, zone) ? undefined : until,
  columns: [
    {
      label: t('content-admin.kinds.shown_until'),
      words: ({ until }, about) =>
        until === null ? t('content-admin.kinds.end') : momentInList(until, about),
      below: ({ from }, about) =>
        from !== null && from.slice(0, 10) > localDate(about.now, about.zone)
          ? t('content-admin.kinds.from_date', { date: momentInList(from, about) })
          : undefined,
    },
    { label: t('content-admin.kinds.announcement'), words: ({ title }) => title, leads: true },
    {
      label: t('content-admin.kinds.screens'),
      words: ({ screens }) => commas(screens) ?? t('content-admin.kinds.all'),
    },
  ],
  labels: {
    title: t('content-admin.kinds.title'),
    text: t('content-admin.kinds.text'),
    priority: t('content-admin.kinds.priority'),
    seconds: t('content-admin.kinds.seconds_screen'),
    from: t('content-admin.kinds.from'),
    until: t('content-admin.kinds.until'),
    days: t('content-admin.kinds.days'),
    between: t('content-admin.kinds.time_day'),
    screens: t('content-admin.kinds.screens'),
    picture: t('content-admin.kinds.picture'),
  },
});
