import { expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { ScreeningPage, ScreeningRecord } from '#pub/screen/screenings.ts';
import { NOON } from '#test/support/app.ts';
import { type ScreenHouse, STAFF, screenHouse } from './house.ts';

const decide = (house: ScreenHouse, mode: string, label?: string) =>
  house.post('/api/admin/now-showing', { mode, ...(label && { label }) }, STAFF);
const archive = async (house: ScreenHouse, query = '') =>
  (await house.get(`/api/screenings${query}`)).json<ScreeningPage>();
const records = async (house: ScreenHouse) =>
  (await house.get('/api/admin/screenings', STAFF)).json<{ screenings: ScreeningRecord[] }>().screenings;
const plays = async (house: ScreenHouse, title: string) =>
  (await house.post('/api/now-playing/ingest', { artist: 'The Band', title })).json().id as number;
const heard = async (house: ScreenHouse) =>
  (await house.get('/api/now-playing/setlist'))
    .json<{ items: { title: string }[] }>()
    .items.map(({ title }) => title);
const states = async (house: ScreenHouse) =>
  (await records(house)).map(({ state, shadow, origin, closeReason }) => [
    state,
    shadow,
    origin,
    closeReason,
  ]);

/** A film of a hundred minutes with two songs in it, begun and ended by the staff. */
async function showFilm(house: ScreenHouse, label: string): Promise<ScreeningRecord> {
  await decide(house, 'movie', label);
  house.clock.now += 10 * MINUTE;
  await plays(house, `${label}: opening`);
  house.clock.now += 80 * MINUTE;
  await plays(house, `${label}: credits`);
  house.clock.now += 10 * MINUTE;
  await decide(house, 'automatic');
  return (await records(house))[0]!;
}

test('what is heard while a film is shown belongs to the film', async () => {
  await using house = await screenHouse();
  await plays(house, 'Before');
  await decide(house, 'movie', 'Casablanca');
  house.clock.now += 10 * MINUTE;
  const id = await plays(house, 'As Time Goes By');
  await house.post('/api/now-playing/ingest', { silent: true });
  house.clock.now += 100 * MINUTE;

  expect(await archive(house)).toEqual({ items: [], nextBefore: null });
  await decide(house, 'off');
  await plays(house, 'After');

  expect((await archive(house)).items).toEqual([
    {
      id: expect.any(String),
      title: 'Casablanca',
      kind: 'movie',
      openedAt: isoTime(NOON),
      closedAt: isoTime(NOON + 110 * MINUTE),
      minutes: 110,
      tracks: [
        {
          id,
          artist: 'The Band',
          title: 'As Time Goes By',
          album: null,
          albumArtUrl: '',
          startedAt: isoTime(NOON + 10 * MINUTE),
        },
      ],
    },
  ]);
  expect(await heard(house)).toEqual(['After', 'Before']);
});

test('a film that the staff announces again is the same film, by its last name', async () => {
  await using house = await screenHouse();
  await decide(house, 'movie', 'Casablanka');
  house.clock.now += MINUTE;
  await decide(house, 'movie', 'Casablanca');
  house.clock.now += MINUTE;
  await decide(house, 'movie');

  expect((await records(house)).map(({ title, state }) => [title, state])).toEqual([['Casablanca', 'open']]);
});

test('off, something else, or leaving it to the device ends the film', async () => {
  await using house = await screenHouse();
  for (const mode of ['off', 'generic', 'auto']) {
    house.clock.now += MINUTE;
    await decide(house, 'movie');
    await decide(house, mode);
  }

  expect(await states(house)).toEqual(Array(3).fill(['closed', false, 'operator', 'override']));
});

test('something else on the screen opens no screening', async () => {
  await using house = await screenHouse();
  await decide(house, 'generic');

  expect(await records(house)).toEqual([]);
});

test('a film that nobody ends is closed after six hours, and counts six hours at most', async () => {
  await using house = await screenHouse();
  await decide(house, 'movie');
  await house.pass(6 * HOUR - MINUTE, undefined, HOUR);
  expect(await states(house)).toEqual([['open', false, 'operator', null]]);

  house.clock.now += 3 * HOUR;
  await house.pass(30 * SECOND);

  expect(await states(house)).toEqual([['closed', false, 'operator', 'length']]);
  expect((await archive(house)).items[0]?.minutes).toBe(360);
});

test('a film that nobody ends late in the evening is closed at five in the morning', async () => {
  await using house = await screenHouse();
  house.clock.now += 12 * HOUR;
  await decide(house, 'movie');
  await house.pass(5 * HOUR, undefined, HOUR);

  expect(await states(house)).toEqual([['closed', false, 'operator', 'override']]);
});

test('ten minutes of music end a film; quiet, talk and a silent device do not', async () => {
  await using house = await screenHouse();
  await decide(house, 'movie');
  for (const kind of ['movie', 'silence', 'speech', 'unknown'])
    await house.pass(15 * MINUTE, () => house.detects(kind));
  await house.pass(15 * MINUTE, undefined, 5 * MINUTE);
  await house.pass(9 * MINUTE, () => house.detects('music'));
  // A scene with music.
  await house.pass(2 * MINUTE, () => house.detects('movie'));
  await house.pass(9 * MINUTE, () => house.detects('music'));
  expect((await states(house))[0]?.[0]).toBe('open');

  await house.pass(3 * MINUTE, () => house.detects('music'));

  expect(await states(house)).toEqual([['closed', false, 'operator', 'verdict']]);
  // What the staff said stays on the card; it does not begin the film anew.
  await house.pass(5 * MINUTE, () => house.detects('movie'));
  expect(await records(house)).toHaveLength(1);
});

test('a film that the device detects for five minutes is stored as a shadow until its end', async () => {
  await using house = await screenHouse();
  await house.pass(5 * MINUTE, () => house.detects('movie', 0.85));
  expect(await records(house)).toEqual([]);
  await house.pass(MINUTE, () => house.detects('movie', 0.85));
  expect(await states(house)).toEqual([['open', true, 'auto', null]]);
  await plays(house, 'Theme');

  await house.pass(30 * MINUTE, () => house.detects('movie', 0.7));
  await house.pass(12 * MINUTE, () => house.detects('unknown'));

  expect(await states(house)).toEqual([['closed', true, 'auto', 'verdict']]);
  expect((await records(house))[0]?.taggedCount).toBe(1);
  expect((await archive(house)).items).toEqual([]);
});

test('what is hardly a film, television or a game opens nothing by itself', async () => {
  await using house = await screenHouse();

  for (const [kind, confidence] of [
    ['movie', 0.79],
    ['tv', 0.95],
    ['sports', 0.95],
  ] as const)
    await house.pass(10 * MINUTE, () => house.detects(kind, confidence));

  expect(await records(house)).toEqual([]);
});

test('the staff makes a film of the device theirs, and it counts from its beginning', async () => {
  await using house = await screenHouse();
  await house.pass(10 * MINUTE, () => house.detects('movie'));
  const [before] = await records(house);

  await decide(house, 'movie', 'Heat');

  expect(await records(house)).toEqual([{ ...before, title: 'Heat', shadow: false }]);
  await house.pass(30 * MINUTE, () => house.detects('movie'));
  await decide(house, 'auto');
  expect((await archive(house)).items.map(({ title }) => title)).toEqual(['Heat']);
});

test('naming an open film of the device moves it to the archive, unless the change says otherwise', async () => {
  await using house = await screenHouse();
  await house.pass(10 * MINUTE, () => house.detects('movie'));
  const [open] = await records(house);
  const change = async (body: object) => {
    const answer = await house.post(`/api/admin/screenings/${open?.id}`, body, STAFF);
    return answer.json().screening;
  };

  expect(await change({ title: 'Heat', shadow: true })).toMatchObject({ title: 'Heat', shadow: true });
  expect(await change({ title: '' })).toMatchObject({ title: null, shadow: true });
  expect(await change({ title: 'Heat' })).toMatchObject({ title: 'Heat', shadow: false });
  await house.pass(30 * MINUTE, () => house.detects('movie'));
  await house.pass(12 * MINUTE, () => house.detects('music'));
  expect((await archive(house)).items.map(({ title }) => title)).toEqual(['Heat']);
});

test('naming a closed shadow leaves it out of the archive', async () => {
  await using house = await screenHouse();
  await house.pass(30 * MINUTE, () => house.detects('movie'));
  await house.pass(12 * MINUTE, () => house.detects('music'));
  const [closed] = await records(house);

  const answer = await house.post(`/api/admin/screenings/${closed?.id}`, { title: 'Heat' }, STAFF);

  expect(answer.json().screening).toMatchObject({ title: 'Heat', state: 'closed', shadow: true });
});

test('a short film stays out of the archive only when the device began it', async () => {
  await using house = await screenHouse();
  await house.pass(7 * MINUTE, () => house.detects('movie'));
  await decide(house, 'movie', 'A trailer');
  house.clock.now += 10 * MINUTE;
  await decide(house, 'auto');
  await decide(house, 'movie', 'A short');
  house.clock.now += 10 * MINUTE;
  await decide(house, 'auto');

  expect((await archive(house)).items.map(({ title }) => title)).toEqual(['A short']);
});

test('a film that was ended by hand is not begun again by what the device goes on hearing', async () => {
  await using house = await screenHouse();
  await house.pass(10 * MINUTE, () => house.detects('movie'));
  const [open] = await records(house);
  const closed = await house.post(`/api/admin/screenings/${open?.id}/close`, undefined, STAFF);
  expect(closed.json()).toMatchObject({ ok: true, screening: { state: 'closed', closeReason: 'operator' } });

  await house.pass(10 * MINUTE, () => house.detects('movie'));
  expect(await records(house)).toHaveLength(1);

  await house.pass(5 * MINUTE, () => house.detects('music'));
  await house.pass(10 * MINUTE, () => house.detects('movie'));
  expect(await records(house)).toHaveLength(2);
});

test('a reverted film gives its songs back to the music, once, and leaves the archive', async () => {
  await using house = await screenHouse();
  const { id } = await showFilm(house, 'Mistake');
  expect(await heard(house)).toEqual([]);
  const revert = () => house.post(`/api/admin/screenings/${id}/revert`, undefined, STAFF);

  expect((await revert()).json()).toEqual({ ok: true, id, reverted: 2 });
  expect((await revert()).json()).toEqual({ ok: true, id, reverted: 0 });

  expect(await heard(house)).toEqual(['Mistake: credits', 'Mistake: opening']);
  expect((await archive(house)).items).toEqual([]);
  expect((await records(house))[0]).toMatchObject({ taggedCount: 0, revertedAt: isoTime(house.clock.now) });
  const entries = house.ctx.db.all(
    build.selectFrom('audit_log').select('metadata').where('action', '=', 'screening.reverted'),
  );
  expect(entries.map(({ metadata }) => JSON.parse(metadata))).toEqual([
    { screening_id: id, songs: 2, by: 'token:pub_admin' },
  ]);
});

test('a film that runs cannot be reverted', async () => {
  await using house = await screenHouse();
  await decide(house, 'movie');
  await plays(house, 'Theme');
  const [open] = await records(house);

  const answer = await house.post(`/api/admin/screenings/${open?.id}/revert`, undefined, STAFF);

  expect([answer.statusCode, answer.json().error]).toEqual([409, 'The screening is open']);
  expect(await heard(house)).toEqual([]);
});

test('a film gets another name, goes out of the archive and comes back', async () => {
  await using house = await screenHouse();
  const { id } = await showFilm(house, 'Haet');
  const change = (body: object) => house.post(`/api/admin/screenings/${id}`, body, STAFF);

  await change({ title: ' Heat ' });
  expect((await archive(house)).items.map(({ title }) => title)).toEqual(['Heat']);
  await change({ shadow: true });
  expect((await archive(house)).items).toEqual([]);
  const back = await change({ shadow: false, title: '' });
  expect(back.json().screening).toMatchObject({ id, title: null, shadow: false });
  expect((await archive(house)).items.map(({ title }) => title)).toEqual([null]);
  expect((await change({})).statusCode).toBe(400);
  expect((await change({ title: 'x'.repeat(121) })).json().errors[0].path).toBe('title');
});

test('a form without script comes back to the staff page', async () => {
  await using house = await screenHouse();
  const { id } = await showFilm(house, 'Heat');

  for (const [action, fields] of [
    ['', { title: 'Heat (1995)', shadow: 'off' }],
    ['/close', {}],
    ['/revert', {}],
  ] as const) {
    const answer = await house.submit(`/api/admin/screenings/${id}${action}`, fields, STAFF);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/admin/pub']);
  }
  expect((await records(house))[0]).toMatchObject({ title: 'Heat (1995)', shadow: false });
});

test('a screening that is not there is not found', async () => {
  await using house = await screenHouse();

  for (const action of ['', '/close', '/revert']) {
    const answer = await house.post(`/api/admin/screenings/nothing${action}`, { title: 'x' }, STAFF);
    expect([action, answer.statusCode]).toEqual([action, 404]);
  }
});

test('the archive is read page by page, newest first, without the hidden songs', async () => {
  await using house = await screenHouse();
  for (const title of ['One', 'Two', 'Three']) await showFilm(house, title);
  await house.ctx.write((tx) =>
    tx.run(build.updateTable('plays').set({ hidden: 1 }).where('title', '=', 'Three: credits')),
  );

  const first = await archive(house, '?limit=2');
  expect(first.items.map(({ title }) => title)).toEqual(['Three', 'Two']);
  expect(first.items[0]?.tracks.map(({ title }) => title)).toEqual(['Three: opening']);
  const second = await archive(house, `?limit=2&before=${first.nextBefore}`);
  expect([second.items.map(({ title }) => title), second.nextBefore]).toEqual([['One'], null]);
  expect((await archive(house, '?limit=lots')).items).toHaveLength(3);
  expect((await archive(house, '?limit=0')).items).toHaveLength(1);
  const bad = await house.get('/api/screenings?before=yesterday');
  expect([bad.statusCode, bad.json().errors[0].path]).toEqual([400, 'before']);
  expect(bad.headers['cache-control']).toBe('no-store');
});

test.each(['SCREENINGS_ENABLED', 'NOW_SHOWING_ENABLED'])(
  'without %s there are no screenings',
  async (gate) => {
    await using house = await screenHouse([], { [gate]: 'off' });
    await decide(house, 'movie', 'Heat');
    await house.pass(10 * MINUTE, () => house.detects('movie'));

    const answer = await house.get('/api/screenings');
    expect([answer.statusCode, answer.json()]).toEqual([404, { enabled: false, items: [] }]);
    expect((await house.get('/screen', { accept: 'text/html' })).statusCode).toBe(404);
    expect((await house.get('/og/screen.png', { accept: 'image/*' })).statusCode).toBe(404);
    expect(await records(house)).toEqual([]);
  },
);

test('only who looks after screenings changes them', async () => {
  await using house = await screenHouse();
  const row = { email: 'tender@club.example', role: 'tender', granted_by: 'test', granted_at: NOON };
  await house.ctx.write((tx) => tx.run(build.insertInto('pub_admin_roles').values(row)));
  const { id } = await showFilm(house, 'Heat');
  const tender = { 'edge-access-authenticated-user-email': 'tender@club.example' };

  expect((await house.get('/api/admin/screenings')).statusCode).toBe(401);
  expect((await house.post(`/api/admin/screenings/${id}/revert`, undefined, tender)).statusCode).toBe(403);
});
