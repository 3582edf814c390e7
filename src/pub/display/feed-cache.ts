import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type CachedResponse, cachedJson } from '#kernel/http/cached-response.ts';

/** A feed, and how long its content is valid. */
export interface Made<Feed> {
  feed: Feed;
  /** When the content changes, in milliseconds. */
  until: number;
}

/** Caches serialised feeds by key; an entry is valid until its `until`, while its sources are unchanged. */
export class FeedCache<Key, Sources extends readonly unknown[]> {
  readonly #make: (sources: Sources, key: Key) => Made<object>;
  readonly #entries = new Map<
    Key,
    { sources: Sources; from: number; until: number; response: CachedResponse }
  >();

  constructor(make: (sources: Sources, key: Key) => Made<object>) {
    this.#make = make;
  }

  /** Drops all entries, after a change that affects every feed. */
  clear(): void {
    this.#entries.clear();
  }

  get(key: Key, sources: Sources, now: number): CachedResponse {
    const last = this.#entries.get(key);
    if (last && now >= last.from && now < last.until && isSame(sources, last.sources)) return last.response;
    const { feed, until } = this.#make(sources, key);
    const response = cachedJson(feed);
    this.#entries.set(key, { sources, from: now, until, response });
    return response;
  }
}

/**
 * Caches the result of `read` for concurrent requests. Reads again after any change in the database, when an item of
 * `watched` is a different object, and after a second, because the result may depend on the time.
 * @returns `forget` drops the cached value, for data in memory that changes after the database
 */
export function remembered<T>(
  { now, changes }: Pick<Context, 'now' | 'changes'>,
  watched: () => readonly unknown[],
  read: () => T,
): { get: () => T; forget: () => void } {
  let kept: { value: T; at: number; changes: number; watched: readonly unknown[] } | undefined;
  return {
    get() {
      const state = { at: now(), changes: changes(), watched: watched() };
      const fresh =
        kept?.changes === state.changes &&
        Math.abs(state.at - kept.at) < SECOND &&
        isSame(state.watched, kept.watched);
      kept = kept && fresh ? kept : { ...state, value: read() };
      return kept.value;
    },
    forget() {
      kept = undefined;
    },
  };
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  for (let index = 0; index < some.length; index += 1) if (some[index] !== others[index]) return false;
  return true;
}
