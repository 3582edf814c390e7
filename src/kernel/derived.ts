/** Values that are made from others, and made again only when one of those was replaced. */
export class Derived {
  readonly #kept = new Map<string, { from: readonly unknown[]; value: unknown }>();

  /** @param from what the value depends on; each is compared by identity */
  get<T>(name: string, from: readonly unknown[], make: () => T): T {
    const kept = this.#kept.get(name);
    if (kept && from.every((input, index) => input === kept.from[index])) return kept.value as T;
    const value = make();
    this.#kept.set(name, { from, value });
    return value;
  }

  /** Lets a value be made again although its inputs are the same. */
  forget(name: string): void {
    this.#kept.delete(name);
  }
}

/** `make`, which is asked once for each object: of one that never changes it need not be made again. */
export function oncePerObject<From extends object, T>(make: (from: From) => T): (from: From) => T {
  const made = new WeakMap<From, T>();
  return (from) => made.getOrInsertComputed(from, make);
}
