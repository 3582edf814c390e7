import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';

/** A date or time as written in a file, before its zone is resolved. */
export interface WrittenTime {
  wall: Temporal.PlainDateTime;
  /** A date without a time. */
  isDate: boolean;
  isUtc: boolean;
}

/** A duration: a number of calendar days, then a number of milliseconds. */
export interface Length {
  days: number;
  ms: number;
}

const TIME = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$/i;

/** Reads `20261124`, `20261124T200000` or `20261124T200000Z`; undefined for anything else. */
export function parseTime(text: string): WrittenTime | undefined {
  const match = TIME.exec(text.trim());
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  try {
    const date = Temporal.PlainDate.from({ year: year!, month: month!, day: day! }, { overflow: 'reject' });
    // Some programs end a day at 24:00.
    const after = hour === 24 ? 1 : 0;
    const time = { hour: after ? 0 : hour!, minute: minute!, second: Math.min(second!, 59) };
    const wall = date
      .add({ days: after })
      .toPlainDateTime(Temporal.PlainTime.from(time, { overflow: 'reject' }));
    return { wall, isDate: match[4] === undefined, isUtc: match[7] !== undefined };
  } catch {
    return undefined;
  }
}

const DURATION = /^\+?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/i;

/** Reads `PT2H30M`, `P1D`, `P2W`; undefined for anything else and for a zero duration. */
export function parseDuration(text: string): Length | undefined {
  const match = DURATION.exec(text.trim());
  if (!match) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0));
  const length = { days: weeks! * 7 + days!, ms: hours! * HOUR + minutes! * MINUTE + seconds! * SECOND };
  return length.days + length.ms > 0 ? length : undefined;
}

/** Converts a duration to milliseconds, counting days as 24 hours. */
export const toMs = ({ days, ms }: Length): number => days * DAY + ms;

/** Converts a wall-clock time to milliseconds without a zone, for comparing and subtracting wall-clock times. */
export const wallMs = (wall: Temporal.PlainDateTime): number =>
  Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
