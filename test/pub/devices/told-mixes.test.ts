import { atField, expectRefusal, onPage } from '#test/support/messages.ts';
// What a screen is told to show, and when.

import { expect, test } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { NOON, type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { smallPicture, upload } from '#test/support/pictures.ts';
import { patchScreen } from '#test/support/screens.ts';
import { openTv, pair } from './pairing-steps.ts';

/** A paired TV, and a tender who decides about it. */
async function pairedTv(service: TestApp) {
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const tv = await openTv(service);
  const id = await pair(service, tom, tv, { name: 'Bar' });
  return {
    tom,
    tv,
    id,
    decide: (payload: object) => patchScreen(service, tom, id, payload),
    told: async (more: object = {}) => (await tv.beat(more)).json(),
    row: async () => (await service.get('/api/admin/screens', tom)).json().screens[0],
  };
}

test('a paired screen is told its mix, its times and when it is off; each change is a revision', async () => {
  await using service = await testApp();
  const { decide, told, row } = await pairedTv(service);
  expect(await told()).toMatchObject({
    mix: { preset: 'everything', layout: 'day', events: true, weather: true, pictures: [], pages: [] },
    times: [],
    off: { shows: 'dim', whileClosed: true, windows: [] },
  });
  const times = [{ days: ['sat'], between: { from: '20:00', to: '01:00' }, mix: 'menu_board' }];
  const decided = { mix: { crew: false, layout: 'slides' }, times, off_shows: 'clock', off_hours: 'never' };
  expect((await decide({ revision: 1, ...decided })).json()).toEqual({ ok: true });
  expectRefusal(await decide({ revision: 1, off_shows: 'black' }), 409, 'screen_changed_since');
  // The clock stands at noon in New York on a Saturday.
  const answer = await told({ heapMb: 41.6, lateFlips: 2, nowMix: 'slides' });
  expect(answer).toMatchObject({
    mix: { preset: null, layout: 'slides', crew: false, events: true },
    times: [
      { from: isoTime(NOON + 8 * HOUR), until: isoTime(NOON + 13 * HOUR), mix: { preset: 'menu_board' } },
    ],
    off: { shows: 'clock', whileClosed: false, windows: [] },
  });
  expect(await row()).toMatchObject({
    revision: 2,
    preset: null,
    mix: { layout: 'slides', crew: false },
    times: [{ days: ['sat'], between: { from: '20:00', to: '01:00' }, mix: { layout: 'menu' } }],
    off_shows: 'clock',
    nowMix: 'slides',
    heapMb: 42,
    lateFlips: 2,
  });
  expect((await decide({ mix: null })).statusCode).toBe(200);
  expect(await row()).toMatchObject({ revision: 3, preset: 'everything' });
});

test('a mix that cannot be is refused with its field, and nothing is stored', async () => {
  await using service = await testApp();
  const { decide, row } = await pairedTv(service);
  for (const [payload, path] of [
    [{ mix: { layout: 'cinema' } }, 'mix.layout'],
    [{ mix: 'cinema' }, 'mix'],
    [{ times: [{ mix: 'everything', days: ['someday'] }] }, 'times.0.days.0'],
    [{ mix: { pages: [{ url: 'http://club.example' }] } }, 'mix.pages.0.url'],
    [{ off_shows: 'nothing' }, 'off_shows'],
  ] as const) {
    const answer = await decide({ ...payload, place: 'Attic' });
    expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, path]);
  }
  expect(await row()).toMatchObject({ place: '', revision: 1, preset: 'everything' });
});

test('a screen is off from half an hour after the close until half an hour before the opening', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const hours = [{ opens: '17:00', closes: '23:00' }];
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const week = Object.fromEntries(days.map((day) => [day, hours]));
  await eve.publish('hours', { from: '2026-01-01', week });
  const { told, id, decide } = await pairedTv(service);
  const { off } = await told();
  expect(off.windows).toEqual([
    [isoTime(NOON), isoTime(NOON + 4.5 * HOUR)],
    [isoTime(NOON + 11.5 * HOUR), isoTime(NOON + DAY + 4.5 * HOUR)],
    [isoTime(NOON + DAY + 11.5 * HOUR), isoTime(NOON + 2 * DAY + 4.5 * HOUR)],
    [isoTime(NOON + 2 * DAY + 11.5 * HOUR), isoTime(NOON + 3 * DAY)],
  ]);

  // A script beside the screen switches its panel by the same times.
  const power = async () => (await service.get(`/api/screens/${id}/power`)).json();
  expect(await power()).toEqual({ power: 'off', until: isoTime(NOON + 4.5 * HOUR) });
  await eve.publish('event', {
    title: 'A wake',
    date: '2026-11-21',
    time: '11:00',
    end_time: '14:00',
    place: 'Pub',
  });
  expect(await power()).toEqual({ power: 'on', until: isoTime(NOON + 2 * HOUR) });
  service.clock.now += 2 * HOUR;
  expect(await power()).toEqual({ power: 'off', until: isoTime(NOON + 4.5 * HOUR) });
  service.clock.now += 3 * HOUR;
  expect(await power()).toEqual({ power: 'on', until: isoTime(NOON + 11.5 * HOUR) });
  await decide({ off_hours: 'never' });
  expect(await power()).toEqual({ power: 'on', until: null });
  expectRefusal(await service.get('/api/screens/unknown/power'), 404, 'screen_not_found');
});

test('a screen with a name in its address is told only what staff decided; a preview is told the same', async () => {
  await using service = await testApp();
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const beat = async (more: object = {}) =>
    (
      await service.post('/api/screens/heartbeat', {
        ...{ screen: 'snug', page: 'tv', version: 'v', uptime_s: 1, viewport: '1x1' },
        ...more,
      })
    ).json();
  for (let count = 0; count < 2; count += 1) {
    const answer = await beat();
    for (const name of ['mix', 'times', 'off']) expect(answer).not.toHaveProperty(name);
  }
  const [{ id }] = (await service.get('/api/admin/screens', tom)).json().screens;
  expect((await patchScreen(service, tom, id, { mix: 'whats_on' })).statusCode).toBe(200);
  for (const more of [{}, { named: false, preview: true }, { named: false, preview: true, screen: id }])
    expect(await beat(more)).toMatchObject({ mix: { preset: 'whats_on' }, times: [] });
  service.clock.now += MINUTE;
  expect(await beat()).not.toHaveProperty('off');
});

test('a preview is told what the screen shows at the moment of the preview, also when it is off', async () => {
  await using service = await testApp();
  const { decide, id } = await pairedTv(service);
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const week = Object.fromEntries(days.map((day) => [day, [{ from: '02:00', to: '10:00' }]]));
  const times = [{ between: { from: '06:00', to: '08:00' }, mix: 'menu_board' }];
  await decide({ off_hours: week, off_shows: 'clock', times });
  const told = async (at?: string) => {
    const beat = { screen: id, page: 'tv', version: 'v', uptime_s: 1, viewport: '1x1', named: false };
    return (await service.post('/api/screens/heartbeat', { ...beat, preview: true, at })).json();
  };
  // Seven in the morning is over.
  const early = NOON - 5 * HOUR;
  const { off, times: windows } = await told(isoTime(early));
  expect([off.shows, off.windows[0]]).toEqual(['clock', [isoTime(early), isoTime(NOON - 2 * HOUR)]]);
  expect(windows[0]).toMatchObject({ until: isoTime(NOON - 4 * HOUR), mix: { preset: 'menu_board' } });
  for (const at of [undefined, 'soon', isoTime(NOON + 9 * DAY)])
    expect((await told(at)).off.windows[0]).toEqual([isoTime(NOON + 14 * HOUR), isoTime(NOON + 22 * HOUR)]);
});

test('the pictures of a mix are served to its screen, and stay while it shows them', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const { decide, told, id: screen } = await pairedTv(service);
  const { id } = (await upload(service, eve.headers, { bytes: await smallPicture() })).json();
  const imageUrl = `/api/image/screen/${id}?v=`;
  expectRefusal(await service.get(imageUrl), 404, 'image_not_found');
  const missing = await decide({ times: [{ mix: { pictures: [{ id: '0'.repeat(32) }] } }] });
  expect([missing.statusCode, missing.json().errors[0].path]).toEqual([400, 'times.0.mix.pictures.0.id']);
  const pictures = [{ id, seconds: 20, fit: 'cover' }];
  expect((await decide({ times: [{ mix: { layout: 'picture', pictures } }] })).statusCode).toBe(200);
  expect((await told()).times[0].mix.pictures).toEqual([
    { id, seconds: 20, fit: 'cover', imageUrl, imageAlt: 'The band on its stage', imageFocus: 5 },
  ]);
  const file = await service.get(imageUrl);
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, expect.stringMatching(/^image/)]);
  const remove = {
    method: 'DELETE',
    url: `/api/admin/pictures/${id}`,
    headers: eve.headers,
  } as const;
  expect((await service.request(remove)).json().used_in).toEqual([
    { kind: 'screen', id: screen, title: 'the screen “Bar”' },
  ]);
  expect((await decide({ times: [] })).statusCode).toBe(200);
  expect((await service.request(remove)).statusCode).toBe(200);
});

test('the page of a screen decides what it shows without script; a refused form keeps what was entered', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const { tom, id, row, decide } = await pairedTv(service);
  const upload1 = await upload(service, eve.headers, { bytes: await smallPicture() });
  const { id: picture } = upload1.json();
  const [drinks, food] = [
    await eve.publish('menu_section', { title: 'On tap' }),
    await eve.publish('menu_section', { title: 'From the kitchen' }),
  ];
  const staff = { ...tom, accept: 'text/html' };
  const address = `/admin/pub/screens/${id}`;
  const page = async (at = '/shows') => (await service.get(address + at, staff)).body;
  // A mix that only a script can give to a time of day stays while the form leaves it.
  const quiet = { days: ['mon'], between: null, mix: { layout: 'slides', crew: false } };
  await decide({ times: [quiet] });
  const fields = {
    revision: '2',
    mixes: '1',
    shows: 'pictures_only',
    section: food,
    [`picture.${picture}`]: 'true',
    [`picture.${picture}.place`]: '1',
    [`picture.${picture}.seconds`]: '25',
    [`picture.${picture}.cover`]: 'true',
    'time.0.shows': 'kept',
    'time.0.days': ['mon', 'tue'],
    'time.1.shows': 'menu_board',
    'time.1.days': 'fri',
    'time.1.from': '22:00',
    'time.1.to': '02:00',
    'time.2.shows': 'own',
    'time.2.from': '12:00',
    'time.2.to': '15:00',
    'time.2.layout': 'slides',
    'time.2.tick.events': 'true',
    'time.2.tick.menu': 'true',
    'time.2.section': drinks,
    'time.3.shows': '',
    'time.3.layout': 'menu',
  };
  const refused = await service.submit(address, { ...fields, 'web.0.url': 'http://pub.example/x' }, staff);
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain(onPage('not_page_address'));
  expect(refused.body).toMatch(/value="http:\/\/pub.example\/x"/);
  expect(refused.body).toMatch(/name="shows" value="pictures_only"[^>]* checked/);
  expect(refused.body).toMatch(/value="25"/);
  expect(refused.body).toMatch(/name="time.2.tick.menu" value="true" checked/);
  const begun = await service.submit(address, { ...fields, 'time.3.days': 'sun' }, staff);
  expect([begun.statusCode, begun.body]).toEqual([
    400,
    expect.stringContaining(atField('not_mix', { choices: [] })),
  ]);
  expect((await service.submit(address, fields, staff)).headers.location).toBe(
    `${address}/shows?done=renamed`,
  );
  const pictures = [{ id: picture, seconds: 25, fit: 'cover' }];
  expect(await row()).toMatchObject({
    revision: 3,
    preset: 'pictures_only',
    mix: { pictures, sections: [food], announcements: false, layout: 'picture' },
    times: [
      { days: ['mon', 'tue'], between: null, mix: { layout: 'slides', crew: false, announcements: true } },
      { days: ['fri'], between: { from: '22:00', to: '02:00' }, mix: { layout: 'menu', pictures } },
      {
        days: [],
        between: { from: '12:00', to: '15:00' },
        mix: { layout: 'slides', events: true, menu: true, crew: false, weather: false, sections: [drinks] },
      },
    ],
  });
  expect(await page('?at=19:30')).toContain(`/tv?screen=${id}&amp;preview&amp;at=2026-11-22T00:30:00.000Z`);
  const shown = await page();
  expect(shown).toContain('Fri 10:00\u00a0PM – 2:00\u00a0AM: Menu board');
  expect(shown).toMatch(/<option value="kept" selected>/);
  expect(shown).toMatch(
    /<label for="picture.[0-9a-f]+.place">Place<span class="visually-hidden"> of The band/,
  );
  expect(shown).toContain('Every day 12:00\u00a0PM – 3:00\u00a0PM: Its own choice');
  expect(shown).toMatch(/name="time.2.shows".*<option value="own" selected>/s);
  // One more time begins with what the screen usually shows.
  expect(shown).toMatch(/<select[^>]* name="time.3.layout".*?<option value="picture" selected>/s);
  expect(shown).toMatch(new RegExp(`name="section" value="${food}" checked.*From the kitchen`, 's'));
  // Its other form leaves the mix as it is.
  await service.submit(address, { revision: '3', name: 'Bar', off: 'never', off_shows: 'black' }, staff);
  expect(await row()).toMatchObject({ revision: 4, preset: 'pictures_only', off_shows: 'black' });
});

test('a screen is paired with a mix by its name, in three fields', async () => {
  await using service = await testApp();
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const tv = await openTv(service);
  const sent = { code: tv.code, name: 'Snug', preset: 'whats_on' };
  const paired = await service.submit('/admin/pub/screens', sent, { ...tom, accept: 'text/html' });
  expect(paired.statusCode).toBe(303);
  expect((await service.get('/api/admin/screens', tom)).json().screens).toMatchObject([
    { name: 'Snug', preset: 'whats_on', page: 'tv', off_hours: 'outside_opening' },
  ]);
});
