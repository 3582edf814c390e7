import { z } from 'zod';
import { momentInList, rangesInList } from '#content/records/columns.ts';
import { date, minutes, overlapOf, shortText, tenders, tick, time } from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';
import { type FieldError, fieldError } from '#kernel/http/errors.ts';
import { listOf } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { dateInWords } from '#kernel/language/times.ts';
import { localDate } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';

/** Days on which the pub is closed, or open at other times than in the regular week. */
export type SpecialBody = z.output<typeof schema>;
const schema = z.strictObject({
  from: date,
  /** The last day; null: the same day. */
  to: date.nullable().default(null),
  closed: tick(false),
  ranges: listOf(
    z
      .strictObject({
        opens: time,
        closes: time,
        // Only in imported shifts; other days have a roster.
        before: minutes(720).optional(),
        after: minutes(720).optional(),
        tenders: tenders.optional(),
      })
      .refine(({ opens, closes }) => opens !== closes, {
        path: ['closes'],
        message: coded('closes_at_opening'),
      }),
    4,
  ).default([]),
  reason: shortText(200),
});

export const SPECIAL = defineKind({
  name: 'special',
  schema,
  check: ({ from, to, closed, ranges }) => [...problemsOfDays(from, to ?? from), ...problems(closed, ranges)],
  complete: (body) => ({ ...body, to: body.to ?? body.from }),
  title: ({ from, to, closed, reason }) => {
    const first = dateInWords(from);
    const days =
      to === null || to === from ? first : t('content-admin.kinds.dates', { first, last: dateInWords(to) });
    if (reason === '')
      return closed
        ? t('content-admin.kinds.closed_on', { days })
        : t('content-admin.kinds.other_hours_on', { days });
    return closed
      ? t('content-admin.kinds.closed_on_why', { days, reason })
      : t('content-admin.kinds.other_hours_on_why', { days, reason });
  },
  dates: ({ from, to }) => ({ from, to: to ?? from }),
  soonest: ({ from, to }, { now, zone }) => ((to ?? from) < localDate(now, zone) ? undefined : from),
  columns: [
    {
      label: t('content-admin.kinds.day'),
      words: ({ from, to }, about) =>
        to === null || to === from
          ? momentInList(from, about)
          : t('content-admin.kinds.span', {
              first: momentInList(from, about),
              last: momentInList(to, about),
            }),
      leads: true,
    },
    {
      label: t('content-admin.kinds.open'),
      words: ({ closed, ranges }) =>
        closed ? t('content-admin.kinds.closed') : (rangesInList(ranges) ?? ''),
    },
    { label: t('content-admin.kinds.reason'), words: ({ reason }) => reason },
  ],
  labels: {
    from: t('content-admin.kinds.first_day'),
    to: t('content-admin.kinds.last_day'),
    closed: t('content-admin.kinds.closed'),
    ranges: t('content-admin.kinds.hours'),
    reason: t('content-admin.kinds.reason'),
  },
});

const LONGEST_DAYS = 366;

function problemsOfDays(from: string, to: string): FieldError[] {
  if (to < from) return [fieldError('to', 'before_first_day')];
  const { days } = Temporal.PlainDate.from(from).until(to);
  return days >= LONGEST_DAYS ? [fieldError('to', 'over_a_year')] : [];
}

function problems(closed: boolean, ranges: readonly { opens: string; closes: string }[]): FieldError[] {
  if (closed && ranges.length > 0) return [fieldError('ranges', 'hours_while_closed')];
  if (!closed && ranges.length === 0) return [fieldError('ranges', 'hours_needed')];
  const at = overlapOf(ranges);
  return at === undefined ? [] : [fieldError(`ranges.${at}.opens`, 'hours_overlap')];
}
