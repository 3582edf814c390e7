import type { BrowserContext, Page, ViewportSize } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { addPlays } from '#test/stand-ins/plays.ts';
import { NOON } from '#test/support/app.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { sharedBrowser } from '#test/support/browser/browser.ts';
import {
  type ListeningService,
  listeningService,
  openDevice,
  openTab,
} from '#test/support/browser/browser-service.ts';
import { CuttableProxy } from '#test/support/cuttable-proxy.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { afterLast, shared } from '#test/support/shared-app.ts';
import { lineHeight, offCentre, shows, songs, state, sung, text } from './playing-page.ts';

const STAFF = { 'x-admin-token': 'a token of the staff' };
const ENV = { PUB_ADMIN_TOKEN: STAFF['x-admin-token'], NOW_SHOWING_ENABLED: 'on' };
const TV = { width: 1920, height: 1080 };
const NARROW = { width: 320, height: 700 };
const FERRY = { artist: 'The Lantern Ferry', title: 'Harbour Lights', duration_ms: 221_000 };
const VANCE = { artist: 'Marguerite Vance', title: 'Tell It to the Barman' };

const READ_AT = Date.now();

let service: ListeningService;
let proxy: CuttableProxy;
/** One browser context for the pages of a test. */
let device: BrowserContext;
/** Errors in the scripts of the pages. */
const errors: string[] = [];

const afterAllTests = afterLast();
beforeAll(async () => {
  service = await serviceWithRunningClock();
  afterAllTests(() => service[Symbol.asyncDispose]());
  proxy = await CuttableProxy.to(service.origin);
  afterAllTests(() => proxy[Symbol.asyncDispose]());
});
beforeEach(async () => {
  device = await openDevice(await sharedBrowser(), proxy.origin, { serviceWorkers: 'block' });
  device.on('weberror', (error) => errors.push(error.error().message));
});
afterEach(() => device.close());
afterEach(() => expect(errors.splice(0)).toEqual([]));

// The first test: no song was played before.
test('the right TV and the phone show each new song at once, also after their stream was cut or has stalled', async () => {
  await hears(FERRY);
  const [bar, phone] = [await open('/tv/bar-right', TV, 'with a clock to turn'), await open('/now')];
  for (const page of [bar, phone]) {
    await expect.poll(() => text(page, 'title')).toBe('Harbour Lights');
    await expect.poll(() => text(page, 'artist')).toBe('The Lantern Ferry');
    await expect.poll(() => text(page, 'length')).toBe('3:41');
  }
  // No heartbeat ever came: that is no matter of guests.
  for (const page of [bar, phone]) expect(await page.locator('body').innerText()).not.toMatch(/device/i);
  await posts({ heartbeat: true });
  await switches({ barRightDisplay: false });
  await expect.poll(() => state(bar)).toBe('idle');
  await switches({ barRightDisplay: true });
  await expect.poll(() => state(bar)).toBe('song');

  service.clock.now += MINUTE;
  await hears(VANCE);
  for (const page of [bar, phone]) {
    await expect.poll(() => text(page, 'title')).toBe('Tell It to the Barman');
    // Its duration is unknown.
    await expect.poll(() => shows(page, 'progress')).toBe(false);
  }
  await expect.poll(() => songs(phone)).toEqual(['Harbour Lights']);
  expect(await text(phone, 'said')).toBe('Now playing: Tell It to the Barman, Marguerite Vance');

  proxy.cut();
  await hears(FERRY);
  await expect.poll(() => text(bar, 'title')).toBe('Harbour Lights');
  // A song that has long ended is shown no more.
  service.clock.now += 10 * MINUTE + SECOND;
  await expect.poll(() => state(bar)).toBe('idle');

  proxy.silence();
  await hears(VANCE);
  await bar.clock.fastForward(76 * SECOND);
  await expect.poll(() => text(bar, 'title')).toBe('Tell It to the Barman');
});

test('lyrics follow the music, and jump when the device reports the position in the song', async () => {
  const lrc = '[00:00.00]one\n[04:00.00]two\n[04:00.80]three\n[10:00.00]\n[59:00.00]four';
  await service.request({
    method: 'PUT',
    url: '/api/admin/now-playing/lyrics',
    headers: STAFF,
    payload: { ...FERRY, lrc },
  });
  await switches({ barRightLyrics: true, projectorLyrics: true });
  const override = { mode: 'generic', label: 'Quiz night' };
  expect((await service.post('/api/admin/now-showing', override, STAFF)).statusCode).toBe(200);
  const screens = [
    await open('/tv/bar-right', TV),
    await open('/tv/projector', TV),
    await open('/now', NARROW, 'to be audited'),
  ];
  const [bar, projector, phone] = screens as [Page, Page, Page];
  await expect.poll(() => state(projector)).toBe('showing');
  expect(await projector.locator('[data-show=showing-title]').textContent()).toBe('Quiz night');

  // Without heartbeats of the device the song would end after its duration.
  await posts({ heartbeat: true });
  const { id } = await hears(FERRY);
  for (const page of screens) await expect.poll(() => sung(page)).toBe('one');
  expect([await state(bar), await state(projector)]).toEqual(['lyrics', 'lyrics']);
  // Just before the line begins.
  await tells({ trackId: id, offsetMs: 4 * MINUTE - 300, confidence: 0.9 });
  for (const page of screens) await expect.poll(() => sung(page)).toBe('three');
  for (const page of screens) await expect.poll(() => offCentre(page)).toBeLessThan(4);
  expect(await lineHeight(projector)).toBeGreaterThanOrEqual(1080 * 0.065);

  await tells({ trackId: id, offsetMs: 13 * MINUTE, confidence: 0.3 });
  await tells({ trackId: id, offsetMs: 11 * MINUTE, confidence: 0.8 });
  for (const page of screens) await expect.poll(() => sung(page)).toBe('· · ·');
  expect(await violations(phone)).toEqual([]);

  await switches({ projectorLyrics: false });
  await expect.poll(() => state(projector)).toBe('showing');
  expect(await sung(bar)).toBe('· · ·');
  await switches({ barRightLyrics: false });
  await expect.poll(() => state(bar)).toBe('song');
  await expect.poll(() => shows(phone, 'lyrics')).toBe(false);
});

test('pages recover from a restart of the service, and from a time when it refuses their streams', async () => {
  const folder = tempFolder();
  const again = (env = {}) => serviceWithRunningClock({ DATABASE_URL: `file:${folder}/service.db`, ...env });
  const before = service;
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]();
    service = before;
    proxy.connectTo(service.origin);
  });
  service = await again();
  proxy.connectTo(service.origin);
  await hears(FERRY);
  const pages = [await open('/tv/bar-right', TV, 'with a clock to turn'), await open('/now')];
  for (const page of pages) await expect.poll(() => text(page, 'title')).toBe('Harbour Lights');

  proxy.connectTo(undefined);
  await service[Symbol.asyncDispose]();
  service = await again({ SETLIST_DB: 'off' });
  proxy.connectTo(service.origin);
  for (const page of pages) {
    let refusals = 0;
    page.on('response', (answer) => {
      if (answer.url().endsWith('/current') && answer.status() === 503) refusals += 1;
    });
    await nudge(page);
    await expect.poll(() => refusals).toBeGreaterThan(0);
  }
  await device.clock.fastForward(11 * SECOND);
  // The last known state stays; the phone says that it may be old.
  const [bar, phone] = pages as [Page, Page];
  await expect.poll(() => shows(phone, 'lost')).toBe(true);
  expect([await state(bar), await text(bar, 'title')]).toEqual(['song', 'Harbour Lights']);
  expect(await text(phone, 'title')).toBe('Harbour Lights');

  await service[Symbol.asyncDispose]();
  service = await again();
  await hears(VANCE);
  proxy.connectTo(service.origin);
  for (const page of pages) {
    await nudge(page);
    await expect.poll(() => text(page, 'title')).toBe('Tell It to the Barman');
  }
  await expect.poll(() => shows(phone, 'lost')).toBe(false);
});

const evening = shared(async () => {
  const living = await serviceWithRunningClock();
  const rows = Array.from({ length: 70 }, (_, index) => ({
    artist: 'Haversack',
    title: `Song ${70 - index}`,
    started_at: living.clock.now - index * 20 * MINUTE,
  }));
  await addPlays(living.ctx, rows);
  return living;
});
test.each([true, false])(
  'the history is paged backwards, grouped by evening (script: %s)',
  async (javaScriptEnabled) => {
    const { origin } = await evening();
    const page = await openTab(await sharedBrowser(), origin, { javaScriptEnabled, viewport: NARROW });
    onTestFinished(() => page.context().close());
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto('/now');
    expect(await text(page, 'title')).toBe('Song 70');
    expect(await songs(page)).toHaveLength(29);
    expect(await page.locator('[data-evening] h3').allTextContents()).toEqual(['Tonight', 'Fri, Nov 20']);

    const link = page.getByRole('link', { name: 'Show earlier' });
    // The stream announces its first song in the same place as the count.
    if (javaScriptEnabled)
      await expect.poll(() => text(page, 'said')).toBe('Now playing: Song 70, Haversack');
    await link.click();
    if (javaScriptEnabled) {
      await expect.poll(() => songs(page)).toHaveLength(59);
      await link.click();
      await expect.poll(() => songs(page)).toHaveLength(69);
      expect(await text(page, 'said')).toBe('10 earlier songs shown');
      expect(await page.locator('[data-evening] h3').allTextContents()).toEqual(['Tonight', 'Fri, Nov 20']);
    } else {
      await page.getByRole('heading', { name: 'Played earlier' }).waitFor();
      expect((await songs(page))[0]).toBe('Song 40');
      await link.click();
      await page.getByText('Song 10', { exact: true }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Now playing' }).click();
      await expect.poll(() => text(page, 'title')).toBe('Song 70');
    }
    expect(await link.count()).toBe(javaScriptEnabled ? 0 : 1);
  },
);

test('with a fan-out engine and without the service, the connection counts as lost until the next ping', async () => {
  const page = await device.newPage();
  const ping = (ago: number) =>
    `event: ping\ndata: ${JSON.stringify({ ts: service.clock.now - ago, stored: true })}\n\n`;
  let pings = ping(10 * MINUTE);
  await page.route('**/api/now-playing/current', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: pings }),
  );
  await page.clock.install();
  const answered = page.waitForResponse('**/api/now-playing/current');
  await page.goto('/now');

  await answered;
  await page.clock.fastForward(11 * SECOND);
  await expect.poll(() => shows(page, 'lost')).toBe(true);
  pings += ping(0);
  await nudge(page);
  await expect.poll(() => shows(page, 'lost')).toBe(false);
});

/** Starts a service whose clock runs from noon (set when this file was loaded); tests can still move it. */
async function serviceWithRunningClock(env: Record<string, string> = {}): Promise<ListeningService> {
  const living = await listeningService({ ...ENV, ...env });
  let ahead = NOON - READ_AT;
  Object.defineProperty(living.clock, 'now', {
    get: () => Date.now() + ahead,
    set: (at: number) => {
      ahead = at - Date.now();
    },
  });
  return living;
}

async function open(
  path: string,
  viewport: ViewportSize = NARROW,
  how?: 'with a clock to turn' | 'to be audited',
): Promise<Page> {
  const page = await device.newPage();
  await page.setViewportSize(viewport);
  // Without jitter pages retry as early as they can.
  await page.addInitScript(() => {
    Math.random = () => 0;
  });
  if (how === 'to be audited') await loadAxe(page);
  if (how === 'with a clock to turn') await device.clock.install();
  await page.goto(path);
  return page;
}

async function posts(payload: object): Promise<{ id: number }> {
  const answer = await service.post('/api/now-playing/ingest', payload);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** The device reports a song that begins now. */
function hears(song: object): Promise<{ id: number }> {
  return posts({ ...song, started_at: isoTime(service.clock.now) });
}

async function tells(offset: object): Promise<void> {
  expect((await service.post('/api/now-playing/offset', offset)).statusCode).toBe(200);
}

async function switches(controls: object): Promise<void> {
  expect((await service.post('/api/admin/now-playing/controls', controls, STAFF)).statusCode).toBe(200);
}

/** Tells the page that the network is back, so that it retries at once. */
function nudge(page: Page): Promise<boolean> {
  return page.evaluate(() => dispatchEvent(new Event('online')));
}
