import type { Recurrence } from '../recurrence/dates.ts';

/** When something is, as clocks on the wall say it; dates `2026-12-08`, times `20:00`. */
export interface WallSpan {
  date: string;
  /** Null: the whole day. */
  time: string | null;
  /** Null: an hour after the start. */
  end_time: string | null;
  /** The day of the end, counted from the date; of whole days the last one, which is included. */
  end_days: number;
}

/** How one date of a series differs; fields that are not there are as in the series. */
export interface DateChange extends Partial<WallSpan> {
  /** `skipped` is not mentioned at all, `cancelled` is said. */
  as: 'changed' | 'skipped' | 'cancelled';
  title?: string | undefined;
  place?: string | undefined;
  note?: string | undefined;
  /** When this change was made, in milliseconds. */
  stamp?: number | undefined;
}

/** An event, or a series of them, as it is stored. */
export interface EventBody extends WallSpan, Recurrence {
  title: string;
  place: string;
  description: string;
  /** A web address, or empty. */
  url: string;
  tag: 'rc-direct' | 'rc-affiliate' | null;
  picture: string | null;
  /** Shown on the screens. */
  in_pub: boolean;
  /** In the members' calendar. */
  in_calendar: boolean;
  /** IANA name; null before it was stored, for the club's own. */
  zone: string | null;
  extra: string[];
  /** By the original local date of what is changed. */
  changes: Record<string, DateChange>;
  cancelled: boolean;
  /** When what matters to a calendar was changed last, in milliseconds; null before it was stored. */
  stamp: number | null;
}

/** Whether it has dates of their own names; a single event has none. */
export const isSeries = ({ rule, extra }: Pick<EventBody, 'rule' | 'extra'>): boolean =>
  rule !== null || extra.length > 0;

/** How a date differs, if it does. */
export const changeOf = ({ changes }: Pick<EventBody, 'changes'>, date: string): DateChange | undefined =>
  Object.hasOwn(changes, date) ? changes[date] : undefined;

/** When the date takes place that the series calls by its original local date. */
export function spanOf(body: EventBody, original: string, change = changeOf(body, original)): WallSpan {
  const time = change?.time === undefined ? body.time : change.time;
  const end_time = change?.end_time === undefined ? body.end_time : change.end_time;
  return {
    date: change?.date ?? original,
    time,
    // A whole day has no end of the clock, and one of whole days lends no length to an evening.
    end_time: time === null ? null : end_time,
    end_days: change?.end_days ?? ((time === null) === (body.time === null) ? body.end_days : 0),
  };
}
