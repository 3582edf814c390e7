import { HOUR } from '#kernel/clock.ts';
import { localDate, startOfDate } from '#kernel/local-time.ts';

/** How long an evening reaches into the next date. */
const INTO_THE_NIGHT = 5 * HOUR;

/** The evening that a moment belongs to, as its local date: a song at half past one is still of last night. */
export function pubDayOf(at: number, zone: string): string {
  return localDate(at - INTO_THE_NIGHT, zone);
}

/** When that evening is over, in milliseconds: the first moment that `pubDayOf` puts into the next one. */
export function pubDayEnd(day: string, zone: string): number {
  return (startOfDate(day, zone, 1) ?? 0) + INTO_THE_NIGHT;
}
