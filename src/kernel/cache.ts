import { type Clock, SECOND } from './clock.ts';

interface Entry {
  /** Undefined while the value is being loaded. */
  loadedAt: number | undefined;
  /** For how long it is of use from then on, in milliseconds. */
  ttl: number;
  version: number;
  value: Promise<unknown>;
}

/** How often what has had its time is dropped, while anything is loaded. */
const DROP_EVERY = SECOND;

/** Values kept for a while, in memory. Those who ask at once share one load; a load that fails is not kept. */
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
   * The value of `key`, loaded when it is absent or was loaded more than `ttl` milliseconds ago.
   * @param version of what the value is made of: one of another version is loaded anew
   */
  remember<T>(key: string, ttl: number, load: () => T | Promise<T>, version = 0): Promise<T> {
    const kept = this.#entries.get(key);
    if (kept?.version === version && (kept.loadedAt === undefined || this.#isFresh(kept.loadedAt, ttl)))
      return kept.value as Promise<T>;
    return this.#load(key, load, ttl, version);
  }

  /**
   * Loads the value of `key` anew; where it is being loaded already, that load is shared.
   * @param ttl that of `remember`, where it is asked for this key as well
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
    // A value from the future is left from before the clock was set back.
    return age >= 0 && age < ttl;
  }

  /** A list of a hundred thousand ballots is not held for days because somebody looked at it once. */
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
