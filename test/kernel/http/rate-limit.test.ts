import { expect, test } from 'vitest';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';

test('a rate limit lasts one minute also after the clock was set back', () => {
  let now = DAY;
  const limiter = new RateLimiter(() => now);
  limiter.hit('vote', 'a', 1);
  now -= DAY - 1;

  expect(limiter.hit('vote', 'a', 1).allowed).toBe(true);
  expect(limiter.hit('vote', 'a', 1).allowed).toBe(false);
  now += MINUTE;
  expect(limiter.hit('vote', 'a', 1).allowed).toBe(true);
});

test('the limiter forgets the oldest window when its table is full', () => {
  const limiter = new RateLimiter(() => 0, 2);
  for (const client of ['a', 'b', 'c']) limiter.hit('vote', client, 1);

  expect(limiter.hit('vote', 'c', 1).allowed).toBe(false);
  expect(limiter.hit('vote', 'a', 1).allowed).toBe(true);
});
