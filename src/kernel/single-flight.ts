/** Runs work once per key at a time: concurrent calls for the same key share one result. */
export class SingleFlight<Key, T> {
  readonly #running = new Map<Key, Promise<T>>();

  /** How many keys have running work. */
  get size(): number {
    return this.#running.size;
  }

  has(key: Key): boolean {
    return this.#running.has(key);
  }

  /** Returns the result of `work`, or of the work that is already running for this key. */
  run(key: Key, work: () => Promise<T>): Promise<T> {
    return this.#running.getOrInsertComputed(key, () =>
      work().finally(() => {
        this.#running.delete(key);
      }),
    );
  }
}
