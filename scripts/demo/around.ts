// Dates and times around now, as the club's records spell them.

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Local dates `2026-11-21` and times `20:00` of a club. */
export interface Around {
  /** The hour of the day, 0 to 23. */
  hour: number;
  /** A date so many days from today. */
  day(days: number): string;
  /** What the day is called that is so many days from today. */
  weekday(days: number, locale: string): string;
  /** The next such weekday, tomorrow at the earliest. */
  next(weekday: Weekday): string;
  /** A date of this weekday two months ago: where a series began. */
  since(weekday: Weekday): string;
  /** The times of a date. */
  on(date: string, time: string, end_time: string): { date: string; time: string; end_time: string };
  /** From so many hours after now, on the half hour, for so many hours. */
  soon(hours: number, length: number): { date: string; time: string; end_time: string; end_days: number };
  /** The same every week since two months ago. */
  weekly(hours: number, length: number): ReturnType<Around['soon']> & { rule: string };
  /** A date and time as an instant `2026-11-21T20:00:00-05:00`. */
  instant(date: string, time: string): string;
}

const WEEKS = 8;

/** Of the moment at which the demo is started, in the club's zone. */
export function aroundNow(zone: string, now = Temporal.Now.instant()): Around {
  const local = now.toZonedDateTimeISO(zone);
  const today = local.toPlainDate();
  const next = (weekday: Weekday) =>
    today.add({ days: 1 + ((WEEKDAYS.indexOf(weekday) + 7 - today.dayOfWeek) % 7) });
  const timeOf = (moment: Temporal.ZonedDateTime) =>
    moment.toPlainTime().toString({ smallestUnit: 'minute' });
  const soon: Around['soon'] = (hours, length) => {
    const nearest = local.round({ smallestUnit: 'minute', roundingIncrement: 30 });
    const start = nearest.add({ hours });
    const end = start.add({ hours: length });
    const days = start.toPlainDate().until(end.toPlainDate()).days;
    return { date: `${start.toPlainDate()}`, time: timeOf(start), end_time: timeOf(end), end_days: days };
  };
  return {
    hour: local.hour,
    day: (days) => `${today.add({ days })}`,
    weekday: (days, locale) => today.add({ days }).toLocaleString(locale, { weekday: 'long' }),
    next: (weekday) => `${next(weekday)}`,
    since: (weekday) => `${next(weekday).subtract({ weeks: WEEKS + 1 })}`,
    on: (date, time, end_time) => ({ date, time, end_time }),
    soon,
    weekly(hours, length) {
      const span = soon(hours, length);
      const date = Temporal.PlainDate.from(span.date);
      return {
        ...span,
        date: `${date.subtract({ weeks: WEEKS })}`,
        rule: `FREQ=WEEKLY;BYDAY=${WEEKDAYS[date.dayOfWeek - 1]}`,
      };
    },
    instant: (date, time) =>
      Temporal.PlainDate.from(date)
        .toZonedDateTime({ timeZone: zone, plainTime: time })
        .toString({ timeZoneName: 'never', smallestUnit: 'second' }),
  };
}
