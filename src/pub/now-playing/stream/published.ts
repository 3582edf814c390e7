import type { PublishedEvent } from '#kernel/live/publisher.ts';
import { formatEvent, isUnchanged, ORDER, type StreamState } from './stream-state.ts';

/** News that is not kept for who connects later. */
const PASSING = ['content', 'settings', 'screen', 'screens'] as const;

/** The channels of a fan-out engine, in the order in which who connects gets them: deploy/nginx-nchan names them too. */
export const CHANNELS = [...ORDER, 'first_ping', 'ping', ...PASSING];

/** What the engine is told where a state holds nothing for an event: it must not keep what was there before. */
const CLEARED: Partial<Record<keyof StreamState, unknown>> = {
  lyrics: { trackId: null, available: false },
  offset: { trackId: null, offsetMs: null, available: false },
};

/**
 * The events that bring the engine from `previous` to `current`; without `previous` all of them, and what it has to
 * forget. A client that connects gets the newest of each, then the first ping: `stored` says that its time is old.
 */
export function publishedChanges(
  previous: StreamState | undefined,
  current: StreamState,
  now: number,
): PublishedEvent[] {
  const events: PublishedEvent[] = [];
  for (const event of ORDER) {
    const value = current[event];
    if (previous && isUnchanged(event, previous[event], value)) continue;
    if (value === undefined) events.push({ event, data: CLEARED[event], keep: false });
    else
      events.push({ event, data: dataOf(current, event, now), keep: event !== 'takeover' || value !== null });
  }
  if (events.length > 0)
    events.push({ channel: 'first_ping', event: 'ping', data: { ts: now, stored: true }, keep: true });
  return events;
}

/** An age is true for a moment only: in the engine it would be wrong. */
function dataOf(state: StreamState, event: keyof StreamState, now: number): unknown {
  const { data } = formatEvent(state, event, now);
  if (event !== 'offset') return data;
  const { ageMs: _, ...kept } = data as { ageMs?: number };
  return kept;
}
