import { expect, test } from 'vitest';
import { Cache } from '#kernel/cache.ts';

test('the cache loads once for concurrent calls, again after expiry, and keeps no failure', async () => {
  let now = 0;
  let loads = 0;
  const cache = new Cache(() => now);
  const load = async () => ++loads;

  expect(await Promise.all([cache.remember('a', 10, load), cache.remember('a', 10, load)])).toEqual([1, 1]);
  now = 10;
  expect(await cache.remember('a', 10, load)).toBe(2);
  await expect(cache.remember('b', 10, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.remember('b', 10, async () => 'up')).toBe('up');
});

test('the age of a cached value begins when it has been loaded, and a pending load is shared', async () => {
  let now = 0;
  const cache = new Cache(() => now);
  const loads: PromiseWithResolvers<string>[] = [];
  const load = () => {
    const one = Promise.withResolvers<string>();
    loads.push(one);
    return one.promise;
  };

  const first = cache.remember('a', 10, load);
  now = 100;
  const during = [cache.remember('a', 10, load), cache.refresh('a', load)];
  loads[0]!.resolve('first');
  expect(await Promise.all([first, ...during])).toEqual(['first', 'first', 'first']);
  now = 109;
  expect(await cache.remember('a', 10, load)).toBe('first');
  const second = cache.refresh('a', load);
  loads[1]!.resolve('second');

  expect(await second).toBe('second');
  expect(loads).toHaveLength(2);
});

test('the cache reloads a value of another version, and one from the future after the clock was set back', async () => {
  let now = 100;
  let loads = 0;
  const cache = new Cache(() => now);
  const load = async () => ++loads;

  expect(await cache.remember('a', 10, load, 1)).toBe(1);
  expect(await cache.remember('a', 10, load, 1)).toBe(1);
  expect(await cache.remember('a', 10, load, 2)).toBe(2);
  now = 50;
  expect(await cache.remember('a', 10, load, 2)).toBe(3);
});

test('expired values are dropped before the cache is full', async () => {
  let now = 0;
  const cache = new Cache(() => now);
  await cache.remember('short', 10, () => 'ballots');
  await cache.remember('long', 60_000, () => 'image');
  await cache.refresh('refreshed', async () => 'done');
  const underWay = cache.remember('under way', 10, () => new Promise<string>(() => undefined));
  expect(cache.size).toBe(4);

  now = 5_000;
  await cache.remember('other', 10, () => 'ballots');
  expect(cache.size).toBe(3);
  expect(await cache.remember('long', 60_000, () => 'loaded anew')).toBe('image');
  expect(cache.remember('under way', 10, () => 'loaded twice')).toBe(underWay);
});
