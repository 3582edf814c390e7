import { type Clock, SECOND } from './clock.ts';

interface Entry {
  /** Undefined while the value is being loaded. */
  loadedAt: number | undefined;
  /** How long it is fresh from then on, in milliseconds. */
  ttl: number;
  version: number;
  value: Promise<unknown>;
}

/** How often expired entries are removed; checked on each load. */
const DROP_EVERY = SECOND;

/** An in-memory cache. Concurrent calls for a key share one load; a failed load is not cached. */
export class Cache {
  readonly #now: Clock;
  readonly #atMost: number;
  readonly #entries = new Map<string, Entry>();
  #droppedAt = 0;

  constructor(now: Clock, atMost = 1_000) {
    this.#now = now;
    this.#atMost = atMost;
  }

  /**
   * Returns the value of `key`; loads it if it is absent or was loaded more than `ttl` milliseconds ago.
   * @param version of the data that the value is made from: a cached value of another version is loaded again
   */
  remember<T>(key: string, ttl: number, load: () => T | Promise<T>, version = 0): Promise<T> {
    const kept = this.#entries.get(key);
    if (kept?.version === version && (kept.loadedAt === undefined || this.#isFresh(kept.loadedAt, ttl)))
      return kept.value as Promise<T>;
    return this.#load(key, load, ttl, version);
  }

  /**
   * Loads the value of `key` again; shares a load that is already running.
   * @param ttl the one given to `remember` for this key, if that is used too
   */
  refresh<T>(key: string, load: () => Promise<T>, ttl = 0): Promise<T> {
    const kept = this.#entries.get(key);
    if (kept && kept.loadedAt === undefined) return kept.value as Promise<T>;
    return this.#load(key, load, ttl, 0);
  }

  /** How many values are held. */
  get size(): number {
    return this.#entries.size;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  #isFresh(loadedAt: number, ttl: number): boolean {
    const age = this.#now() - loadedAt;
    // Loaded in the future: the clock has been set back since.
    return age >= 0 && age < ttl;
  }

  /** Removes expired entries: a list of a hundred thousand ballots must not stay in memory for days. */
  #dropOld(): void {
    const now = this.#now();
    if (Math.abs(now - this.#droppedAt) < DROP_EVERY) return;
    this.#droppedAt = now;
    for (const [key, { loadedAt, ttl }] of this.#entries)
      if (loadedAt !== undefined && !this.#isFresh(loadedAt, ttl)) this.#entries.delete(key);
  }

  #load<T>(key: string, load: () => T | Promise<T>, ttl: number, version: number): Promise<T> {
    this.#dropOld();
    const value = Promise.try(load);
    const entry: Entry = { loadedAt: undefined, ttl, version, value };
    this.#entries.delete(key);
    if (this.#entries.size >= this.#atMost) this.#entries.delete(this.#entries.keys().next().value ?? '');
    this.#entries.set(key, entry);
    value.then(
      () => {
        entry.loadedAt = this.#now();
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return value;
  }
}
