import { expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { ScreeningPage, ScreeningRecord } from '#pub/screen/screenings.ts';
import { NOON } from '#test/support/app.ts';
import { recordedOf } from '#test/support/audit.ts';
import { expectForbidden, expectRefusal, message, refusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type ScreenService, STAFF, screenService } from './screen-service.ts';

const decide = (service: ScreenService, mode: string, label?: string) =>
  service.post('/api/admin/now-showing', { mode, ...(label && { label }) }, STAFF);
const archive = async (service: ScreenService, query = '') =>
  (await service.get(`/api/screenings${query}`)).json<ScreeningPage>();
const records = async (service: ScreenService) =>
  (await service.get('/api/admin/screenings', STAFF)).json<{ screenings: ScreeningRecord[] }>().screenings;
const plays = async (service: ScreenService, title: string) =>
  (await service.post('/api/now-playing/ingest', { artist: 'The Band', title })).json().id as number;
const heard = async (service: ScreenService) =>
  (await service.get('/api/now-playing/setlist'))
    .json<{ items: { title: string }[] }>()
    .items.map(({ title }) => title);
const states = async (service: ScreenService) =>
  (await records(service)).map(({ state, shadow, origin, closeReason }) => [
    state,
    shadow,
    origin,
    closeReason,
  ]);

/** A film of a hundred minutes with two songs in it, begun and ended by the staff. */
async function showFilm(service: ScreenService, label: string): Promise<ScreeningRecord> {
  await decide(service, 'movie', label);
  service.clock.now += 10 * MINUTE;
  await plays(service, `${label}: opening`);
  service.clock.now += 80 * MINUTE;
  await plays(service, `${label}: credits`);
  service.clock.now += 10 * MINUTE;
  await decide(service, 'automatic');
  return (await records(service))[0]!;
}

test('songs that are heard during a film belong to the film', async () => {
  await using service = await screenService();
  await plays(service, 'Before');
  await decide(service, 'movie', 'Casablanca');
  service.clock.now += 10 * MINUTE;
  const id = await plays(service, 'As Time Goes By');
  await service.post('/api/now-playing/ingest', { silent: true });
  service.clock.now += 100 * MINUTE;

  expect(await archive(service)).toEqual({ items: [], nextBefore: null });
  await decide(service, 'off');
  await plays(service, 'After');

  expect((await archive(service)).items).toEqual([
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
  expect(await heard(service)).toEqual(['After', 'Before']);
});

test('a film that staff announce again is the same film, with its last title', async () => {
  await using service = await screenService();
  await decide(service, 'movie', 'Casablanka');
  service.clock.now += MINUTE;
  await decide(service, 'movie', 'Casablanca');
  service.clock.now += MINUTE;
  await decide(service, 'movie');

  expect((await records(service)).map(({ title, state }) => [title, state])).toEqual([
    ['Casablanca', 'open'],
  ]);
});

test('the modes off, generic and auto end the film', async () => {
  await using service = await screenService();
  for (const mode of ['off', 'generic', 'auto']) {
    service.clock.now += 10 * MINUTE;
    await decide(service, 'movie');
    service.clock.now += 10 * MINUTE;
    await decide(service, mode);
  }

  expect(await states(service)).toEqual(Array(3).fill(['closed', false, 'operator', 'override']));
});

test('something else on the screen opens no screening', async () => {
  await using service = await screenService();
  await decide(service, 'generic');

  expect(await records(service)).toEqual([]);
});

test('a film that nobody ends is closed after six hours, and counts six hours at most', async () => {
  await using service = await screenService();
  await decide(service, 'movie');
  await service.pass(6 * HOUR - MINUTE, undefined, HOUR);
  expect(await states(service)).toEqual([['open', false, 'operator', null]]);

  service.clock.now += 3 * HOUR;
  await service.pass(30 * SECOND);

  expect(await states(service)).toEqual([['closed', false, 'operator', 'length']]);
  expect((await archive(service)).items[0]?.minutes).toBe(360);
});

test('a film that nobody ends late in the evening is closed at five in the morning', async () => {
  await using service = await screenService();
  service.clock.now += 12 * HOUR;
  await decide(service, 'movie');
  await service.pass(5 * HOUR, undefined, HOUR);

  expect(await states(service)).toEqual([['closed', false, 'operator', 'override']]);
});

test('ten minutes of music end a film; silence, speech and a device without reports do not', async () => {
  await using service = await screenService();
  await decide(service, 'movie');
  for (const kind of ['movie', 'silence', 'speech', 'unknown'])
    await service.pass(15 * MINUTE, () => service.detects(kind));
  await service.pass(15 * MINUTE, undefined, 5 * MINUTE);
  await service.pass(9 * MINUTE, () => service.detects('music'));
  // A scene with music.
  await service.pass(2 * MINUTE, () => service.detects('movie'));
  await service.pass(9 * MINUTE, () => service.detects('music'));
  expect((await states(service))[0]?.[0]).toBe('open');

  await service.pass(3 * MINUTE, () => service.detects('music'));

  expect(await states(service)).toEqual([['closed', false, 'operator', 'verdict']]);
  // The staff's override stays on the card, but does not start the film again.
  await service.pass(5 * MINUTE, () => service.detects('movie'));
  expect(await records(service)).toHaveLength(1);
});

test('a film that the device detects for five minutes is stored as a shadow until its end', async () => {
  await using service = await screenService();
  await service.pass(5 * MINUTE, () => service.detects('movie', 0.85));
  expect(await records(service)).toEqual([]);
  await service.pass(MINUTE, () => service.detects('movie', 0.85));
  expect(await states(service)).toEqual([['open', true, 'auto', null]]);
  await plays(service, 'Theme');

  await service.pass(30 * MINUTE, () => service.detects('movie', 0.7));
  await service.pass(12 * MINUTE, () => service.detects('unknown'));

  expect(await states(service)).toEqual([['closed', true, 'auto', 'verdict']]);
  expect((await records(service))[0]?.taggedCount).toBe(1);
  expect((await archive(service)).items).toEqual([]);
});

test('an uncertain film, television or a game opens no screening by itself', async () => {
  await using service = await screenService();

  for (const [kind, confidence] of [
    ['movie', 0.79],
    ['tv', 0.95],
    ['sports', 0.95],
  ] as const)
    await service.pass(10 * MINUTE, () => service.detects(kind, confidence));

  expect(await records(service)).toEqual([]);
});

test('staff can take over a detected film, which keeps its start', async () => {
  await using service = await screenService();
  await service.pass(10 * MINUTE, () => service.detects('movie'));
  const [before] = await records(service);

  await decide(service, 'movie', 'Heat');

  expect(await records(service)).toEqual([{ ...before, title: 'Heat', shadow: false }]);
  await service.pass(30 * MINUTE, () => service.detects('movie'));
  await decide(service, 'auto');
  expect((await archive(service)).items.map(({ title }) => title)).toEqual(['Heat']);
});

test('naming an open detected film moves it to the archive, unless the change says otherwise', async () => {
  await using service = await screenService();
  await service.pass(10 * MINUTE, () => service.detects('movie'));
  const [open] = await records(service);
  const change = async (body: object) => {
    const answer = await service.post(`/api/admin/screenings/${open?.id}`, body, STAFF);
    return answer.json().screening;
  };

  expect(await change({ title: 'Heat', shadow: true })).toMatchObject({ title: 'Heat', shadow: true });
  expect(await change({ title: '' })).toMatchObject({ title: null, shadow: true });
  expect(await change({ title: 'Heat' })).toMatchObject({ title: 'Heat', shadow: false });
  await service.pass(30 * MINUTE, () => service.detects('movie'));
  await service.pass(12 * MINUTE, () => service.detects('music'));
  expect((await archive(service)).items.map(({ title }) => title)).toEqual(['Heat']);
});

test('naming a closed shadow does not move it to the archive', async () => {
  await using service = await screenService();
  await service.pass(30 * MINUTE, () => service.detects('movie'));
  await service.pass(12 * MINUTE, () => service.detects('music'));
  const [closed] = await records(service);

  const answer = await service.post(`/api/admin/screenings/${closed?.id}`, { title: 'Heat' }, STAFF);

  expect(answer.json().screening).toMatchObject({ title: 'Heat', state: 'closed', shadow: true });
});

test('a film that staff showed for less than ten minutes is not archived', async () => {
  await using service = await screenService();
  await decide(service, 'movie', 'The Third Man');
  service.clock.now += 10 * MINUTE - SECOND;
  await decide(service, 'off');

  expect(await states(service)).toEqual([['closed', true, 'operator', 'override']]);
  expect((await archive(service)).items).toEqual([]);
  expect((await service.get('/screen', { accept: 'text/html' })).body).not.toContain('The Third Man');

  const [{ id = '' } = {}] = await records(service);
  await service.post(`/api/admin/screenings/${id}`, { shadow: false }, STAFF);
  expect((await archive(service)).items.map(({ title }) => title)).toEqual(['The Third Man']);
});

test.each([
  ['the same title', 'The Third Man', 'the third man'],
  ['no title', 'The Third Man', undefined],
  ['a title that it lacked', undefined, 'The Third Man'],
])('a film that is chosen again within ten minutes is continued: %s', async (_, before, after) => {
  await using service = await screenService();
  await decide(service, 'movie', before);
  service.clock.now += MINUTE;
  await decide(service, 'off');
  service.clock.now += 10 * MINUTE - SECOND;
  await decide(service, 'movie', after);
  service.clock.now += 90 * MINUTE;
  await decide(service, 'off');

  expect(await records(service)).toHaveLength(1);
  const [film] = (await archive(service)).items;
  expect(film).toMatchObject({ openedAt: isoTime(NOON), title: after ?? before });
});

test('another film, or the same one ten minutes later, is a new screening', async () => {
  await using service = await screenService();
  for (const title of ['The Third Man', 'Heat']) {
    await decide(service, 'movie', title);
    service.clock.now += SECOND;
    await decide(service, 'off');
  }
  service.clock.now += 10 * MINUTE;
  await decide(service, 'movie', 'Heat');

  expect((await records(service)).map(({ title }) => title)).toEqual(['Heat', 'Heat', 'The Third Man']);
});

test('a film ended by mistake and chosen again stays one; a film without a title after it is another', async () => {
  await using service = await screenService();
  await showFilm(service, 'Heat');
  service.clock.now += MINUTE;
  await decide(service, 'movie', 'Heat');
  service.clock.now += 20 * MINUTE;
  await decide(service, 'off');
  await decide(service, 'movie');
  service.clock.now += 20 * MINUTE;
  await decide(service, 'off');

  expect((await archive(service)).items.map(({ title, minutes }) => [title, minutes])).toEqual([
    [null, 20],
    ['Heat', 121],
  ]);
});

test('a detected film is archived after twenty minutes, one that staff began after ten', async () => {
  await using service = await screenService();
  await service.pass(7 * MINUTE, () => service.detects('movie'));
  await decide(service, 'movie', 'A trailer');
  service.clock.now += 10 * MINUTE;
  await decide(service, 'auto');
  await decide(service, 'movie', 'A short');
  service.clock.now += 10 * MINUTE;
  await decide(service, 'auto');

  expect((await archive(service)).items.map(({ title }) => title)).toEqual(['A short']);
});

test('a film that was ended by hand is not started again while the device still detects it', async () => {
  await using service = await screenService();
  await service.pass(10 * MINUTE, () => service.detects('movie'));
  const [open] = await records(service);
  const closed = await service.post(`/api/admin/screenings/${open?.id}/close`, undefined, STAFF);
  expect(closed.json()).toMatchObject({ ok: true, screening: { state: 'closed', closeReason: 'operator' } });

  await service.pass(10 * MINUTE, () => service.detects('movie'));
  expect(await records(service)).toHaveLength(1);

  await service.pass(5 * MINUTE, () => service.detects('music'));
  await service.pass(10 * MINUTE, () => service.detects('movie'));
  expect(await records(service)).toHaveLength(2);
});

test('reverting a film turns its songs into music, once, and removes it from the archive', async () => {
  await using service = await screenService();
  const { id } = await showFilm(service, 'Mistake');
  expect(await heard(service)).toEqual([]);
  const revert = () => service.post(`/api/admin/screenings/${id}/revert`, undefined, STAFF);

  expect((await revert()).json()).toEqual({ ok: true, id, reverted: 2 });
  expect((await revert()).json()).toEqual({ ok: true, id, reverted: 0 });

  expect(await heard(service)).toEqual(['Mistake: credits', 'Mistake: opening']);
  expect((await archive(service)).items).toEqual([]);
  expect((await records(service))[0]).toMatchObject({
    taggedCount: 0,
    revertedAt: isoTime(service.clock.now),
  });
  expect(recordedOf(service.ctx, 'screening.reverted')).toEqual([
    { screening_id: id, songs: 2, by: 'token:pub_admin' },
  ]);
});

test('an open film cannot be reverted', async () => {
  await using service = await screenService();
  await decide(service, 'movie');
  await plays(service, 'Theme');
  const [open] = await records(service);

  const answer = await service.post(`/api/admin/screenings/${open?.id}/revert`, undefined, STAFF);

  expect([answer.statusCode, answer.json().error]).toEqual([409, message('screening_open')]);
  expect(await heard(service)).toEqual([]);
});

test('a film can be renamed, removed from the archive and put back', async () => {
  await using service = await screenService();
  const { id } = await showFilm(service, 'Haet');
  const change = (body: object) => service.post(`/api/admin/screenings/${id}`, body, STAFF);

  await change({ title: ' Heat ' });
  expect((await archive(service)).items.map(({ title }) => title)).toEqual(['Heat']);
  await change({ shadow: true });
  expect((await archive(service)).items).toEqual([]);
  const back = await change({ shadow: false, title: '' });
  expect(back.json().screening).toMatchObject({ id, title: null, shadow: false });
  expect((await archive(service)).items.map(({ title }) => title)).toEqual([null]);
  expectRefusal(await change({}), 400, 'title_or_shadow');
  expect((await change({ title: 'x'.repeat(121) })).json().errors[0].path).toBe('title');
});

test('a form without script redirects to the staff page', async () => {
  await using service = await screenService();
  const { id } = await showFilm(service, 'Heat');

  for (const [action, fields] of [
    ['', { title: 'Heat (1995)', shadow: 'off' }],
    ['/close', {}],
    ['/revert', {}],
  ] as const) {
    const answer = await service.submit(`/api/admin/screenings/${id}${action}`, fields, STAFF);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/admin/pub/heard?done=films#films']);
  }
  expect((await records(service))[0]).toMatchObject({ title: 'Heat (1995)', shadow: false });
});

test('an unknown screening is a 404', async () => {
  await using service = await screenService();

  for (const action of ['', '/close', '/revert']) {
    const answer = await service.post(`/api/admin/screenings/nothing${action}`, { title: 'x' }, STAFF);
    expect([action, ...refusal(answer)]).toEqual([action, 404, message('screening_not_found')]);
  }
});

test('the archive is read page by page, newest first, without the hidden songs', async () => {
  await using service = await screenService();
  for (const title of ['One', 'Two', 'Three']) await showFilm(service, title);
  await service.ctx.write((tx) =>
    tx.run(build.updateTable('plays').set({ hidden: 1 }).where('title', '=', 'Three: credits')),
  );

  const first = await archive(service, '?limit=2');
  expect(first.items.map(({ title }) => title)).toEqual(['Three', 'Two']);
  expect(first.items[0]?.tracks.map(({ title }) => title)).toEqual(['Three: opening']);
  const second = await archive(service, `?limit=2&before=${first.nextBefore}`);
  expect([second.items.map(({ title }) => title), second.nextBefore]).toEqual([['One'], null]);
  expect((await archive(service, '?limit=lots')).items).toHaveLength(3);
  expect((await archive(service, '?limit=0')).items).toHaveLength(1);
  const bad = await service.get('/api/screenings?before=yesterday');
  expect([bad.statusCode, bad.json().errors[0].path]).toEqual([400, 'before']);
  expect(bad.headers['cache-control']).toBe('no-store');
});

test.each(['SCREENINGS_ENABLED', 'NOW_SHOWING_ENABLED'])(
  'without %s there are no screenings',
  async (gate) => {
    await using service = await screenService([], { [gate]: 'off' });
    await decide(service, 'movie', 'Heat');
    await service.pass(10 * MINUTE, () => service.detects('movie'));

    const answer = await service.get('/api/screenings');
    expect([answer.statusCode, answer.json()]).toEqual([404, { enabled: false, items: [] }]);
    expect((await service.get('/screen', { accept: 'text/html' })).statusCode).toBe(404);
    expect((await service.get('/og/screen.png', { accept: 'image/*' })).statusCode).toBe(404);
    expect(await records(service)).toEqual([]);
  },
);

test('changing screenings needs a permission', async () => {
  await using service = await screenService();
  const { id } = await showFilm(service, 'Heat');
  const tender = await appoint(service, 'tender@club.example', 'tender');

  expectRefusal(await service.get('/api/admin/screenings'), 401, 'staff_key_required');
  expectForbidden(
    await service.post(`/api/admin/screenings/${id}/revert`, undefined, tender),
    'screenings:write',
  );
});
