// Dates and times relative to now, in the format of the club's records.

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Local dates (`2026-11-21`) and times (`20:00`) of a club. */
export interface Around {
  /** The hour of the day, 0 to 23. */
  hour: number;
  /** The date this many days from today. */
  day(days: number): string;
  /** The name of the weekday this many days from today. */
  weekday(days: number, locale: string): string;
  /** The next date with this weekday, tomorrow at the earliest. */
  next(weekday: Weekday): string;
  /** A date with this weekday two months ago, as the start of a series. */
  since(weekday: Weekday): string;
  /** An event on a date, from one time to another. */
  on(date: string, time: string, end_time: string): { date: string; time: string; end_time: string };
  /** An event that starts this many hours from now, rounded to half an hour, and lasts `length` hours. */
  soon(hours: number, length: number): { date: string; time: string; end_time: string; end_days: number };
  /** The same as `soon`, but repeated weekly since two months ago. */
  weekly(hours: number, length: number): ReturnType<Around['soon']> & { rule: string };
  /** A date and time as an instant `2026-11-21T20:00:00-05:00`. */
  instant(date: string, time: string): string;
}

const WEEKS = 8;

/** Returns dates and times relative to the start of the demo, in the club's time zone. */
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
