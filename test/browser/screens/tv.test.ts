import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { startPictureHost } from '#test/stand-ins/picture-host.ts';
import {
  event,
  file,
  number,
  onTv,
  record,
  relation,
  text,
  tick,
  when,
} from '#test/stand-ins/pub-workspace.ts';
import { NOON, type TestApp, testApp } from '#test/support/app.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab } from '#test/support/browser/browser-service.ts';
import { editorAt } from '#test/support/content.ts';
import { CuttableProxy } from '#test/support/cuttable-proxy.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';
import { showSlides } from './tv-measure.ts';

// The clock of the tests is stopped at Sat, Nov 21, 2026, noon in New York (UTC-5).
const at = (time: string) => `2026-11-21T${time}:00.000-05:00`;
const SCREEN = { viewport: { width: 1920, height: 1080 } };
const STAFF = { 'x-admin-token': 'the token of the staff' };

let browser: Browser;
let pub: Pub;
let port: number;
/** Errors in the scripts of any screen. */
const thrown: string[] = [];
/** Pending requests of screens. */
const asked = new Set<Request>();

beforeAll(async () => {
  browser = await sharedBrowser();
  const ada = record('Ada Lovelace', { Active: tick(), 'Meet your Tender': tick() });
  const slide = (name: string, more: Parameters<typeof record>[1]) =>
    record(name, { ...onTv, Duration: number(5), ...more });
  pub = await startPub(
    {
      events: [
        event('Quiz night', at('12:30'), {}, at('13:30')),
        event('Band', at('20:00'), {}, at('22:00')),
      ],
      announcements: [
        slide('Winter ale is on', { Content: text('Five weeks in oak.') }),
        // Its picture cannot be loaded.
        slide('Broken poster', { Image: file('http://127.0.0.1:9/poster.png') }),
      ],
      tenders: [ada],
      shifts: [record('Saturday', { Shift: when(at('11:00'), at('18:00')), Tenders: relation(ada.id) })],
    },
    { PUB_ADMIN_TOKEN: STAFF['x-admin-token'], NOW_SHOWING_ENABLED: 'on' },
  );
  port = await listen(pub.service);
  // With a BASE_URL the service draws a QR code once, and not for each request.
  pub.service.ctx.config.BASE_URL = 'https://publichouse.club.example';
  await pub.refresh();
  expect((await pub.service.get('/api/events')).body).toMatch(/Quiz night.*Winter ale.*"name":"Ada"/s);
});
afterEach(() => closePages(browser));
afterAll(() => pub[Symbol.asyncDispose]());
afterEach(() => expect(thrown).toEqual([]));

async function listen(service: TestApp): Promise<number> {
  return Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port);
}

/** Opens a screen whose clock only the test moves. */
async function openScreen(origin: string, address: string, more: BrowserContextOptions = {}): Promise<Page> {
  const page = await openTab(browser, origin, { ...SCREEN, ...more });
  page.on('pageerror', (error) => thrown.push(error.message));
  asked.clear();
  // The stream stays open and is not counted.
  page.on('request', (request) => request.resourceType() !== 'eventsource' && asked.add(request));
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  await page.clock.install({ time: pub.service.clock.now - MINUTE });
  await page.clock.pauseAt(pub.service.clock.now);
  // Moving the clock would make pending requests time out.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  await page.goto(address);
  return page;
}

/**
 * Moves the clocks of the service and the screen, and waits for the requests of the screen. It waits for earlier ones
 * first: an answer between the two moves would set the screen's clock too far ahead.
 */
async function pass(page: Page, ms: number, service: TestApp = pub.service): Promise<void> {
  const pending = () => [...asked].map((request) => request.url());
  await expect.poll(pending).toEqual([]);
  service.clock.now += ms;
  await page.clock.fastForward(ms);
  await expect.poll(pending).toEqual([]);
}

/** Polls, and moves the clock of the screen by a tenth of a second each time. */
function soon<T>(page: Page, look: () => T | Promise<T>) {
  return expect.poll(async () => {
    await page.clock.runFor(100);
    return look();
  });
}

const programme = (page: Page) => page.locator('[data-rows=today] li:visible').allInnerTexts();
const slideShown = (page: Page) => page.locator('[data-slide][data-shown] h1').innerText();
const noteOf = (page: Page) => page.locator('[data-note]').innerText();

test('a browser that cannot run the modules shows today from the server, says so, and loads it again', async () => {
  pub.service.clock.now = NOON;
  const origin = `http://127.0.0.1:${port}`;
  const written = /Saturday, November 21.*12:30 PM.*Quiz night.*until 1:30 PM.*11:00 AM – 6:00 PM.*Ada/s;
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
  const { width, height } = (await shown.boundingBox()) ?? { width: 0, height: 1 };
  expect(width / height).toBeCloseTo(3 / 4, 1);

  // Under a tall foot they take turns anyway, so the slides keep their space.
  const frame = page.locator('[data-frame][data-crowded]');
  expect(await frame.count()).toBe(1);
  await page.locator('[data-foot]').evaluate((foot) => {
    foot.style.minHeight = '26vh';
  });
  await soon(page, async () => (await programme(page)).length).toBeLessThan(hours.length);
  expect(await frame.count()).toBe(0);
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
  const code = page.locator('[data-slide][data-shown] [data-part=qr]');
  await soon(page, () => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await expect.poll(turn).toBe('Winter ale is on');
  seen.delete('Public House');
  expect([...seen].sort()).toEqual(['Ada', 'What’s on', 'Winter ale is on']);
  const beat = page.waitForRequest('**/api/screens/heartbeat');
  await pass(page, 70 * SECOND);
  expect((await beat).postDataJSON()).toMatchObject({ failedPictures: 1 });

  await pass(page, NOON - pub.service.clock.now);
  await soon(page, () => programme(page)).toEqual([
    expect.stringMatching(/Next\s+Quiz night\s+in 30 min/),
    expect.stringMatching(/^8:00 PM\s+Band/),
  ]);
  await soon(page, () => page.locator('.tv-foot').innerText()).toMatch(
    /11:00 AM – 6:00 PM\s+Open until 6:00 PM.*Ada/s,
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

test('a whole round with urgent announcements shows every slide, also while the feed changes', async () => {
  await using service = await testApp({
    NOW_SHOWING_ENABLED: 'on',
    NOW_PLAYING_SSE_MAX_CONNECTION_MS: '86400000',
    RATE_LIMIT_GENERAL: '10000',
    RATE_LIMIT_ADMIN: '10000',
  });
  service.clock.now = pub.service.clock.now = NOON;
  const origin = `http://127.0.0.1:${await listen(service)}`;
  service.ctx.config.BASE_URL = 'https://publichouse.club.example';
  const eve = await editorAt(service);
  const says = (title: string, priority = 'normal') =>
    eve.publish('announcement', { title, priority, seconds: 5 });
  const names = ['Book club', 'Choir', 'Darts', 'Ferry', 'House band', 'Lost keys', 'Pies', 'Raffle', 'Roof'];
  const tenders = ['Ann Byrne', 'Bo Lee', 'Cy Ng', 'Di Fox'];
  await says('Vote today', 'urgent');
  for (const name of names) await says(name);
  for (const name of tenders) await eve.publish('tender', { full_name: name, meet: true });
  const page = await openScreen(origin, '/tv', { serviceWorkers: 'block' });

  /** @returns the titles in the order they were shown, until one of them is shown for the nth time */
  const watchUntil = async (last: string, times: number) => {
    const shown: string[] = [];
    for (let second = 0; second < 300 && shown.filter((one) => one === last).length < times; second++) {
      await pass(page, SECOND, service);
      const title = await slideShown(page);
      if (title !== shown.at(-1)) shown.push(title);
    }
    return shown.join(', ');
  };
  await watchUntil('Vote today', 1);
  expect(await watchUntil('Di', 1)).toBe(
    [
      ...['Vote today', ...names.slice(0, 4), 'Vote today', ...names.slice(4, 8)],
      ...['Vote today', 'Roof', ...['Ann', 'Bo', 'Cy'], 'Vote today', 'Di'],
    ].join(', '),
  );

  // A slide that comes and one that goes while a copy of the urgent one is shown do not start the round anew.
  await watchUntil('Vote today', 2);
  await says('Meeting');
  const { items } = await eve.read('announcement?q=Choir');
  await eve.post(`announcement/${items[0].id}/remove`, { version: 1 });
  expect(await watchUntil('Di', 1)).toBe(
    [
      ...['Vote today', 'Lost keys', 'Meeting', 'Pies', 'Raffle'],
      ...['Vote today', 'Roof', ...['Ann', 'Bo', 'Cy'], 'Vote today', 'Di'],
    ].join(', '),
  );
});

test('a screen survives losing the network, also when it is reloaded offline', async () => {
  pub.service.clock.now = NOON;
  await using proxy = await CuttableProxy.to(`http://127.0.0.1:${port}`);
  const page = await openScreen(proxy.origin, '/tv');
  await soon(page, () => programme(page)).toHaveLength(2);
  await soon(page, () => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await soon(page, () => noteOf(page)).toBe('');
  const [last = '', kept] = await page.evaluate(async () => {
    const { slides } = await (await fetch('/api/events')).json();
    const code = slides.find(({ type }: { type: string }) => type === 'tender').qrImageUrl;
    const pictures = await caches.open('tv-pictures');
    const drawn = await (await fetch(code)).blob();
    for (let count = 0; count < 60; count++) await pictures.put(`${code}&n=${count}`, new Response(drawn));
    for (const count of [60, 61]) await (await fetch(`${code}&n=${count}`)).blob();
    return [`${code}&n=61`, (await pictures.keys()).length] as const;
  });
  expect(kept).toBe(60);

  proxy.connectTo(undefined);
  proxy.cut();
  // The body is read, because a request with an unread response never counts as finished.
  const picture = await page.evaluate(async (address) => (await (await fetch(address)).blob()).size, last);
  expect(picture).toBeGreaterThan(0);
  await pass(page, 95 * SECOND);
  await soon(page, () => noteOf(page)).toBe('Offline since 12:00 PM');
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

test('a new build is loaded once, between two slides', async () => {
  pub.service.clock.now = NOON;
  await using proxy = await CuttableProxy.to(`http://127.0.0.1:${port}`);
  const page = await openScreen(proxy.origin, '/tv');
  await soon(page, () => programme(page)).toHaveLength(2);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });

  const next = await pub.restart();
  next.clock.now = pub.service.clock.now;
  next.ctx.version = 'the next one';
  port = await listen(next);
  proxy.connectTo(`http://127.0.0.1:${port}`);
  proxy.cut();
  const build = async () => {
    await pass(page, 20 * SECOND, next);
    return page.locator('body').getAttribute('data-build');
  };
  await expect.poll(build).toMatch(/^the next one/);
  await soon(page, () => programme(page)).toHaveLength(2);
  for (let minute = 0; minute < 5; minute++) await pass(page, MINUTE, next);
  expect(loads).toBe(1);

  // It also reloads each night, a little after five, but not while the pub is open.
  const early = ['05:00', '05:45'].map((time) => at(time).replace('-21T', '-22T'));
  pub.pages('shifts').push(record('Sunday', { Shift: when(early[0]!, early[1]!) }));
  await pass(page, (16 * 60 + 30) * MINUTE, next);
  // So large a step of the clock makes slides late, which is another reason.
  for (let minute = 0; minute < 3; minute++) await pass(page, MINUTE, next);
  await pub.refresh();
  await pass(page, 42 * MINUTE, next);
  for (let minute = 0; minute < 3; minute++) await pass(page, MINUTE, next);
  const reason = () =>
    page.evaluate(() => JSON.parse(sessionStorage.getItem('tv:reloaded') ?? '{}').reason as string);
  expect(await reason()).not.toBe('the night');
  await pass(page, 20 * MINUTE, next);
  const later = async () => {
    await pass(page, 20 * SECOND, next);
    return reason();
  };
  await expect.poll(later).toBe('the night');
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
