import type { Clock } from '#kernel/clock.ts';
import type { Ping } from '#kernel/live/event-stream.ts';
import type { PublishedEvent } from '#kernel/live/publisher.ts';
import { formatEvent, isUnchanged, ORDER, type SentEvents, type StreamState } from './stream-state.ts';

/** Events that are not kept for clients that connect later. */
const PASSING = ['content', 'menu', 'settings', 'screen', 'screens'] as const;

/** The channels of the fan-out engine, in the order in which new clients get them; listed too in deploy/nginx-nchan. */
export const CHANNELS = [...ORDER, 'ping', ...PASSING];

/** Published when the state has no value for an event, so that the engine does not keep the previous one. */
const CLEARED: Partial<SentEvents> = {
  lyrics: { trackId: null, available: false },
  offset: { trackId: null, offsetMs: null, available: false },
};

/** The ping for the engine: new clients get the last one, and `stored` tells them that its time may be old. */
export const storedPing = (now: Clock): PublishedEvent => ({
  event: 'ping',
  data: (): Ping => ({ ts: now(), stored: true }),
  keep: true,
});

/**
 * Returns the events that bring the engine from `previous` to `current`; without `previous` all of them, including
 * those that clear a kept value.
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
  return events;
}

/** Leaves out the age of an offset, which would be wrong when the engine sends it later. */
function dataOf(state: StreamState, event: keyof StreamState, now: number): unknown {
  const { data } = formatEvent(state, event, now);
  if (event !== 'offset') return data;
  const { ageMs: _, ...kept } = data as SentEvents['offset'];
  return kept;
}
