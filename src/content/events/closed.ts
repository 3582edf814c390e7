import { SPECIAL } from '#content/kinds/special.ts';
import { closureOn } from '#content/opening-hours.ts';
import { listPublished } from '#content/records/published.ts';
import { daysAfter } from '#content/recurrence/dates.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { dateInWords } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import type { EventBody } from './body.ts';
import { listEventDates } from './dates.ts';
import { EVENT } from './kind.ts';

const DAYS_AHEAD = 400;

/**
 * The dates of an event in the pub on which a special day closes it, in words with the reason. The regular week is not
 * asked: a club meets on its closed weekdays on purpose.
 */
export function listClosedDates(
  ctx: Pick<Context, 'db' | 'cache' | 'hub' | 'now' | 'config'>,
  body: EventBody,
): Words[] {
  const specials = listPublished(ctx, SPECIAL);
  if (!body.in_pub || specials.length === 0) return [];
  const { TIME_ZONE: zone } = ctx.config;
  const today = localDate(ctx.now(), zone);
  return listEventDates(body, today, daysAfter(today, DAYS_AHEAD), zone).flatMap(({ start, cancelled }) => {
    const date = localDate(start, zone);
    const reason = cancelled ? undefined : closureOn(specials, date);
    if (reason === undefined) return [];
    const day = dateInWords(date);
    return reason === '' ? day : t('content-admin.dates.day_why', { day, reason });
  });
}

/** The published events with such a date. */
export const listEventsOnClosedDays = (ctx: Context): { id: string; title: string; dates: Words[] }[] =>
  listPublished(ctx, EVENT)
    .map(({ id, body }) => ({ id, title: body.title, dates: listClosedDates(ctx, body) }))
    .filter(({ dates }) => dates.length > 0);
