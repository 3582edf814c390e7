import { bytesOf, FEED_ROOM } from '#content/events/horizon.ts';
import type { IcalEvent } from './shown.ts';

/**
 * Returns the external events that fit into the feed: future events take precedence, then the oldest past ones.
 * Calendar programs drop events from larger files.
 * @param own the entries that are in the feed in any case
 * @param share the part of the feed's room that own and external entries may use together
 */
export function eventsThatFit(
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
