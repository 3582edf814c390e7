import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { startPictureHost } from '#test/stand-ins/picture-host.ts';
import { event, file, record, relation, tick, when } from '#test/stand-ins/pub-workspace.ts';
import { NOON } from '#test/support/app.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab } from '#test/support/browser/browser-service.ts';
import { CuttableProxy } from '#test/support/cuttable-proxy.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';
import { showSlides } from './tv-measure.ts';
import {
  at,
  listen,
  noteOf,
  openStoppedScreen,
  passTime,
  programme,
  SCREEN,
  STAFF,
  slideShown,
  soon,
  startEvening,
  thrown,
} from './tv-steps.ts';

let browser: Browser;
let pub: Pub;
let port: number;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ pub, port } = await startEvening());
});
afterEach(() => closePages(browser));
afterAll(() => pub[Symbol.asyncDispose]());
afterEach(() => expect(thrown).toEqual([]));

const openScreen = (origin: string, address: string, more: BrowserContextOptions = {}) =>
  openStoppedScreen(browser, origin + address, pub.service.clock, more);
const pass = (page: Page, ms: number) => passTime(page, ms, pub.service);

test('a browser that cannot run the modules shows today from the server, says so, and loads it again', async () => {
  pub.service.clock.now = NOON;
  const origin = `http://127.0.0.1:${port}`;
  const written = /Saturday, November 21.*12:30\sPM.*Quiz night.*until 1:30\sPM.*11:00\sAM – 6:00\sPM.*Ada/s;
  const without = await openTab(browser, origin, { ...SCREEN, javaScriptEnabled: false });
  await without.goto('/tv');
  expect(await without.locator('.tv-frame').innerText()).toMatch(written);
  expect(await (await without.request.get('/tv')).text()).toContain('<meta http-equiv="refresh"');

  for (const [isOld, line] of [
    [true, 'This browser is too old: use one from 2021 or later'],
    [false, 'The scripts of this page did not load'],
  ] as const) {
    const page = await openTab(browser, origin, { ...SCREEN, serviceWorkers: 'block' });
    await page.clock.install({ time: NOON });
    await page.route('**/tv/main.js', (route) => route.abort());
    if (isOld) await page.addInitScript(() => Reflect.deleteProperty(String.prototype, 'replaceAll'));
    await page.goto('/tv');
    expect(await page.locator('.tv-frame').innerText()).toMatch(written);
    await page.clock.fastForward(21 * SECOND);
    expect(await noteOf(page)).toBe(line);
    const again = page.waitForEvent('load');
    await page.clock.fastForward(MINUTE);
    await again;
  }
});

test('a browser that does not know the zone of the club shows its times as every other one', async () => {
  pub.service.clock.now = NOON;
  const page = await openTab(browser, `http://127.0.0.1:${port}`, { ...SCREEN, serviceWorkers: 'block' });
  const failed: string[] = [];
  page.on('pageerror', ({ message }) => failed.push(message));
  // As a browser does that is older than the name of a zone, or than a language.
  await page.addInitScript(() => {
    const Known = Intl.DateTimeFormat;
    class Older extends Known {
      static override supportedLocalesOf(): string[] {
        throw new RangeError('Incorrect locale information provided');
      }
      constructor(tag?: string, options: Intl.DateTimeFormatOptions = {}) {
        if (options.timeZone === 'America/New_York') throw new RangeError('Invalid time zone specified');
        if (location.pathname !== '/tv' && tag === 'en-US' && !options.hourCycle)
          throw new RangeError('Incorrect locale information provided');
        super(tag === 'en-GB' && location.pathname === '/tv' ? 'en-US' : tag, options);
      }
    }
    Intl.DateTimeFormat = Older as unknown as typeof Known;
  });
  for (const other of ['/s', '/tv/bar-right', '/tv/projector']) {
    await page.goto(other);
    await expect.poll(() => page.locator('[data-clock=time]').textContent()).toMatch(/^12:00/);
  }
  const beat = page.waitForRequest('**/api/screens/heartbeat');
  await page.goto('/tv');
  expect((await beat).postDataJSON()).toMatchObject({ unknownZone: true });
  await expect.poll(() => programme(page)).toHaveLength(2);
  await expect.poll(() => page.locator('[data-clock=time]').textContent()).toMatch(/^12:00\sPM$/);
  expect(await page.locator('[data-clock=date]').textContent()).toBe('Saturday, November 21');
  expect((await programme(page)).join(' ')).toMatch(/12:30\sPM.*8:00\sPM/s);
  expect(failed).toEqual([]);
});

test.each([false, true])('a club without the card is asked for none (sports: %s)', async (hasSports) => {
  const { config } = pub.service.ctx;
  pub.service.clock.now = NOON;
  const { settings } = config;
  config.settings = { ...settings, 'parts.big_screen': false, 'parts.sports': hasSports };
  const page = await openTab(browser, `http://127.0.0.1:${port}`, { ...SCREEN, serviceWorkers: 'block' });
  const missing: string[] = [];
  page.on('response', (answer) => answer.status() === 404 && missing.push(answer.url()));
  await page.goto('/tv');
  await expect.poll(() => programme(page)).toHaveLength(2);
  expect(missing).toEqual([]);
  config.settings = settings;
});

test('a portrait screen shows five events of today at once, and a photo of a person in its own shape', async () => {
  await using host = await startPictureHost();
  const photo = file(host.urlOf('a photo'));
  const ada = record('Ada', { Active: tick(), 'Meet your Tender': tick(), Photo: photo });
  const hours = ['13:00', '14:30', '16:00', '19:00', '21:00'];
  await using full = await startPub({
    events: hours.map((hour) =>
      event(`At ${hour}`, at(hour), {}, at(hour.replace(':00', ':50').replace(':30', ':50'))),
    ),
    tenders: [ada],
    shifts: [record('Saturday', { Shift: when(at('11:00'), at('18:00')), Tenders: relation(ada.id) })],
  });
  await full.refresh();
  const page = await openTab(browser, `http://127.0.0.1:${await listen(full.service)}`, {
    viewport: { width: 1080, height: 1920 },
    serviceWorkers: 'block',
  });
  await page.clock.install({ time: full.service.clock.now });
  await page.goto('/tv');
  await expect.poll(() => programme(page)).toHaveLength(hours.length);
  const shown = page.locator('[data-slide][data-shown][data-layout=tender] .tv-picture');
  await soon(page, () => shown.count()).toBe(1);
  const shape = async () => {
    const { width, height } = (await shown.boundingBox()) ?? { width: 0, height: 1 };
    return width / height;
  };
  await soon(page, shape).toBeCloseTo(3 / 4, 1);

  // Under a tall foot they are smaller; where they take turns anyway, the slides keep their space.
  const frame = page.locator('[data-frame][data-crowded]');
  expect(await frame.count()).toBe(1);
  const tall = (height: string) =>
    page
      .locator('[data-foot]')
      .evaluate((foot, minHeight) => Object.assign(foot.style, { minHeight }), height);
  await tall('26vh');
  await soon(page, () => page.locator('[data-day]').getAttribute('data-size')).toMatch(/small|least/);
  expect(await programme(page)).toHaveLength(hours.length);
  await tall('44vh');
  await soon(page, async () => (await programme(page)).length).toBeLessThan(hours.length);
  expect(await frame.count()).toBe(0);
});

test('tonight’s events stay while those of the week take turns', async () => {
  const coming = [22, 23, 24, 25].map((day) => event(`On ${day}`, at('19:00').replace('-21T', `-${day}T`)));
  const today = ['Open hearth and newspapers', 'Quiz: rivers, kings and cheese', 'The house band plays'];
  const hours = ['13:00', '15:00', '20:00'];
  await using full = await startPub({
    events: [...today.map((title, index) => event(title, at(hours[index]!), {}, at('23:00'))), ...coming],
    shifts: [record('Saturday', { Shift: when(at('11:00'), at('18:00')) })],
  });
  await full.refresh();
  const address = `http://127.0.0.1:${await listen(full.service)}/tv`;
  const page = await openStoppedScreen(browser, address, full.service.clock, { serviceWorkers: 'block' });
  await soon(page, () => programme(page)).toHaveLength(3);
  for (const [width, height] of [
    [1920, 1080],
    [1280, 720],
    [1080, 1920],
  ] as const) {
    await page.setViewportSize({ width, height });
    const seen = new Set<string>();
    for (let turn = 0; turn < 6 && seen.size < 4; turn++) {
      const week = page.locator('[data-rows=coming] li:visible .tv-what > :first-child');
      for (const title of await week.allInnerTexts()) seen.add(title);
      const rows = page.locator('[data-rows=today] li:visible .tv-what > :first-child');
      expect([width, await rows.allInnerTexts()]).toEqual([width, today]);
      await passTime(page, 12 * SECOND, full.service);
    }
    expect([...seen].sort()).toEqual(['On 22', 'On 23', 'On 24', 'On 25']);
  }
});

test('a screen through an evening: slides take turns, events become Next, Now and Done, the pub closes', async () => {
  pub.service.clock.now = NOON - 5 * MINUTE;
  const address = '/tv?screen=bar%20left&inset=8';
  const page = await openScreen(`http://127.0.0.1:${port}`, address, { serviceWorkers: 'block' });

  // A broken picture is skipped, and a tender is shown with a code.
  const seen = new Set<string>();
  const turn = async () => {
    await pass(page, 2 * SECOND);
    const title = await slideShown(page);
    seen.add(title);
    return title;
  };
  await expect.poll(turn).toBe('Winter ale is on');
  await expect.poll(turn).toBe('Ada');
  // Nobody has a picture, so their names have the whole slide.
  expect(await page.locator('[data-slide][data-shown]').getAttribute('data-layout')).toBe('crew');
  expect(await page.locator('[data-slide][data-shown] .tv-body').innerText()).toBe('Say hello');
  const code = page.locator('[data-slide][data-shown] [data-part=qr]');
  await soon(page, () => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await expect.poll(turn).toBe('Winter ale is on');
  seen.delete('Public House');
  expect([...seen].sort()).toEqual(['Ada', 'Winter ale is on']);
  // The code of a page for phones is in the corner of a slide that is about something else.
  const corner = page.locator('[data-slide][data-shown] [data-part=corner]');
  expect(await corner.innerText()).toMatch(
    /^What’s on\s+publichouse\.\u200bclub\.\u200bexample\/\u200bevents$/,
  );
  const beat = page.waitForRequest('**/api/screens/heartbeat');
  await pass(page, 70 * SECOND);
  expect((await beat).postDataJSON()).toMatchObject({ failedPictures: 1 });

  await pass(page, NOON - pub.service.clock.now);
  await soon(page, () => programme(page)).toEqual([
    expect.stringMatching(/Next\s+Quiz night\s+in 30 min/),
    expect.stringMatching(/^8:00 PM\s+Band/),
  ]);
  await soon(page, () => page.locator('.tv-foot').innerText()).toMatch(
    /Today\s+Open until 6:00\sPM\s+Behind the bar\s+Ada/,
  );
  await soon(page, () => page.locator('[data-clock=time]').innerText()).toBe('12:00 PM');

  await pass(page, 30 * MINUTE);
  await soon(page, () => programme(page)).toEqual([
    expect.stringMatching(/Now\s+Quiz night\s+until 1:30 PM/),
    expect.anything(),
  ]);
  await pass(page, 60 * MINUTE);
  await soon(page, () => programme(page)).toEqual([
    expect.stringMatching(/Done\s+Quiz night/),
    expect.anything(),
  ]);
  await pass(page, 10 * MINUTE);
  await soon(page, () => programme(page)).toEqual([expect.stringMatching(/Band/)]);

  const card = page.locator('[data-show=showing]');
  expect(await card.isVisible()).toBe(false);
  await pub.service.post('/api/admin/now-showing', { mode: 'movie', label: 'The Third Man' }, STAFF);
  await pass(page, 35 * SECOND);
  await soon(page, () => card.innerText()).toMatch(/On the big screen\s+The Third Man/);
  expect(await card.isVisible()).toBe(true);
  await pub.service.post('/api/admin/now-showing', { mode: 'off' }, STAFF);
  await pass(page, 35 * SECOND);
  await soon(page, () => card.isVisible()).toBe(false);

  expect(await page.locator('body[data-dim]').count()).toBe(0);
  await pass(page, 4 * 60 * MINUTE + 25 * MINUTE);
  await soon(page, () => page.locator('body[data-dim]').count()).toBe(1);
  await soon(page, () => page.locator('.tv-foot').innerText()).toContain('Closed for tonight');
  expect(
    await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--inset')),
  ).toBe('8');
  const { screens } = (await pub.service.get('/api/admin/screens', STAFF)).json();
  expect(screens).toContainEqual(
    expect.objectContaining({ screen: 'bar left', page: 'tv', current: true, viewport: '1920x1080' }),
  );

  // The frame moves along a small circle, one step a minute, but not with reduced motion.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const places: { x: number; y: number }[] = await page.evaluate(`(async () => {
    const script = document.querySelector('script[src*="tv/main"]').src;
    const { orbit } = await import(script.replace('tv/main', 'tv/screen'));
    return [0, 1, 2, 3, 4, 5, 6, 7, 8].map(orbit);
  })()`);
  // A hundredth of the height, however many pixels that is.
  expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(8);
  expect(places.map(({ x, y }) => Math.round(Math.hypot(x, y) / 2))).toEqual(places.map(() => 6));

  const place = () => page.locator('[data-frame]').evaluate((frame: HTMLElement) => frame.style.transform);
  const before = await place();
  await pass(page, MINUTE);
  await soon(page, place).not.toBe(before);
  // At once, not with the next step.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(place).toBe('translate(0px, 0px)');
});

test('a screen survives losing the network, also when it is reloaded offline', async () => {
  pub.service.clock.now = NOON;
  await using proxy = await CuttableProxy.to(`http://127.0.0.1:${port}`);
  const page = await openScreen(proxy.origin, '/tv');
  await soon(page, () => programme(page)).toHaveLength(2);
  await soon(page, () => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await soon(page, () => noteOf(page)).toBe('');
  const last = await page.evaluate(async () => {
    const { slides } = await (await fetch('/api/events')).json();
    const code = slides.find(({ type }: { type: string }) => type === 'tender').qrImageUrl;
    const pictures = await caches.open('tv-pictures');
    const drawn = await (await fetch(code)).blob();
    for (let count = 0; count < 60; count++) await pictures.put(`${code}&n=${count}`, new Response(drawn));
    for (const count of [60, 61]) await (await fetch(`${code}&n=${count}`)).blob();
    return `${code}&n=61`;
  });
  // Pictures are kept after they were shown.
  const kept = () => page.evaluate(async () => (await (await caches.open('tv-pictures')).keys()).length);
  await soon(page, kept).toBe(60);

  proxy.connectTo(undefined);
  proxy.cut();
  // The body is read, because a request with an unread response never counts as finished.
  const picture = await page.evaluate(async (address) => (await (await fetch(address)).blob()).size, last);
  expect(picture).toBeGreaterThan(0);
  await pass(page, 95 * SECOND);
  await soon(page, () => noteOf(page)).toBe('Offline since 12:00 PM');
  // Beside a longer name, or in a longer language, there is no space for it.
  const isOver = () =>
    page.evaluate(() => {
      const note = document.querySelector('[data-note]')!.getBoundingClientRect();
      return [...document.querySelectorAll('.tv-sign span, .tv-clock')].some((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < note.right && note.left < right && top < note.bottom && note.top < bottom;
      });
    });
  expect(await isOver()).toBe(false);
  await page.evaluate(() => {
    document.querySelector('.tv-sign span')!.textContent = 'Zum alten Kupferkessel am Markt';
  });
  await pass(page, SECOND);
  await soon(page, isOver).toBe(false);
  await pass(page, 30 * MINUTE);
  await soon(page, () => programme(page)).toEqual([
    expect.stringMatching(/Now\s+Quiz night/),
    expect.anything(),
  ]);

  await page.reload();
  await soon(page, () => programme(page)).toEqual([
    expect.stringMatching(/Now\s+Quiz night/),
    expect.anything(),
  ]);
  await soon(page, () => noteOf(page)).toBe('Offline since 12:00 PM');
  await soon(page, () => slideShown(page)).toBe('Winter ale is on');

  // After more than a week the clock of the device alone is not believed: no times until the service was heard.
  const clock = () => page.locator('[data-clock=time]').innerText();
  expect(await clock()).not.toBe('');
  await pass(page, 8 * DAY);
  await page.reload();
  await soon(page, () => page.locator('body[data-alive]').count()).toBe(1);
  expect([await clock(), await programme(page), await page.locator('.tv-foot').isVisible()]).toEqual([
    '',
    [],
    false,
  ]);

  // What is shown at any time is shown now too.
  await soon(page, () => slideShown(page)).toBe('Winter ale is on');

  proxy.connectTo(`http://127.0.0.1:${port}`);
  const noteLater = async () => {
    await pass(page, 10 * SECOND);
    return noteOf(page);
  };
  await expect.poll(noteLater).toBe('');
  await soon(page, clock).not.toBe('');
});

test('after 300 slides there are as many nodes and listeners as before', async () => {
  const page = await openTab(browser, `http://127.0.0.1:${port}`, {
    viewport: { width: 960, height: 540 },
    serviceWorkers: 'block',
  });
  // The slide show of the page is stopped meanwhile.
  await page.clock.install({ time: NOON - MINUTE });
  await page.clock.pauseAt(NOON + SECOND);
  await page.goto('/tv');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('tv:events'))).not.toBeNull();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const inspector = await page.context().newCDPSession(page);
  const counts = async () => {
    await inspector.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = await inspector.send('Memory.getDOMCounters');
    return { nodes, jsEventListeners };
  };
  const show = (changes: number) => showSlides(page, changes);

  // Afterwards every element has held a text once.
  await show(10);
  await show(10);
  const before = await counts();
  expect(await show(300)).toBe(5);
  expect(await counts()).toEqual(before);
});
