import { backoff } from '#kernel/backoff.ts';
import { type Clock, HOUR, MINUTE } from '#kernel/clock.ts';

/** Runs syncs of the same key one after another, and pauses a key for a while after a failure. */
export class SyncQueue {
  readonly #now: Clock;
  /** The last work of each key. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #pauses = new Map<string, { failures: number; until: number }>();

  constructor(now: Clock) {
    this.#now = now;
  }

  /** Runs `work` after earlier work of the same key, so that an older status never overwrites a newer one. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#last.get(key) === running) this.#last.delete(key);
    }
  }

  /** After a failure: a minute, then twice as long each time, at most an hour. */
  pause(key: string): void {
    const failures = (this.#pauses.get(key)?.failures ?? 0) + 1;
    this.#pauses.set(key, { failures, until: this.#now() + backoff(failures, MINUTE, HOUR) });
  }

  isPaused(key: string): boolean {
    return (this.#pauses.get(key)?.until ?? 0) > this.#now();
  }

  /** After a success: the next failure counts as the first. */
  resume(key: string): void {
    this.#pauses.delete(key);
  }
}
