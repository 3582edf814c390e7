import { expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { NowShowingState } from '#pub/screen/now-showing.ts';
import { updateNowShowing } from '#pub/screen/now-showing.ts';
import { fakeGame, playOn } from '#test/stand-ins/scoreboard-server.ts';
import { NOON } from '#test/support/app.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type ScreenService, STAFF, screenService } from './screen-service.ts';

const PATH = '/api/admin/now-showing';
const playing = (id = '1') => fakeGame({ id, startsAt: NOON - HOUR, status: 'playing' });

const decide = (service: ScreenService, body: object) => service.post(PATH, body, STAFF);

test('a verdict shows or removes a card only when it is repeated', async () => {
  await using service = await screenService([playing()]);
  await service.live();
  const shown: string[] = [];
  for (const kind of ['sports', 'sports', 'music', 'sports', 'music', 'music', 'movie', 'tv', 'tv']) {
    service.clock.now += 30 * SECOND;
    await service.detects(kind, 0.7);
    shown.push(`${kind}: ${(await service.card()).kind}`);
  }

  expect(shown).toEqual([
    'sports: none',
    'sports: game',
    'music: game',
    'sports: game',
    'music: game',
    'music: none',
    'movie: none',
    'tv: none',
    'tv: movie',
  ]);
});

test.each(['30000', '90000', '600000'])(
  'a verdict that is not repeated for 90 seconds expires, also if the device is offline after %s ms',
  async (offlineMs) => {
    await using service = await screenService([playing()], { NOW_PLAYING_OFFLINE_MS: offlineMs });
    await service.live();
    await service.detects('sports');
    await service.detects('sports');
    service.clock.now += 90 * SECOND;
    expect((await service.card()).showing).toBe(true);

    service.clock.now += 1;

    expect(await service.card()).toMatchObject({ showing: false, kind: 'none', game: null });
  },
);

test('the card is never cached', async () => {
  await using service = await screenService();

  expect((await service.get('/api/now-showing')).headers['cache-control']).toBe('no-store');
});

test('staff get the games to choose from, and the card that their choice shows', async () => {
  await using service = await screenService([
    playing(),
    fakeGame({ id: '2', startsAt: NOON + 2 * HOUR }),
    fakeGame({ id: '3', startsAt: NOON + 8 * HOUR }),
    fakeGame({ id: '4', startsAt: NOON - 5 * HOUR, status: 'over' }),
  ]);

  const before = (await service.get(PATH, STAFF)).json<NowShowingState>();
  expect(before.override).toEqual({
    mode: 'automatic',
    label: null,
    gameId: null,
    setBy: null,
    setAt: null,
    expiresAt: null,
  });
  expect(before.games.map(({ id, state }) => [id, state])).toEqual([
    ['nhl:1', 'in'],
    ['nhl:2', 'pre'],
  ]);

  const answer = (await decide(service, { mode: 'game', gameId: 'nhl:1', label: ' Derby ' })).json();

  expect(answer).toMatchObject({
    ok: true,
    override: {
      mode: 'game',
      gameId: 'nhl:1',
      label: 'Derby',
      setBy: 'token:pub_admin',
      setAt: isoTime(NOON),
      expiresAt: '2026-11-22T10:00:00.000Z',
    },
    card: { showing: true, kind: 'game', label: 'Derby', game: { id: 'nhl:1' } },
    games: [{ id: 'nhl:1' }, { id: 'nhl:2' }],
  });
  expect(await service.card()).toEqual(answer.card);
});

test('the last decision counts, and the audit log has the one that it replaced', async () => {
  await using service = await screenService();
  await decide(service, { mode: 'generic', label: 'Quiz' });
  await decide(service, { mode: 'off' });

  expect((await service.card()).showing).toBe(false);
  const entry = service.ctx.db.first(
    build.selectFrom('audit_log').selectAll().where('action', '=', 'now_showing.set').orderBy('seq', 'desc'),
  )!;
  expect(JSON.parse(entry.metadata)).toMatchObject({
    before: { mode: 'generic', label: 'Quiz' },
    after: { mode: 'off', label: null },
    by: 'token:pub_admin',
  });
});

test.each(['automatic', 'auto'])('%s returns the choice to the device', async (mode) => {
  await using service = await screenService();
  await decide(service, { mode: 'generic' });

  const { override, card } = (await decide(service, { mode })).json<NowShowingState>();

  expect([override.mode, override.expiresAt, card.showing]).toEqual(['automatic', null, false]);
});

test('invalid input is refused with its field, and changes nothing', async () => {
  await using service = await screenService([playing()]);
  await decide(service, { mode: 'movie', label: 'Heat' });

  for (const [field, body] of [
    ['mode', {}],
    ['mode', { mode: 'party' }],
    ['mode', { mode: { auto: true } }],
    ['gameId', { mode: 'game' }],
    ['gameId', { mode: 'game', gameId: 'nhl:77' }],
    ['gameId', { mode: 'game', gameId: 7 }],
    ['label', { mode: 'movie', label: 'x'.repeat(81) }],
  ] as const) {
    const answer = await decide(service, body);
    expect([body, answer.statusCode, answer.json().errors[0].path]).toEqual([body, 400, field]);
  }
  expect(await service.card()).toMatchObject({ kind: 'movie', title: 'Heat' });
});

test('a game id with another mode is ignored', async () => {
  await using service = await screenService();

  expect((await decide(service, { mode: 'generic', gameId: 'nhl:77' })).json().override.gameId).toBeNull();
});

test('reading and deciding each need a permission', async () => {
  await using service = await screenService();
  const as = (email: string) => ({ 'edge-access-authenticated-user-email': email });
  for (const [email, role] of [
    ['viewer@club.example', 'viewer'],
    ['tender@club.example', 'tender'],
  ] as const)
    await appoint(service, email, role);

  expectRefusal(await service.get(PATH), 401, 'staff_key_required');
  expect((await service.get(PATH, as('viewer@club.example'))).statusCode).toBe(200);
  const denied = await service.post(PATH, { mode: 'off' }, as('viewer@club.example'));
  expect([denied.statusCode, denied.json().permission]).toEqual([403, 'now_showing:write']);
  const allowed = await service.post(PATH, { mode: 'off' }, as('tender@club.example'));
  expect(allowed.json().override).toMatchObject({ mode: 'off', setBy: 'tender@club.example' });
});

test('a form without script redirects to the staff page', async () => {
  await using service = await screenService();

  const answer = await service.submit(PATH, { mode: 'movie', label: '', gameId: '' }, STAFF);

  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/admin/pub/room?done=screen#screen']);
  expect((await service.card()).kind).toBe('movie');
});

const at = (local: string, zone = 'America/New_York') =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;

test('an override that nobody ends expires at five in the morning, also when the clocks change', async () => {
  await using service = await screenService();
  for (const [made, gone] of [
    ['2026-10-31T22:00', '2026-11-01T05:00'],
    ['2026-11-21T21:00', '2026-11-22T05:00'],
    ['2026-11-23T02:30', '2026-11-23T05:00'],
    ['2026-11-24T05:00', '2026-11-25T05:00'],
    ['2027-03-13T22:00', '2027-03-14T05:00'],
  ] as const) {
    service.clock.now = at(made);
    await decide(service, { mode: 'generic', label: made });

    service.clock.now = at(gone) - 1;
    await updateNowShowing(service.ctx);
    expect(await service.card()).toMatchObject({ title: made, expiresAt: isoTime(at(gone)) });

    service.clock.now = at(gone);
    expect(await service.card()).toMatchObject({ showing: false, mode: 'automatic', expiresAt: null });
    await updateNowShowing(service.ctx);
    expect(service.ctx.db.all(build.selectFrom('now_showing').selectAll())).toEqual([]);
  }
});

test('a chosen game is shown until a quarter of an hour after its end', async () => {
  const game = playing();
  await using service = await screenService([game]);
  await decide(service, { mode: 'game', gameId: 'nhl:1' });
  await service.pass(10 * MINUTE, async () => playOn(game, 30));
  const running = await service.card();
  expect([running.game?.state, running.expiresAt]).toEqual(['in', '2026-11-22T10:00:00.000Z']);

  game.status = 'over';
  await service.pass(2 * MINUTE);
  const final = await service.card();
  const left = Temporal.Instant.from(final.expiresAt ?? '').epochMilliseconds - service.clock.now;
  expect([final.game?.state, final.subtitle]).toEqual(['post', 'Final']);
  expect(left).toBeGreaterThan(12 * MINUTE);
  expect(left).toBeLessThanOrEqual(15 * MINUTE);

  await service.pass(left - SECOND);
  expect((await service.card()).kind).toBe('game');
  await service.pass(SECOND);
  expect((await service.card()).kind).toBe('none');
});

test('a game that is chosen after its end is shown for a quarter of an hour', async () => {
  await using service = await screenService([
    fakeGame({ id: '1', startsAt: NOON - 4 * HOUR, status: 'over' }),
  ]);

  const { override } = (await decide(service, { mode: 'game', gameId: 'nhl:1' })).json<NowShowingState>();

  expect(override.expiresAt).toBe(isoTime(NOON + 15 * MINUTE));
});

test('answers 404 while it is switched off', async () => {
  await using service = await screenService([], { NOW_SHOWING_ENABLED: 'off' });

  const answer = await service.get('/api/now-showing');

  expect([answer.statusCode, answer.json()]).toEqual([404, { enabled: false, showing: false }]);
});
