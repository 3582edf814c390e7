import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { align, now } from '#views/assets/playing/clock.js';
import { isLeft, waitBefore } from '#views/assets/playing/stream.js';

// No time passes between two readings of a clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('the wait before a retry grows from about a second to about a minute, with jitter', () => {
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

test('the clock of a page is set by the median of the last five pings', () => {
  const device = Date.now() - performance.now();
  const ahead = () => now() - device - performance.now();
  const ping = (difference: number) => align(device + performance.now() + difference);

  ping(1_000);
  expect(ahead()).toBeCloseTo(1_000, -3);
  // One ping was delayed for three seconds.
  for (const difference of [1_000, -2_000, 1_200, 1_000]) ping(difference);
  expect(ahead()).toBeCloseTo(1_000, -3);
  for (const difference of [2_000, 2_000, 2_000]) ping(difference);
  expect(ahead()).toBeCloseTo(2_000, -3);
});

test('a large step, after a clock was set or a machine slept, is applied at once', () => {
  align(Date.now() + 3_600_000);
  expect(Math.abs(now() - Date.now() - 3_600_000)).toBeLessThan(60_000);
  align(Date.now());
  expect(Math.abs(now() - Date.now())).toBeLessThan(60_000);
});

test('a stored ping is too old after 75 seconds', () => {
  const ping = (age: number) => isLeft({ ts: now() - age, stored: true }, now());

  expect([0, 31_000, 74_000, 76_000, 3_600_000].map(ping)).toEqual([false, false, false, true, true]);
});
