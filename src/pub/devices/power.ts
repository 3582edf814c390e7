import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import { readEventsFeed } from '#pub/display/feeds.ts';
import { TOLD_AHEAD } from './mixes.ts';
import { offSpans } from './off-hours.ts';
import { findById, openingsOf, readOffHours } from './screens.ts';

/** Whether a panel is to be on or off. */
export interface Power {
  power: 'on' | 'off';
  /** ISO 8601: when that changes; null if not within three days. */
  until: string | null;
}

/**
 * Whether the panel of a screen is to be on: a browser cannot switch it, a script beside it can. While an event goes on it
 * is on though the pub is closed, as its page is. @throws 404
 */
export function findPower(ctx: Context, id: string): Power {
  const row = findById(ctx.db, id);
  if (!row) throw notFound('screen_not_found');
  const now = ctx.now();
  const offHours = readOffHours(row);
  const how = { openings: openingsOf(ctx), now, zone: ctx.config.TIME_ZONE, ahead: TOLD_AHEAD };
  const [next] = offSpans(offHours, how);
  if (!next) return { power: 'on', until: null };
  const [from, until] = next;
  if (from > now) return { power: 'on', until: isoTime(from) };
  const eventEnd = offHours === 'outside_opening' ? endOfEvent(ctx, now) : undefined;
  if (eventEnd !== undefined) return { power: 'on', until: isoTime(eventEnd) };
  return { power: 'off', until: until < now + TOLD_AHEAD ? isoTime(until) : null };
}

/** When the last of the events that go on now ends; undefined while none does. */
function endOfEvent(ctx: Context, now: number): number | undefined {
  const { todayEvents, carryoverEvents } = readEventsFeed(ctx);
  const ends = [...carryoverEvents, ...todayEvents]
    .filter(({ startIso, endIso }) => Date.parse(startIso) <= now && now < Date.parse(endIso))
    .map(({ endIso }) => Date.parse(endIso));
  return ends.length > 0 ? Math.max(...ends) : undefined;
}
