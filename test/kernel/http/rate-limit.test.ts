import { expect, test } from 'vitest';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { EVERYBODY, RateLimiter } from '#kernel/http/rate-limit.ts';

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

test('a limit of everybody goes on at its own pace beyond itself, one of a client does not', () => {
  let now = 1_000_000;
  const limiter = new RateLimiter(() => now);
  const of = (client: string) => ({ name: 'mails', client, limit: 720, window: 60 * 60_000 });
  const taken = (client: string) =>
    Array.from({ length: 1_000 }, () => limiter.hitAll([of(client)])).filter((until) => until === undefined)
      .length;
  expect([taken(EVERYBODY), taken('192.0.2.1')]).toEqual([720 + 2, 720]);
  const until = limiter.hitAll([of(EVERYBODY)]);
  expect(until).toBe(now + 10_000);
  now += 10_000;
  expect([taken(EVERYBODY), taken('192.0.2.1')]).toEqual([2, 0]);
});
