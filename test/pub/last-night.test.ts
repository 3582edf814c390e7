import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { LastNight } from '#pub/staff-room/last-night.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';

const HTML = { accept: 'text/html' };
const PAGE = '/admin/pub/last-night';
/** The evening of the tests' clock, in New York (UTC-5). */
const EVENING = '2026-11-21';

let service: TestApp;
let owner: Record<string, string>;
let eve: Awaited<ReturnType<typeof editorAt>>;
beforeEach(async () => {
  service = await testApp({ SETLIST_REQUESTS_ENABLED: 'on', FEEDBACK_ENABLED: 'on' });
  owner = await appoint(service, 'olga@club.example', 'owner');
  eve = await editorAt(service);
});
afterEach(() => service[Symbol.asyncDispose]());

const go = (date: string, time: string) => {
  service.clock.now = Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(
    'America/New_York',
  ).epochMilliseconds;
};
const night = async (query = ''): Promise<LastNight> =>
  (await service.get(`${PAGE}${query}`, { accept: 'application/json', ...owner })).json();
const page = async (query = '') => {
  const { statusCode, body } = await service.get(`${PAGE}${query}`, { ...HTML, ...owner });
  expect(statusCode).toBe(200);
  return body
    .slice(body.indexOf('<main'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
};
const staff = async (url: string, payload: object = {}) => {
  const answer = await service.post(`/api/admin/${url}`, payload, owner);
  expect([url, answer.statusCode, answer.body]).toEqual([url, 200, answer.body]);
  return answer.json();
};
const item = async (name: string, section: string) =>
  eve.publish('menu_item', { name, section, sizes: [{ label: 'Pint', price: 500 }] });

test('a quiet night says so, in words and in figures', async () => {
  go('2026-11-22', '09:00');

  expect(await page()).toContain('A quiet night');
  expect(await night()).toMatchObject({
    day: EVENING,
    from: '2026-11-21T10:00:00.000Z',
    until: '2026-11-22T10:00:00.000Z',
    goes_on: false,
    opened: [],
    behind: [],
    kegs: [],
    sold_out: [],
    songs: null,
    requests: { asked: 0 },
    feedback: { messages: 0, rating: null },
    notices: [],
    dark: [],
  });
});

test('the evening ends at five in the morning; others are a link away, none that has not come', async () => {
  go('2026-11-22', '04:59');
  expect(await night()).toMatchObject({ day: '2026-11-20' });
  expect(await night(`?day=${EVENING}`)).toMatchObject({ day: EVENING, goes_on: true });
  go('2026-11-22', '05:00');
  expect(await night()).toMatchObject({ day: EVENING, goes_on: false });
  const { body } = await service.get(PAGE, { ...HTML, ...owner });
  expect(body).toContain(`href="${PAGE}?day=2026-11-20"`);
  expect(body).toContain(`href="${PAGE}?day=2026-11-22"`);
  const today = await service.get(`${PAGE}?day=2026-11-22`, { ...HTML, ...owner });
  expect(today.body).not.toContain('?day=2026-11-23');
  for (const day of ['2026-11-23', '2027-02-30', 'x', ''])
    expect(await night(`?day=${day}`)).toMatchObject({ day: EVENING });
});

test('kegs that ended say how long they lasted: out, swapped, taken away; an undone one did not end', async () => {
  const section = await eve.publish('menu_section', { title: 'Beer', on_tap: true });
  const [ale, stout, cider] = [
    await item('Ale', section),
    await item('Stout', section),
    await item('Cider', section),
  ];
  go('2026-11-19', '18:00');
  for (const [tap, item_id] of [
    [1, ale],
    [2, stout],
    [3, cider],
    [4, ale],
  ] as const)
    await staff(`taps/${tap}`, { item_id });
  go(EVENING, '21:00');
  await staff('taps/1', { state: 'out' });
  go(EVENING, '21:10');
  await staff('taps/1/swap', { item_id: stout });
  await staff('taps/2/swap', { item_id: stout });
  await service.request({ method: 'DELETE', url: '/api/admin/taps/3', headers: owner });
  await staff('taps/4', { state: 'last' });
  go('2026-11-22', '01:00');
  await staff('taps/1', { state: 'out' });
  go('2026-11-22', '09:00');

  expect((await night()).kegs.map(({ tap, name, minutes }) => [tap, name, minutes])).toEqual([
    [1, 'Ale', 51 * 60],
    [2, 'Stout', 51 * 60 + 10],
    [3, 'Cider', 51 * 60 + 10],
    [1, 'Stout', 230],
  ]);
  expect(await page()).toContain('Ale, tap 1, at 9:00 PM (it lasted 2 days)');
});

test('what was sold out says for how long; what was undone at once does not count', async () => {
  const section = await eve.publish('menu_section', { title: 'Food' });
  const [pie, soup, cake] = [
    await item('Pie', section),
    await item('Soup', section),
    await item('Cake', section),
  ];
  const out = (id: string, state = 'out') => staff(`menu/items/${id}/stock`, { state });
  go(EVENING, '20:00');
  await out(pie);
  await out(soup);
  go(EVENING, '20:30');
  await out(soup, 'on');
  go(EVENING, '23:00');
  await out(cake, 'last');
  go('2026-11-22', '09:00');

  const { sold_out } = await night();
  expect(sold_out.map(({ name, minutes }) => [name, minutes])).toEqual([
    ['Pie', 9 * 60],
    ['Soup', 30],
  ]);
});

test('songs, requests, feedback, notices and who was on are told', async () => {
  const tender = await eve.publish('tender', { full_name: 'Ann Byrne' });
  const day = [{ opens: '18:00', closes: '23:00', tenders: [tender] }];
  await eve.publish('hours', { from: '2026-01-01', week: { sat: day } });
  go(EVENING, '19:00');
  for (const title of ['Jóga', 'Hunter', 'Jóga']) {
    await service.post('/api/now-playing/ingest', { artist: 'Björk', title });
    service.clock.now += 5 * MINUTE;
  }
  await service.post('/api/feedback', { message: 'Good beer', rating: 5 });
  await staff('takeover', { kind: 'last_orders' });
  go('2026-11-22', '09:00');

  const told = await night();
  expect(told.songs).toEqual({ played: 3, top: [{ artist: 'Björk', title: 'Jóga', times: 2 }] });
  expect(told.feedback).toEqual({ messages: 1, rating: 5 });
  expect(told.notices).toMatchObject([{ kind: 'last_orders', title: 'Last orders', minutes: 60 }]);
  expect([told.opened.length, told.behind]).toEqual([1, ['Ann Byrne']]);
  const words = await page();
  for (const part of ['6:00 PM – 11:00 PM', 'Ann Byrne', '3 songs', '2 times', '1 message', 'Last orders'])
    expect(words).toContain(part);
});

test('a named screen that was silent in the hours was dark; one that is off by night was not', async () => {
  await eve.publish('hours', { from: '2026-01-01', week: { sat: [{ opens: '18:00', closes: '23:00' }] } });
  const beat = () =>
    service.post('/api/screens/heartbeat', {
      screen: 'bar',
      page: 'tv',
      version: 'x',
      uptime_s: 60,
      viewport: '1920x1080',
    });
  go(EVENING, '17:00');
  await beat();
  const { screens } = (await service.get('/api/admin/screens', owner)).json();
  await service.request({
    method: 'PATCH',
    url: `/api/admin/screens/${screens[0].id}`,
    payload: { name: 'Bar', revision: screens[0].revision },
    headers: owner,
  });
  for (let minutes = 0; minutes < 6 * 60; minutes += 5) {
    service.clock.now += 5 * MINUTE;
    const isDark = minutes >= 3 * 60 && minutes < 4 * 60;
    if (!isDark) await beat();
  }
  go('2026-11-22', '09:00');

  const { dark } = await night();
  expect(dark.map(({ name, minutes }) => [name, minutes])).toEqual([['Bar', 65]]);
  expect(await page()).toContain('Bar, from');
});

test('only staff see it, and feedback only who may read it', async () => {
  expect(
    (
      await service.get(PAGE, {
        accept: 'application/json',
        'edge-access-authenticated-user-email': 'no@body.example',
      })
    ).statusCode,
  ).toBe(403);
  const tess = await appoint(service, 'dan@club.example', 'dj');
  const told = (await service.get(PAGE, { accept: 'application/json', ...tess })).json();
  expect(told).toMatchObject({ feedback: null });
  for (const hour of [9, 20]) {
    service.clock.now = Date.parse('2026-11-22T05:00:00Z') + hour * HOUR;
    expect((await service.get('/admin/pub', { ...HTML, ...tess })).body).toContain(`href="${PAGE}"`);
  }
});
