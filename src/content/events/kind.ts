import { momentInList } from '#content/records/columns.ts';
import { defineKind } from '#content/records/kind.ts';
import { daysAfter } from '#content/recurrence/dates.ts';
import { describeRepeat } from '#content/recurrence/sentence.ts';
import { isoTime } from '#kernel/clock.ts';
import { t } from '#kernel/language/message.ts';
import { localDate } from '#kernel/local-time.ts';
import { EventBody, isSeries } from './body.ts';
import { checkEvent, checkEventAmong, completeEvent } from './check.ts';
import { nextDate } from './dates.ts';

/** A single event or a series. */
export const EVENT = defineKind({
  name: 'event',
  schema: EventBody,
  check: checkEvent,
  complete: (body, { before, at, config }) =>
    completeEvent(body, { before, at, zone: before?.zone ?? config.TIME_ZONE }),
  checkAmong: (body, { before, others, at, config }) =>
    checkEventAmong(body, { before, others, today: localDate(at, config.TIME_ZONE) }),
  mergedByKey: ['changes'],
  hidden: ['stamps'],
  title: ({ title }) => title,
  dates: ({ date, end_days, rule, until, extra }) => {
    const last = [date, ...extra].sort().at(-1)!;
    const end = rule === null ? last : until === null ? null : until > last ? until : last;
    return { from: [date, ...extra].sort()[0]!, to: end === null ? null : daysAfter(end, end_days) };
  },
  soonest: (body, about) => {
    const next = nextDate(body, about);
    return next && isoTime(next.start);
  },
  columns: [
    {
      label: t('content-admin.kinds.when'),
      words: (body, about) => {
        const next = nextDate(body, about);
        if (!next) return momentInList([body.date, ...body.extra, body.until ?? ''].sort().at(-1)!, about);
        const { date, time } = next.wall;
        return time === null
          ? t('content-admin.dates.all_day', { date: momentInList(date, about) })
          : momentInList(`${date}T${time}`, about);
      },
      below: (body, about) => {
        const next = nextDate(body, about);
        const state = !next
          ? t('content-admin.kinds.over')
          : next.cancelled && t('content-admin.kinds.cancelled');
        const repeat = isSeries(body) && describeRepeat(body);
        if (state && repeat) return t('content-admin.kinds.state_and_repeat', { state, repeat });
        return state || repeat || undefined;
      },
    },
    { label: t('content-admin.kinds.event'), words: ({ title }) => title, leads: true },
    {
      label: t('content-admin.kinds.place'),
      words: (body, about) => nextDate(body, about)?.place ?? body.place,
    },
  ],
  labels: {
    title: t('content-admin.kinds.title'),
    place: t('content-admin.kinds.place'),
    description: t('content-admin.kinds.description'),
    url: t('content-admin.kinds.web_page'),
    tag: t('content-admin.kinds.tag'),
    picture: t('content-admin.kinds.picture'),
    in_pub: t('content-admin.kinds.show_pub'),
    in_calendar: t('content-admin.kinds.members_calendar'),
    zone: t('content-admin.kinds.time_zone'),
    date: t('content-admin.kinds.date'),
    time: t('content-admin.kinds.from'),
    end_time: t('content-admin.kinds.until'),
    end_days: t('content-admin.kinds.days_later'),
    rule: t('content-admin.kinds.repeats'),
    until: t('content-admin.kinds.last_date'),
    extra: t('content-admin.kinds.further_dates'),
    changes: t('content-admin.kinds.single_dates'),
    cancelled: t('content-admin.kinds.cancelled'),
    announce_from: t('content-admin.kinds.announce'),
    stamps: t('content-admin.kinds.last_changes'),
  },
});
