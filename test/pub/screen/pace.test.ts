import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { refreshScoreboard } from '#pub/screen/scoreboard-refresh.ts';
import { fakeGame, playOn, type ScoreboardFault } from '#test/stand-ins/scoreboard-server.ts';
import { NOON } from '#test/support/app.ts';
import { type ScreenService, screenService } from './screen-service.ts';

const TODAY = '20261121';
const ONE_LEAGUE = { SPORTS_LEAGUES: 'hockey/nhl' };

/** When each request for today came, in seconds from now, while the job runs every five seconds. */
async function asked(service: ScreenService, ms: number, league = 'hockey/nhl'): Promise<number[]> {
  const start = service.clock.now;
  const times: number[] = [];
  let seen = service.scores.requests.length;
  for (; service.clock.now <= start + ms; service.clock.now += 5 * SECOND) {
    await refreshScoreboard(service.ctx);
    const fresh = service.scores.requests.slice(seen);
    seen = service.scores.requests.length;
    for (const one of fresh)
      if (one.dates === TODAY && one.league === league) times.push((service.clock.now - start) / SECOND);
  }
  return times;
}

const gaps = (times: number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0));

test('a league is polled every ten minutes, during a game every minute, with jitter', async () => {
  const game = fakeGame({ id: '1', startsAt: NOON + 5 * HOUR });
  await using service = await screenService([game], ONE_LEAGUE);

  const quiet = gaps(await asked(service, 2 * HOUR));
  expect(Math.min(...quiet)).toBeGreaterThanOrEqual(9 * 60);
  expect(Math.max(...quiet)).toBeLessThanOrEqual(11 * 60 + 5);
  expect(new Set(quiet).size).toBeGreaterThan(3);

  playOn(game, 60);
  service.clock.now += 11 * MINUTE;
  const busy = gaps(await asked(service, HOUR));
  expect(Math.min(...busy)).toBeGreaterThanOrEqual(54);
  expect(Math.max(...busy)).toBeLessThanOrEqual(70);
  expect(new Set(busy).size).toBeGreaterThan(1);
});

test('a league is polled at a planned start, and every minute while the game is late', async () => {
  const game = fakeGame({ id: '1', startsAt: NOON + 4 * MINUTE });
  await using service = await screenService([game], ONE_LEAGUE);

  const times = await asked(service, 8 * MINUTE);

  expect(times[1]).toBeGreaterThanOrEqual(0.9 * 240);
  expect(times[1]).toBeLessThanOrEqual(1.1 * 240 + 5);
  expect(Math.max(...gaps(times.slice(1)))).toBeLessThanOrEqual(70);
});

test('concurrent requests share one read of the source', async () => {
  await using service = await screenService();

  await Promise.all(Array.from({ length: 20 }, () => service.live()));

  expect(service.scores.requests).toHaveLength(4);
});

test('after a restart the source is not polled sooner than without one', async () => {
  await using service = await screenService([], ONE_LEAGUE);
  await service.live();
  service.clock.now += 5 * MINUTE;

  await refreshScoreboard(service.ctx);

  expect(service.scores.requests).toHaveLength(2);
});

test('a failing league keeps its games and does not affect the others', async () => {
  await using service = await screenService([
    fakeGame({ id: '1', startsAt: NOON, status: 'playing' }),
    fakeGame({ id: '2', league: 'basketball/nba', startsAt: NOON, status: 'playing' }),
  ]);
  await service.live();
  for (const [fault, status, reason] of FAULTS) {
    service.scores.faults.set('hockey/nhl', fault);
    service.scores.games[1]!.score.home += 2;
    service.clock.now += 11 * MINUTE;
    await refreshScoreboard(service.ctx);
    const { live, errors, fetched_at } = await service.live();

    expect(live.map(({ id, home }) => [id, home.score]).sort()).toEqual([
      ['nba:2', service.scores.games[1]?.score.home],
      ['nhl:1', 0],
    ]);
    expect(errors).toEqual([{ league: 'nhl', status, reason: expect.stringMatching(reason) }]);
    expect(fetched_at).toBe(service.clock.now);
  }
});

const FAULTS: [fault: ScoreboardFault, status: number | null, reason: RegExp][] = [
  [{ status: 403 }, 403, /403/],
  [{ status: 500 }, 500, /500/],
  ['garbage', 200, /not a scoreboard/],
  ['wrong-shape', 200, /not a scoreboard/],
  ['drop', null, /connection/],
];

test('a league that has always failed does not affect the others', async () => {
  await using service = await screenService([
    fakeGame({ id: '2', league: 'basketball/nba', startsAt: NOON }),
  ]);
  service.scores.faults.set('hockey/nhl', { status: 403 });

  const { games, errors, stale } = await service.live();

  expect(games.map(({ id }) => id)).toEqual(['nba:2']);
  expect([errors.length, stale]).toEqual([1, true]);
});

test('a league that hangs does not delay the others', async () => {
  await using service = await screenService([fakeGame({ id: '2', league: 'baseball/mlb', startsAt: NOON })], {
    SPORTS_LEAGUES: 'hockey/nhl,basketball/nba,baseball/mlb',
  });
  service.scores.faults.set('hockey/nhl', 'hang').set('basketball/nba', 'hang-in-body');

  await expect.poll(async () => (await service.live()).games.map(({ id }) => id)).toEqual(['mlb:2']);
});

test('scores that were not read for half an hour are marked as stale, each game too', async () => {
  await using service = await screenService([
    fakeGame({ id: '1', startsAt: NOON, status: 'playing' }),
    fakeGame({ id: '2', league: 'basketball/nba', startsAt: NOON, status: 'playing' }),
  ]);
  await service.live();
  service.scores.faults.set('hockey/nhl', { status: 500 });
  await service.pass(29 * MINUTE, undefined, MINUTE);
  expect((await service.live()).stale).toBe(false);

  await service.pass(2 * MINUTE);

  const { stale, games } = await service.live();
  expect(stale).toBe(true);
  expect(games.map(({ id, stale }) => [id, stale])).toEqual([
    ['nhl:1', true],
    ['nba:2', false],
  ]);
});

test('a failing league is polled less and less often, and normally once it answers', async () => {
  await using service = await screenService(
    [fakeGame({ id: '1', startsAt: NOON, status: 'playing' })],
    ONE_LEAGUE,
  );
  service.scores.faults.set('hockey/nhl', { status: 503 });

  const minutes = gaps(await asked(service, 50 * MINUTE)).map((gap) => gap / 60);

  for (const [index, expected] of [1, 2, 4, 8, 10].entries()) {
    expect(minutes[index]).toBeGreaterThanOrEqual(expected * 0.9);
    expect(minutes[index]).toBeLessThanOrEqual(expected * 1.1 + 0.1);
  }
  // Yesterday was not requested while today failed.
  expect(service.scores.requests.every(({ dates }) => dates === TODAY)).toBe(true);
  service.scores.faults.clear();
  await asked(service, 12 * MINUTE);
  expect((await service.live()).errors).toEqual([]);
  expect(Math.max(...gaps(await asked(service, 5 * MINUTE)))).toBeLessThanOrEqual(70);
});

test.each([
  ['seconds', '2400'],
  ['a date', new Date(NOON + 40 * MINUTE).toUTCString()],
])('a source that sends Retry-After as %s is not polled before then', async (_form, retryAfter) => {
  await using service = await screenService(
    [
      fakeGame({ id: '1', startsAt: NOON, status: 'playing' }),
      fakeGame({ id: '2', league: 'basketball/nba', startsAt: NOON, status: 'playing' }),
    ],
    {},
  );
  service.scores.faults.set('hockey/nhl', { status: 429, retryAfter });

  const times = await asked(service, 45 * MINUTE);

  expect(times[0]).toBe(0);
  expect(times[1]).toBeGreaterThanOrEqual(40 * 60);
  expect(service.scores.requests.filter(({ league }) => league === 'basketball/nba').length).toBeGreaterThan(
    30,
  );
});
