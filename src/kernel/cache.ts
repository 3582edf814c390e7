import type { Clock } from './clock.ts';

interface Entry {
  expiresAt: number;
  value: Promise<unknown>;
}

/** Values kept for a while, in memory. Those who ask at once share one load; a load that fails is not kept. */
export class Cache {
  readonly #now: Clock;
  readonly #atMost: number;
  readonly #entries = new Map<string, Entry>();

  constructor(now: Clock, atMost = 1_000) {
    this.#now = now;
    this.#atMost = atMost;
  }

  /** The value of `key`, loaded when it is absent or older than `ttl` milliseconds. */
  remember<T>(key: string, ttl: number, load: () => Promise<T>): Promise<T> {
    const kept = this.#entries.get(key);
    if (kept && kept.expiresAt > this.#now()) return kept.value as Promise<T>;

    const value = load();
    this.#entries.delete(key);
    if (this.#entries.size >= this.#atMost) this.#entries.delete(this.#entries.keys().next().value ?? '');
    this.#entries.set(key, { expiresAt: this.#now() + ttl, value });
    value.catch(() => this.forget(key));
    return value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
