/** Runs work once for all who ask for the same key while it is under way. */
export class SingleFlight<Key, T> {
  readonly #running = new Map<Key, Promise<T>>();

  /** How many keys have work under way. */
  get size(): number {
    return this.#running.size;
  }

  has(key: Key): boolean {
    return this.#running.has(key);
  }

  /** The result of `work`, or of the work that is already under way for this key. */
  run(key: Key, work: () => Promise<T>): Promise<T> {
    return this.#running.getOrInsertComputed(key, () =>
      work().finally(() => {
        this.#running.delete(key);
      }),
    );
  }
}
