import { bytesOf, FEED_ROOM } from '../../events/horizon.ts';
import type { IcalEvent } from './shown.ts';

/**
 * The dates of other calendars for which the feed has room: what comes next first, of what is over the oldest. Calendar
 * programs lose events of a larger file.
 * @param own what is in the feed anyhow
 * @param share of the whole room that both may take
 */
export function fittingBeside(
  own: readonly Parameters<typeof bytesOf>[0][],
  calendars: readonly IcalEvent[],
  now: number,
  share = 1,
): IcalEvent[] {
  let events = own.length;
  let bytes = own.reduce((sum, program) => sum + bytesOf(program), 0);
  const wanted = calendars.toSorted((a, b) => Number(a.end <= now) - Number(b.end <= now));
  const full = wanted.findIndex((event) => {
    events += 1;
    bytes += bytesOf(event);
    return events > FEED_ROOM.events * share || bytes > FEED_ROOM.bytes * share;
  });
  return full === -1 ? wanted : wanted.slice(0, full);
}
