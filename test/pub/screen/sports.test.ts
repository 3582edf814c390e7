import { expect, test } from 'vitest';
import { changeSettings } from '#content/club-settings.ts';
import { MINUTE } from '#kernel/clock.ts';
import { refreshScoreboard } from '#pub/screen/scoreboard-refresh.ts';
import { eventOf, type FakeGame, fakeGame, playOn } from '#test/stand-ins/scoreboard-server.ts';
import { NOON, testApp } from '#test/support/app.ts';
import { screenService } from './screen-service.ts';

const HOUR = 60 * MINUTE;

test('games have state, scores, clock and channels; those in progress come first', async () => {
  const playing = fakeGame({
    id: '1',
    startsAt: NOON - HOUR,
    channels: [{ name: 'NET1|NET2', market: 'national' }],
  });
  playOn(playing, 2500);
  await using service = await screenService([
    fakeGame({ id: '3', startsAt: NOON - 20 * HOUR, status: 'over', score: { home: 2, away: 1 }, period: 3 }),
    fakeGame({ id: '2', startsAt: NOON + 7 * HOUR }),
    playing,
  ]);

  const answer = await service.get('/api/sports/live');

  expect(answer.headers['cache-control']).toBe('public, max-age=30');
  expect(answer.json()).toMatchObject({ enabled: true, fetched_at: NOON, errors: [], stale: false });
  const { live, games } = await service.live();
  expect(live).toEqual([games[0]]);
  expect(games.map(({ id, state }) => [id, state])).toEqual([
    ['nhl:1', 'in'],
    ['nhl:3', 'post'],
    ['nhl:2', 'pre'],
  ]);
  expect(games[0]).toEqual({
    id: 'nhl:1',
    league: 'nhl',
    sport: 'hockey',
    name: 'Valley Blue Team at Harbor Red Team',
    shortName: 'BLU @ RED',
    state: 'in',
    detail: '18:20 - 3rd',
    period: 3,
    clock: '18:20',
    startIso: '2026-11-21T16:00:00.000Z',
    home: {
      id: '16',
      abbr: 'RED',
      name: 'Harbor Red Team',
      shortName: 'Red Team',
      score: playing.score.home,
      record: '7-3-1',
      winner: null,
      color: '#231f20',
      logoUrl: '',
    },
    away: expect.objectContaining({ abbr: 'BLU', score: playing.score.away }),
    broadcasts: ['NET1', 'NET2'],
    venue: 'The Arena',
    priority: 75,
    stale: false,
  });
  expect(games[1]).toMatchObject({ detail: 'Final', clock: null, home: { score: 2, winner: true } });
  expect(games[2]).toMatchObject({ home: { score: null, winner: null }, period: null });
});

test('a client that has the scores gets a 304', async () => {
  await using service = await screenService([fakeGame({ id: '1', startsAt: NOON })]);
  const { etag } = (await service.get('/api/sports/live')).headers;

  expect((await service.get('/api/sports/live', { 'if-none-match': String(etag) })).statusCode).toBe(304);
});

test('sends one request per league and day, in a form that the source accepts', async () => {
  await using service = await screenService();

  await service.live();
  await service.live();

  expect(
    service.scores.requests.map(({ league, dates, limit }) => `${league} ${dates} ${limit}`).sort(),
  ).toEqual([
    'basketball/nba 20261120 300',
    'basketball/nba 20261121 300',
    'hockey/nhl 20261120 300',
    'hockey/nhl 20261121 300',
  ]);
  expect(service.scores.requests[0]?.agent).toMatch(/^PublicHouse\/\d+\.\d+\.\d+ \(.+\)$/);
});

test('events that are no game of two teams, or lack required fields, are left out; the others stay', async () => {
  await using service = await screenService([fakeGame({ id: '1', startsAt: NOON })]);
  const whole = () => structuredClone(eventOf(fakeGame({ id: '9', startsAt: NOON, status: 'playing' })));
  const competition = () => whole().competitions[0]!;
  const bare = { id: '9', date: '2026-11-21T17:00Z', status: { type: { state: 'in' } } };
  const team = (id: string, name: string) => ({ id, team: { id, displayName: name } });
  service.scores.events.set('hockey/nhl', [
    null,
    'postponed',
    {},
    { ...whole(), competitions: undefined, groupings: [{ competitions: [] }] },
    { ...whole(), competitions: [] },
    {
      ...whole(),
      competitions: [
        { ...competition(), competitors: Array(78).fill({ id: '1', athlete: { displayName: 'A' } }) },
      ],
    },
    { ...whole(), competitions: [{ ...competition(), competitors: [{ athlete: {} }, { athlete: {} }] }] },
    { ...whole(), competitions: [{ ...competition(), competitors: [competition().competitors[0]] }] },
    { ...whole(), date: 'tonight' },
    { ...whole(), id: '../../etc' },
    // Only two teams and a time: enough for a game.
    { ...bare, id: '10', competitions: [{ competitors: [team('1', 'Gulls'), team('2', 'Terns')] }] },
    // Wrong types of values in optional fields.
    {
      ...whole(),
      id: '11',
      competitions: [
        {
          ...competition(),
          broadcasts: 'many',
          geoBroadcasts: [{ media: null }, null],
          venue: 3,
          competitors: competition().competitors.map((one) => ({
            ...one,
            score: { value: 3 },
            records: null,
            team: {
              ...one.team,
              color: 'red; background: url(x)',
              logo: 'javascript:alert(1)',
              abbreviation: null,
            },
          })),
        },
      ],
    },
  ]);

  const { games, errors } = await service.live();

  expect(errors).toEqual([]);
  expect(games.map(({ id }) => id).sort()).toEqual(['nhl:1', 'nhl:10', 'nhl:11']);
  expect(games.find(({ id }) => id === 'nhl:10')).toMatchObject({
    name: 'Terns at Gulls',
    shortName: 'TER @ GUL',
    state: 'in',
    detail: '',
    period: null,
    clock: null,
    home: { name: 'Gulls', abbr: 'GUL', score: null, record: null, color: null, logoUrl: '' },
    broadcasts: [],
    venue: null,
  });
  expect(games.find(({ id }) => id === 'nhl:11')).toMatchObject({
    home: { score: null, color: null, abbr: 'RED' },
    broadcasts: [],
    venue: null,
  });
});

test('texts of the source are cut to one short line, and markup is kept as text', async () => {
  await using service = await screenService();
  const event = eventOf(fakeGame({ id: '1', startsAt: NOON }));
  event.name = `<b>Big</b>\u202e game\n\u0000${'x'.repeat(400)}`;
  service.scores.events.set('hockey/nhl', [event]);

  const { games } = await service.live();

  expect(games[0]?.name).toMatch(/^<b>Big<\/b> game x+$/);
  expect(games[0]?.name).toHaveLength(120);
});

test('a delay and a postponement are shown in words, and a postponed game counts as over', async () => {
  await using service = await screenService(
    [
      fakeGame({ id: '1', league: 'baseball/mlb', startsAt: NOON - HOUR, status: 'delayed', period: 4 }),
      fakeGame({ id: '2', league: 'baseball/mlb', startsAt: NOON - HOUR, status: 'postponed' }),
    ],
    { SPORTS_LEAGUES: 'baseball/mlb' },
  );

  expect((await service.live()).games.map(({ state, detail, clock }) => [state, detail, clock])).toEqual([
    ['in', 'Rain Delay', null],
    ['post', 'Postponed', null],
  ]);
});

test('a game that runs past midnight stays until it is over', async () => {
  const late = fakeGame({ id: '1', startsAt: NOON + 11 * HOUR, status: 'playing' });
  await using service = await screenService([late]);

  await service.live();
  service.clock.now = NOON + 13 * HOUR;
  await refreshScoreboard(service.ctx);

  expect((await service.live()).live.map(({ id }) => id)).toEqual(['nhl:1']);
  service.clock.now = NOON + 37 * HOUR;
  await refreshScoreboard(service.ctx);
  expect((await service.live()).games).toEqual([]);
});

test('with sports switched off the answer is 404, and the source is not asked', async () => {
  await using service = await screenService([], { SPORTS_ENABLED: 'off', NOW_SHOWING_ENABLED: 'off' });

  const answer = await service.get('/api/sports/live');
  await refreshScoreboard(service.ctx);

  expect([answer.statusCode, answer.json()]).toEqual([404, { enabled: false, games: [] }]);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(service.scores.requests).toEqual([]);
});

test('if the source cannot be reached the list is empty and says why', async () => {
  await using service = await testApp({ SPORTS_ENABLED: 'on', SPORTS_LEAGUES: 'hockey/nhl' });

  expect((await service.get('/api/sports/live')).json()).toEqual({
    enabled: true,
    fetched_at: 0,
    live: [],
    games: [],
    errors: [{ league: 'nhl', status: null, reason: expect.stringContaining('connection') }],
    stale: true,
  });
});

const GREEN = { id: '17', abbr: 'GRN', name: 'Hill Green Team', short: 'Green Team', color: '00aa00' };

test.each(['harbor red team', 'RED'])('the games of a favourite team come first: %s', async (team) => {
  await using service = await screenService([
    fakeGame({ id: '1', startsAt: NOON + HOUR, home: GREEN }),
    fakeGame({ id: '2', startsAt: NOON + 5 * HOUR }),
  ]);
  const ids = async () => (await service.live()).games.map(({ id }) => id);
  expect(await ids()).toEqual(['nhl:1', 'nhl:2']);

  const actor = { ip: 'service', at: service.clock.now };
  await changeSettings(service.ctx, { sports_favourites: [team] }, actor);
  expect(await ids()).toEqual(['nhl:2', 'nhl:1']);
});

test('leagues of the settings are read at once, and others no more', async () => {
  await using service = await screenService(
    [
      fakeGame({ id: '1', startsAt: NOON + HOUR }),
      fakeGame({ id: '2', league: 'soccer/eng.1', startsAt: NOON + HOUR }),
    ],
    { SPORTS_LEAGUES: '' },
  );
  const actor = { ip: 'service', at: service.clock.now };
  await changeSettings(service.ctx, { sports_leagues: ['hockey/nhl'] }, actor);
  expect((await service.live()).games.map(({ id }) => id)).toEqual(['nhl:1']);
  await changeSettings(service.ctx, { sports_leagues: ['soccer/eng.1'] }, actor);
  await refreshScoreboard(service.ctx);
  expect((await service.live()).games.map(({ id }) => id)).toEqual(['eng.1:2']);
});

test('the games of tonight are a line on two pages: what is on, what is to come, and no scores', async () => {
  const at = (hours: number, more: Partial<FakeGame> = {}) => ({ startsAt: NOON + hours * HOUR, ...more });
  const team = (short: string) => ({ id: '7', abbr: 'ABC', name: `The ${short}`, short, color: '231f20' });
  const playing = fakeGame({ id: '1', ...at(-1), home: team('Bears'), away: team('Owls') });
  playOn(playing, 2500);
  const games = [
    playing,
    fakeGame({ id: '2', ...at(-5, { status: 'over' }) }),
    fakeGame({ id: '3', ...at(7) }),
    fakeGame({ id: '4', ...at(8, { status: 'postponed', home: team('Wolves') }) }),
    fakeGame({ id: '5', ...at(9) }),
    fakeGame({ id: '6', ...at(10) }),
  ];
  await using service = await screenService(games);
  const line = async (path: string) => {
    const { body } = await service.get(path, { accept: 'text/html' });
    return /<p class="named-line">(.*?)<\/p>/s
      .exec(body)?.[1]
      ?.replace(/<[^>]+>/g, '')
      .replace(/\s+/g, ' ');
  };
  expect(await line('/events')).toBeUndefined();
  await service.live();
  service.clock.now += 10_000;
  for (const path of ['/events', '/now'])
    expect([path, await line(path)]).toEqual([
      path,
      'Games tonight Owls at Bears, on now Blue Team at Red Team, 7:00 PM Blue Team at Red Team, 9:00 PM and 1 more',
    ]);
  // With the source down for an hour nobody knows whether a game is still on; planned starts hold.
  service.clock.now += HOUR;
  expect(await line('/now')).toMatch(/^Games tonight Blue Team/);

  await using without = await screenService(games, { SPORTS_ENABLED: 'off' });
  await refreshScoreboard(without.ctx);
  expect((await without.get('/events', { accept: 'text/html' })).body).not.toContain('Games tonight');
});
