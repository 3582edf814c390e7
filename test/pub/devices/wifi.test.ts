import { afterEach, beforeEach, expect, it } from 'vitest';
import { wifiCode } from '#kernel/settings/house.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';

let service: TestApp;
let owner: Record<string, string>;

const PASSWORD = 'pass;word,"1';
beforeEach(async () => {
  service = await testApp();
  owner = await appoint(service, 'olga@club.example', 'owner');
});
afterEach(() => service[Symbol.asyncDispose]());

const put = async (house: object) => {
  const answer = await service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: { house },
    headers: { accept: 'application/json', ...owner },
  });
  expect(answer.statusCode, answer.body).toBe(200);
};
const HOUSE = { address: '1 Mill Lane', way: 'Tram 5', wifi_name: 'Guests', wifi_password: PASSWORD };
const page = async (url: string, headers = {}) =>
  (await service.get(url, { accept: 'text/html', ...headers })).body;

/** Pairs a screen. @returns its cookie */
async function pair() {
  const { code, secret } = (await service.post('/api/screens/pairings', {})).json();
  await service.post('/api/admin/screens', { code, name: 'Bar' }, owner);
  const answer = await service.post('/api/screens/pairings/poll', { secret });
  return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' };
}
const BEAT = { screen: 'bar', page: 'tv', version: 'old', uptime_s: 90, viewport: '1920x1080' };
const beat = async (headers = {}) => (await service.post('/api/screens/heartbeat', BEAT, headers)).json();

it('guests read what is ticked, and nothing else', async () => {
  await put(HOUSE);
  for (const text of ['1 Mill Lane', 'Tram 5', 'Guests']) expect(await page('/events')).not.toContain(text);
  await put({ show_address: true, show_wifi_name: true, show_wifi_password: true });
  const shown = await page('/events');
  for (const text of ['1 Mill Lane', 'Wi-Fi: <strong>Guests']) expect(shown).toContain(text);
  expect(shown).not.toContain('Tram 5');
});

it('the password is told to paired screens and on the print of staff alone, and only where it is ticked', async () => {
  const bar = await pair();
  await put({ ...HOUSE, show_wifi_name: true });
  expect((await beat(bar)).wifi).toEqual({ name: 'Guests', password: null });
  await put({ show_wifi_password: true });
  const { wifi } = await beat(bar);
  expect(wifi).toMatchObject({ name: 'Guests', password: PASSWORD });
  expect((await service.get(wifi.code, bar)).headers['content-type']).toBe('image/png');
  expect(await page('/admin/pub/wifi', owner)).toContain('pass;word');

  expect((await beat({})).wifi).toBeUndefined();
  expect((await service.get(wifi.code)).statusCode).toBe(404);
  expect((await service.get(wifi.code, { cookie: 'screen=guessed' })).statusCode).toBe(404);
  expect((await service.get('/admin/pub/wifi', { host: 'club.example' })).statusCode).toBe(401);
  for (const url of [
    '/',
    '/events',
    '/api/events',
    '/api/menu',
    '/tv',
    '/s',
    '/openapi.json',
    '/api/admin/settings',
  ])
    expect((await service.get(url, url.startsWith('/api/admin') ? owner : {})).body).not.toContain(
      'pass;word',
    );
  expect(service.logged.join('\n')).not.toContain('pass;word');
});

it.each([
  [{ 'house.wifi_name': 'A;B', 'house.wifi_password': 'c:d\\e' }, 'WIFI:T:WPA;S:A\\;B;P:c\\:d\\\\e;;'],
  [{ 'house.wifi_name': 'Open', 'house.wifi_password': null }, 'WIFI:T:nopass;S:Open;;'],
  [{ 'house.wifi_name': null, 'house.wifi_password': null }, undefined],
])('the code of %j is %s', (settings, code) => {
  const all = { 'house.show_wifi_name': true, 'house.show_wifi_password': true };
  expect(wifiCode({ ...service.ctx.config.settings, ...all, ...settings })).toBe(code);
});
