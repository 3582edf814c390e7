import { momentInList } from '#content/records/columns.ts';
import { defineKind } from '#content/records/kind.ts';
import { daysAfter } from '#content/recurrence/dates.ts';
import { describeRepeat } from '#content/recurrence/sentence.ts';
import { isoTime } from '#kernel/clock.ts';
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
      label: 'When',
      words: (body, about) => {
        const next = nextDate(body, about);
        if (!next) return momentInList([body.date, ...body.extra, body.until ?? ''].sort().at(-1)!, about);
        const { date, time } = next.wall;
        return time === null
          ? `${momentInList(date, about)}, all day`
          : momentInList(`${date}T${time}`, about);
      },
      below: (body, about) => {
        const next = nextDate(body, about);
        return [!next && 'over', next?.cancelled && 'cancelled', isSeries(body) && describeRepeat(body)]
          .filter(Boolean)
          .join(', ');
      },
    },
    { label: 'Event', words: ({ title }) => title, leads: true },
    { label: 'Place', words: (body, about) => nextDate(body, about)?.place ?? body.place },
  ],
  labels: {
    title: 'Title',
    place: 'Place',
    description: 'Description',
    url: 'Web page',
    tag: 'Tag',
    picture: 'Picture',
    in_pub: 'Show in the pub',
    in_calendar: 'In the members’ calendar',
    zone: 'Time zone',
    date: 'Date',
    time: 'From',
    end_time: 'Until',
    end_days: 'Days later',
    rule: 'Repeats',
    until: 'Last date',
    extra: 'Further dates',
    changes: 'Single dates',
    cancelled: 'Cancelled',
    announce_from: 'Announce from',
    stamps: 'Last changes',
  },
});
