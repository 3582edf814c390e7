import fc from 'fast-check';
import { expect, test } from 'vitest';
import { median, serverClock, waitBefore } from '../../views/assets/stream.js';

test('the wait before another try grows from about a second to about a minute, and is never twice the same', () => {
  const waits = (random: number) =>
    [0, 1, 2, 3, 4, 5, 6, 500].map((failed) => waitBefore(failed, () => random));

  expect(waits(0)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(waits(1)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('no wait is shorter than a second or longer than a minute', () => {
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (failed, random) => {
      const wait = waitBefore(failed, () => random);
      return wait >= 1_000 && wait <= 60_000;
    }),
  );
});

test.each([
  [[3], 3],
  [[1, 9], 5],
  [[9, 1, 5], 5],
  [[10, -4, 2, 100], 6],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});

test('the clock of the service is the median of the last five pings', () => {
  let local = 1_000;
  const clock = serverClock(() => local);
  const ping = (difference: number) => clock.heard(local + difference);
  const ahead = () => clock.now() - local;

  ping(500);
  expect(ahead()).toBe(500);
  // A ping that was held up for nine seconds.
  for (const difference of [500, -8_500, 510, 490]) ping(difference);
  expect(ahead()).toBe(500);
  local += 60_000;
  for (const difference of [700, 700, 700]) ping(difference);
  expect(ahead()).toBe(700);
});

test('a clock that is told to forget believes the next ping alone', () => {
  const clock = serverClock(() => 0);
  for (const difference of [100, 100, 100]) clock.heard(difference);
  clock.forget();
  expect(clock.now()).toBe(100);
  clock.heard(90_000);
  expect(clock.now()).toBe(90_000);
});

test('before the first ping it is the clock of this machine', () => {
  const clock = serverClock(() => 5);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
});
