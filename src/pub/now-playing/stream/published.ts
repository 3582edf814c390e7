import type { Clock } from '#kernel/clock.ts';
import type { PublishedEvent } from '#kernel/live/publisher.ts';
import { formatEvent, isUnchanged, ORDER, type StreamState } from './stream-state.ts';

/** News that is not kept for who connects later. */
const PASSING = ['content', 'settings', 'screen', 'screens'] as const;

/** The channels of a fan-out engine, in the order in which who connects gets them: deploy/nginx-nchan names them too. */
export const CHANNELS = [...ORDER, 'ping', ...PASSING];

/** What the engine is told where a state holds nothing for an event: it must not keep what was there before. */
const CLEARED: Partial<Record<keyof StreamState, unknown>> = {
  lyrics: { trackId: null, available: false },
  offset: { trackId: null, offsetMs: null, available: false },
};

/** The ping of an engine: who connects gets the last one, and `stored` says that its time may be that of before. */
export const storedPing = (now: Clock): PublishedEvent => ({
  event: 'ping',
  data: () => ({ ts: now(), stored: true }),
  keep: true,
});

/**
 * The events that bring the engine from `previous` to `current`; without `previous` all of them, and what it has to
 * forget.
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

/** An age is true for a moment only: in the engine it would be wrong. */
function dataOf(state: StreamState, event: keyof StreamState, now: number): unknown {
  const { data } = formatEvent(state, event, now);
  if (event !== 'offset') return data;
  const { ageMs: _, ...kept } = data as { ageMs?: number };
  return kept;
}
