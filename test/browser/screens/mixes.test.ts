// A paired TV through a day: its mix, pages of other hosts, another mix at noon without a network, and off at night.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openDevice } from '#test/support/browser/browser-service.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { smallPicture, upload } from '#test/support/pictures.ts';
import { patchScreen } from '#test/support/screens.ts';

/** A host with a page that is whole, and one whose page never ends. */
async function startHost() {
  const server = http.createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    if (request.url === '/tides') response.end('<h1>Tides</h1><script>document.title = origin</script>');
    else response.write('<h1>Never whole</h1><img src="/never">');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a TV shows its mix by the time of the service, skips a page that hangs, and goes on without a network', async () => {
  await using host = await startHost();
  await using service = await listeningService({ NOW_PLAYING_SSE_MAX_CONNECTION_MS: '86400000' });
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const eve = await editorAt(service);
  for (const title of ['Winter ale is on', 'The roof is done'])
    await eve.publish('announcement', { title, seconds: 5 });
  await eve.publish('tender', { full_name: 'Ada Lovelace', meet: true });
  await eve.publish('event', { title: 'Quiz', date: '2026-11-21', time: '19:00', place: 'Pub' });
  const { code, secret } = (await service.post('/api/screens/pairings', {})).json();
  const mix = {
    layout: 'slides',
    crew: false,
    codes: false,
    pages: ['/never', '/tides'].map((path) => ({ url: host.origin + path, seconds: 10 })),
  };
  const times = [{ days: ['sat'], between: { from: '13:00', to: '14:00' }, mix: 'whats_on' }];
  const decided = { name: 'Bar', off_hours: 'never', mix, times };
  const { id } = (await service.post('/api/admin/screens', { code, ...decided }, tom)).json();
  const [cookie] = (await service.post('/api/screens/pairings/poll', { secret })).cookies;

  const device = await openDevice(await sharedBrowser(), service.origin, {
    viewport: { width: 1280, height: 720 },
    serviceWorkers: 'block',
  });
  await device.addCookies([{ name: cookie!.name, value: cookie!.value, url: service.origin }]);
  const page = await device.newPage();
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(error.message));
  // The clock of the TV is three hours slow.
  await page.clock.install({ time: service.clock.now - 3 * HOUR - MINUTE });
  await page.clock.pauseAt(service.clock.now - 3 * HOUR);
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  await page.goto('/tv');

  /** Moves both clocks on by a second at a time, until the page shows what is awaited. */
  const soon = <T>(look: () => Promise<T>) =>
    expect.poll(async () => {
      service.clock.now += SECOND;
      await page.clock.runFor(SECOND);
      return look();
    });
  const title = () => shownSlide(page).locator('h1').innerText();
  const layout = () => page.locator('body').getAttribute('data-layout');

  await soon(layout).toBe('slides');
  expect(await page.locator('[data-day]').isVisible()).toBe(false);
  await soon(() => page.locator('[data-clock=time]').innerText()).toMatch(/^12:0\d PM$/);
  const seen = new Set<string>();
  const frame = shownSlide(page).locator('iframe');
  await soon(async () => {
    if ((await frame.count()) > 0) return frame.getAttribute('src');
    seen.add(await title());
    return '';
  }).toBe(`${host.origin}/tides`);
  expect([...seen].filter((one) => one !== 'Public House').sort()).toEqual([
    'The roof is done',
    'Winter ale is on',
  ]);
  expect(await frame.getAttribute('sandbox')).toBe('allow-scripts');
  // Its scripts run, as those of nobody.
  expect(await page.frame({ url: `${host.origin}/tides` })!.title()).toBe('null');
  const row = async () => (await service.get('/api/admin/screens', tom)).json().screens[0];
  await soon(async () => (await row()).state).toBe('clock wrong');
  expect(await row()).toMatchObject({ id, nowMix: 'slides', showing: expect.any(String) });

  await device.setOffline(true);
  await page.clock.fastForward(HOUR);
  service.clock.now += HOUR;
  await soon(layout).toBe('day');
  expect(await page.locator('body').getAttribute('data-without')).toBe('crew menu codes now_playing');
  await soon(() => page.locator('[data-rows=today] li:visible').allInnerTexts()).toEqual([
    expect.stringContaining('Quiz'),
  ]);
  await page.clock.fastForward(HOUR);
  service.clock.now += HOUR;
  await soon(layout).toBe('slides');
  // Pages of other hosts need the network.
  for (let turn = 0; turn < 4; turn += 1) {
    await page.clock.runFor(6 * SECOND);
    expect(await frame.count()).toBe(0);
  }
  await device.setOffline(false);
  // It was cut off when it asked again; then it is known that it is back.
  const back = service.clock.now;
  await soon(async () => {
    const { lastSeenAt, offlineSince } = await row();
    return Date.parse(lastSeenAt) > back ? offlineSince : 'not heard';
  }).toBeNull();

  const whole = [{ from: '00:00', to: '00:00' }];
  const patch = (payload: object) => patchScreen(service, tom, id, payload);
  const cover = page.locator('[data-rest]');
  expect((await patch({ off_shows: 'clock', off_hours: { fri: whole, sat: whole } })).statusCode).toBe(200);
  await soon(() => cover.isVisible()).toBe(true);
  await soon(() => cover.innerText()).toMatch(/^2:\d\d PM$/);
  expect((await patch({ off_shows: 'black' })).statusCode).toBe(200);
  await soon(() => cover.innerText()).toBe('');
  // A notice is over everything.
  const notice = { kind: 'own', title: 'Please come in', text: '', minutes: 5 };
  expect((await service.post('/api/admin/takeover', notice, tom)).statusCode).toBe(200);
  const takeover = page.locator('[data-takeover]');
  await soon(() => takeover.isVisible()).toBe(true);
  expect(
    await page.evaluate(() => document.elementFromPoint(640, 360)?.closest('[data-takeover]') !== null),
  ).toBe(true);
  expect((await patch({ off_hours: 'never' })).statusCode).toBe(200);
  await soon(() => cover.isVisible()).toBe(false);

  // Pictures alone: one fills the screen, cropped around what matters in it.
  const picture = { bytes: await smallPicture() };
  const posted = await upload(service, eve.headers, picture, { alt: 'A stage', focus: '9' });
  const pictures = [{ id: posted.json().id, fit: 'cover' }];
  expect((await patch({ mix: { layout: 'picture', pictures }, times: [] })).statusCode).toBe(200);
  await soon(layout).toBe('picture');
  const image = shownSlide(page).locator('[data-part=image]');
  await soon(() => image.isVisible()).toBe(true);
  expect(
    await image.evaluate((element) => {
      const { objectFit, objectPosition } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      // Beyond the edges, because it moves.
      return [objectFit, objectPosition, width > 1280, height > 720];
    }),
  ).toEqual(['cover', '100% 100%', true, true]);

  // Over the whole width the text of a wide picture is beside it.
  await eve.publish('announcement', {
    title: 'Winter market',
    text: 'In the yard',
    picture: pictures[0]!.id,
  });
  expect((await patch({ mix: { layout: 'slides', codes: false, crew: false } })).statusCode).toBe(200);
  const market = page.locator('[data-slide][data-shown]', { hasText: 'Winter market' });
  await soon(() => market.count()).toBe(1);
  expect(await market.getAttribute('data-layout')).toBe('beside');
  const { shown } = await eve.read(`announcement/${(await eve.read('announcement?q=roof')).items[0].id}`);
  expect(shown).toEqual([{ day: '2026-11-21', screen: 'Bar', times: expect.any(Number) }]);
  expect(thrown).toEqual([]);
});

const shownSlide = (page: Page) => page.locator('[data-slide][data-shown]');

test('a preview shows that the screen is off at the time that it is asked for', async () => {
  await using service = await listeningService();
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const { code } = (await service.post('/api/screens/pairings', {})).json();
  const { id } = (await service.post('/api/admin/screens', { code, name: 'Bar' }, tom)).json();
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const off_hours = Object.fromEntries(days.map((day) => [day, [{ from: '02:00', to: '10:00' }]]));
  const page = await (await openDevice(await sharedBrowser(), service.origin)).newPage();
  const preview = async (off_shows: string, time: string) => {
    await patchScreen(service, tom, id, { off_hours, off_shows });
    await page.goto(`/tv?screen=${id}&preview&at=2026-11-21T${time}:00.000-05:00`);
    await page.locator('body[data-layout]').waitFor();
    await expect.poll(() => page.locator('[data-clock=time]').textContent()).toContain(time.slice(1, 2));
  };
  const cover = page.locator('[data-rest]');
  await preview('black', '07:00');
  await expect.poll(() => cover.innerText()).toBe('Off');
  await preview('clock', '07:00');
  await expect.poll(() => cover.innerText()).toMatch(/^7:0\d AM$/);
  await preview('dim', '07:00');
  await expect.poll(() => page.locator('[data-note]').innerText()).toBe('Off at this time');
  expect(await page.locator('body[data-dim]').count()).toBe(1);
  await preview('black', '11:00');
  expect(await cover.isVisible()).toBe(false);
  expect(await page.locator('[data-note]').isVisible()).toBe(false);
});
