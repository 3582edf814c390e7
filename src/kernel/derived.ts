/** Memoized values: each is computed again only when one of its inputs was replaced. */
export class Derived {
  readonly #kept = new Map<string, { from: readonly unknown[]; value: unknown }>();

  /** @param from the inputs of the value, compared by identity */
  get<T>(name: string, from: readonly unknown[], make: () => T): T {
    const kept = this.#kept.get(name);
    if (kept && from.every((input, index) => input === kept.from[index])) return kept.value as T;
    const value = make();
    this.#kept.set(name, { from, value });
    return value;
  }

  /** Removes a value, so that it is computed again although its inputs are the same. */
  forget(name: string): void {
    this.#kept.delete(name);
  }
}

/** Memoizes `make`: it is called once for each object. For objects that never change. */
export function oncePerObject<From extends object, T>(make: (from: From) => T): (from: From) => T {
  const made = new WeakMap<From, T>();
  return (from) => made.getOrInsertComputed(from, make);
}
