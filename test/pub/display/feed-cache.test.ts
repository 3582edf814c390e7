import { expect, test } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { remembered } from '#pub/display/feed-cache.ts';

test('reads once for many calls, and again after a change, a second or `forget`', () => {
  const state = { now: 0, changes: 0, watched: {} };
  let reads = 0;
  const { get, forget } = remembered(
    { now: () => state.now, changes: () => state.changes },
    () => [state.watched],
    () => ++reads,
  );
  expect([get(), get()]).toEqual([1, 1]);

  state.changes += 1;
  expect([get(), get()]).toEqual([2, 2]);
  state.watched = {};
  expect([get(), get()]).toEqual([3, 3]);
  forget();
  expect([get(), get()]).toEqual([4, 4]);
  state.now += SECOND - 1;
  expect(get()).toBe(4);
  state.now += 1;
  expect([get(), get()]).toEqual([5, 5]);
  // A clock that was set back.
  state.now -= 2 * SECOND;
  expect(get()).toBe(6);
});
