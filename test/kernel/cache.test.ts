import { expect, test } from 'vitest';
import { Cache, kept } from '#kernel/cache.ts';

const NUMBER = kept<Promise<number>>({ age: 10 });
const TEXT = kept<Promise<string>>({ age: 10 });

/** A cache with a clock, and a function that counts how often it made a value. */
function setup() {
  const state = { now: 0, made: 0 };
  return { state, cache: new Cache(() => state.now), make: async () => ++state.made };
}

test('a value is made once for concurrent calls, again after its age, and a failure is not kept', async () => {
  const { state, cache, make } = setup();

  expect(await Promise.all([cache.get(NUMBER, 'a', make), cache.get(NUMBER, 'a', make)])).toEqual([1, 1]);
  state.now = 10;
  expect(await cache.get(NUMBER, 'a', make)).toBe(2);
  await expect(cache.get(TEXT, 'b', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.get(TEXT, 'b', async () => 'up')).toBe('up');
});

test('kinds do not share their keys, and undefined is not kept', () => {
  const { cache } = setup();
  const [one, other] = [kept<string | undefined>(), kept<string | undefined>()];

  expect(cache.get(one, 'a', () => 'one')).toBe('one');
  expect(cache.get(other, 'a', () => undefined)).toBeUndefined();
  expect(cache.get(other, 'a', () => 'other')).toBe('other');
  expect(cache.get(one, 'a', () => 'again')).toBe('one');
});

test('the age begins when the value has been made, and a value that is being made is shared', async () => {
  const { state, cache } = setup();
  const running: PromiseWithResolvers<string>[] = [];
  const make = () => {
    const one = Promise.withResolvers<string>();
    running.push(one);
    return one.promise;
  };

  const first = cache.get(TEXT, 'a', make);
  state.now = 100;
  const during = [cache.get(TEXT, 'a', make), cache.refresh(TEXT, 'a', make)];
  running[0]!.resolve('first');
  expect(await Promise.all([first, ...during])).toEqual(['first', 'first', 'first']);
  state.now = 109;
  expect(await cache.get(TEXT, 'a', make)).toBe('first');
  const second = cache.refresh(TEXT, 'a', make);
  running[1]!.resolve('second');

  expect(await second).toBe('second');
  expect(await cache.get(TEXT, 'a', make)).toBe('second');
  expect(running).toHaveLength(2);
});

test('a value is made again when an input has changed, with the one before, and after the clock was set back', () => {
  const { state, cache } = setup();
  const list = kept<number[]>({ age: 10 });
  const make = (before: number[] = []) => [...before, ++state.made];
  const input = {};
  state.now = 100;

  expect(cache.get(list, 'a', make, [1, input])).toEqual([1]);
  expect(cache.get(list, 'a', make, [1, input])).toEqual([1]);
  expect(cache.get(list, 'a', make, [2, input])).toEqual([1, 2]);
  expect(cache.get(list, 'a', make, [2, {}])).toEqual([1, 2, 3]);
  state.now = 50;
  expect(cache.get(list, 'a', make, [2, input])).toEqual([1, 2, 3, 4]);
  cache.forget(list);
  expect(cache.get(list, 'a', make, [2, input])).toEqual([5]);
});

test('a value of age 0 is shared while it is made, and not kept', async () => {
  const { cache, make } = setup();
  const shared = kept<Promise<number>>({ age: 0 });

  const both = [cache.get(shared, 'a', make), cache.get(shared, 'a', make)];
  expect(cache.count(shared)).toBe(1);
  expect(await Promise.all(both)).toEqual([1, 1]);
  expect(cache.count(shared)).toBe(0);
  expect(await cache.get(shared, 'a', make)).toBe(2);
});

test('an old value is returned while the next one is made, and stays if that fails', async () => {
  const { state, cache } = setup();
  const cover = kept<Promise<string | undefined>>({ age: 10, oldMeanwhile: (made) => made !== undefined });
  const get = (make: () => Promise<string | undefined>) => cache.get(cover, 'a', make);
  expect(await get(async () => 'first')).toBe('first');

  state.now = 10;
  const next = Promise.withResolvers<string>();
  expect(await get(() => next.promise)).toBe('first');
  expect(await get(async () => 'a third')).toBe('first');
  next.resolve('second');
  expect(await get(async () => 'a third')).toBe('first');
  expect(await get(async () => 'a third')).toBe('second');

  state.now = 20;
  for (const make of [() => Promise.reject(new Error('down')), async () => undefined])
    expect(await get(make)).toBe('second');
  expect(await get(async () => 'a third')).toBe('second');
  expect(await get(async () => 'a fourth')).toBe('a third');
});

test('past the bound the oldest values are removed, by number or by size', () => {
  const { cache } = setup();
  const [few, small] = [
    kept<string>({ atMost: 2 }),
    kept<string>({ atMost: 10, size: (text) => text.length }),
  ];

  for (const key of ['a', 'b', 'c']) cache.get(few, key, () => key);
  expect(cache.count(few)).toBe(2);
  expect(cache.get(few, 'a', () => 'made again')).toBe('made again');

  for (const text of ['four', 'more', 'longer', 'far too long for it']) cache.get(small, text, () => text);
  expect(cache.count(small)).toBe(0);
  for (const text of ['four', 'more', 'longer']) cache.get(small, text, () => text);
  expect(cache.count(small)).toBe(2);
});

test('expired values are removed before the cache is full', async () => {
  const { state, cache } = setup();
  const long = kept<Promise<string>>({ age: 60_000 });
  await cache.get(TEXT, 'short', async () => 'ballots');
  await cache.get(long, 'long', async () => 'image');
  const pending = cache.get(TEXT, 'pending', () => new Promise<string>(() => undefined));
  expect(cache.count(TEXT)).toBe(2);

  state.now = 5_000;
  await cache.get(TEXT, 'other', async () => 'ballots');
  expect(cache.count(TEXT)).toBe(2);
  expect(await cache.get(long, 'long', async () => 'made again')).toBe('image');
  expect(cache.get(TEXT, 'pending', async () => 'made twice')).toBe(pending);
});
