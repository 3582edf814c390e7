import { type Clock, SECOND } from './clock.ts';
import type { Reader } from './db/queries.ts';

/** A kind of value that is kept in memory. Declare each once, as a constant, with `kept`. */
export interface Kept<T> {
  /**
   * How long a value is used, in milliseconds from when it was made; without it, until its inputs change. A value of
   * age 0 is not kept: concurrent calls share it while it is made.
   */
  readonly age?: number | ((made: Awaited<T>) => number);
  /** How many values are kept, or how much of them by `size`; the ones made longest ago are removed first. */
  readonly atMost?: number;
  readonly size?: (made: Awaited<T>) => number;
  /** For promises: whether one that is too old is returned while the next is made; it stays if that one fails. */
  readonly oldMeanwhile?: (made: Awaited<T>) => boolean;
}

export const kept = <T>(rules: Kept<T> = {}): Kept<T> => rules;

type Key = string | number;

interface Entry {
  value: unknown;
  from: readonly unknown[];
  /** Until its promise is fulfilled a value has no age and no size. */
  isPending: boolean;
  /** Whether it is returned while the next one is made, and whether that is so now. */
  isUsedOld: boolean;
  isRenewed: boolean;
  madeAt: number;
  until: number;
  size: number;
}

interface Values {
  entries: Map<Key, Entry>;
  size: number;
}

const AT_MOST = 1_000;
const NOTHING: readonly unknown[] = [];
/** How often expired values are removed; checked whenever a value is made. */
const REMOVE_EVERY = SECOND;

/** Values in memory, by kind and key. Each is used until it is too old, or until one of its inputs has changed. */
export class Cache {
  readonly #now: Clock;
  readonly #kinds = new Map<Kept<unknown>, Values>();
  #removedAt = 0;

  constructor(now: Clock) {
    this.#now = now;
  }

  /**
   * Returns the value of `key`; makes it if there is none that can be used. Concurrent calls share a promise. A promise
   * that is rejected is not kept, and undefined is not kept either.
   * @param make gets the value that the new one replaces, if there is one
   * @param from what the value depends on, compared by identity: objects, or numbers that grow with changes
   */
  get<T>(kind: Kept<T>, key: Key, make: (before: T | undefined) => T, from = NOTHING): T {
    const entry = this.#kinds.get(kind as Kept<unknown>)?.entries.get(key);
    if (!entry || !isSame(entry.from, from)) return this.#make(kind, key, make, from);
    if (entry.isPending || this.#isFresh(entry)) return entry.value as T;
    if (!entry.isUsedOld) return this.#make(kind, key, make, from);
    if (!entry.isRenewed) this.#renew(kind, key, make, entry);
    return entry.value as T;
  }

  /** Makes the value of `key` again, or shares the one that is being made. */
  refresh<T>(kind: Kept<T>, key: Key, make: () => T): T {
    const entry = this.#valuesOf(kind).entries.get(key);
    return entry?.isPending ? (entry.value as T) : this.#make(kind, key, make, NOTHING);
  }

  /** Removes the value of `key`; without a key all values of the kind. */
  forget<T>(kind: Kept<T>, key?: Key): void {
    if (key === undefined) this.#kinds.delete(kind as Kept<unknown>);
    else remove(this.#valuesOf(kind), key);
  }

  /** How many values of a kind are kept or being made. */
  count<T>(kind: Kept<T>): number {
    return this.#valuesOf(kind).entries.size;
  }

  #valuesOf<T>(kind: Kept<T>): Values {
    return this.#kinds.getOrInsertComputed(kind as Kept<unknown>, () => ({ entries: new Map(), size: 0 }));
  }

  #isFresh({ madeAt, until }: Entry): boolean {
    if (madeAt === Number.NEGATIVE_INFINITY) return true;
    const now = this.#now();
    // Made in the future: the clock has been set back since.
    return now >= madeAt && now < until;
  }

  #make<T>(kind: Kept<T>, key: Key, make: (before: T | undefined) => T, from: readonly unknown[]): T {
    this.#removeExpired();
    const values = this.#valuesOf(kind);
    const value = make(values.entries.get(key)?.value as T | undefined);
    const entry = {
      value,
      from,
      isPending: true,
      isUsedOld: false,
      isRenewed: false,
      madeAt: 0,
      until: 0,
      size: 0,
    };
    remove(values, key);
    values.entries.set(key, entry);
    if (value instanceof Promise)
      value.then(
        (made) => this.#settle(kind, key, entry, made),
        () => values.entries.get(key) === entry && remove(values, key),
      );
    else this.#settle(kind, key, entry, value as Awaited<T>);
    return value;
  }

  #renew<T>(kind: Kept<T>, key: Key, make: (before: T | undefined) => T, entry: Entry): void {
    entry.isRenewed = true;
    const next = make(entry.value as T);
    const done = () => {
      entry.isRenewed = false;
    };
    Promise.resolve(next).then((made) => {
      done();
      if (made === undefined) return;
      entry.value = next;
      this.#settle(kind, key, entry, made as Awaited<T>);
    }, done);
  }

  #settle<T>(kind: Kept<T>, key: Key, entry: Entry, made: Awaited<T>): void {
    const values = this.#valuesOf(kind);
    if (values.entries.get(key) !== entry) return;
    remove(values, key);
    const age = typeof kind.age === 'function' ? kind.age(made) : (kind.age ?? Number.POSITIVE_INFINITY);
    const size = kind.size?.(made) ?? 1;
    if (made === undefined || age <= 0) return;
    entry.isPending = false;
    entry.isUsedOld = kind.oldMeanwhile?.(made) ?? false;
    // Without an age the clock has no part in it.
    const now = this.#now();
    entry.madeAt = kind.age === undefined ? Number.NEGATIVE_INFINITY : now;
    entry.until = now + age;
    entry.size = size;
    values.entries.set(key, entry);
    values.size += entry.size;
    for (const oldest of values.entries.keys()) {
      if (values.size <= (kind.atMost ?? AT_MOST)) break;
      remove(values, oldest);
    }
  }

  /** A list of a hundred thousand ballots must not stay in memory for days. */
  #removeExpired(): void {
    const now = this.#now();
    if (Math.abs(now - this.#removedAt) < REMOVE_EVERY) return;
    this.#removedAt = now;
    for (const [kind, values] of this.#kinds) {
      if (kind.age === undefined) continue;
      for (const [key, entry] of values.entries)
        if (!entry.isPending && !entry.isUsedOld && !this.#isFresh(entry)) remove(values, key);
    }
  }
}

function remove(values: Values, key: Key): void {
  values.size -= values.entries.get(key)?.size ?? 0;
  values.entries.delete(key);
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index += 1) if (some[index] !== others[index]) return false;
  return true;
}

/**
 * Wraps a read of one thing: it is read again only once this service has stored something, because a whole meeting asks
 * at once. What it returns is shared: it must not be changed. What other processes store while the service runs, such as
 * roles, is not read so.
 */
export function untilStored<T>(
  read: (db: Reader, id: string) => T,
): (ctx: { cache: Cache; db: Reader; changes(): number }, id: string) => T {
  const kind = kept<T>();
  return ({ cache, db, changes }, id) => cache.get(kind, id, () => read(db, id), [changes()]);
}

/** Wraps a function of objects that never change: it is called once for each, and forgets those that are gone. */
export function oncePerObject<From extends object, T>(make: (from: From) => T): (from: From) => T {
  const made = new WeakMap<From, T>();
  return (from) => made.getOrInsertComputed(from, make);
}
