// What a screen has stored and measured when its first load was slow.
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab } from '#test/support/browser/browser-service.ts';
import { type Screens, usualScreens } from './tv-fixtures.ts';
import { readingProblems } from './tv-measure.ts';

const SCREEN = { viewport: { width: 1366, height: 768 }, serviceWorkers: 'block' } as const;
let browser: Browser;
let usual: Screens;

beforeAll(async () => {
  [browser, usual] = await Promise.all([sharedBrowser(), usualScreens()]);
});
afterAll(async () => {
  await closePages(browser);
  await usual[Symbol.asyncDispose]();
});

test('texts are fitted again when their fonts come late, and every QR code is cached for going offline', async () => {
  const page = await openTab(browser, usual.origin, SCREEN);
  const late: Route[] = [];
  let held = true;
  // The route stays: a request that is made while a route is removed may never be sent.
  await page.route('**/fonts/**', (route) => (held ? void late.push(route) : route.continue()));
  await page.goto('/tv', { waitUntil: 'commit' });
  await expect.poll(() => page.locator('[data-rows=today] li').first().isVisible()).toBe(true);
  held = false;
  for (const route of late) await route.continue();
  await expect
    .poll(() => page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').length))
    .toBeGreaterThan(2);
  await expect.poll(() => readingProblems(page)).toEqual([]);

  // Of the music, the requests, the events and two tenders: seconds after the first load.
  await expect.poll(async () => (await storedCodes(page)).length).toBe(5);
  expect(await storedCodes(page)).toContain('/api/image/link-qr/now');
});

test('a QR code whose request is never answered does not keep the other pictures from being stored', async () => {
  const page = await openTab(browser, usual.origin, SCREEN);
  // Without it, the page's clock decides when a request has taken too long.
  await page.addInitScript(() => Object.assign(AbortSignal, { timeout: undefined }));
  await page.clock.install();
  const asked: string[] = [];
  await page.route('**/api/image/tender-qr/**', (route) => void asked.push(route.request().url()));
  await page.goto('/tv');
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  const stored = async () => {
    await page.clock.runFor(SECOND);
    return (await storedCodes(page)).length;
  };
  await expect.poll(stored).toBe(3);
});

test('where the browser has no space left, the network is shown, and the oldest pictures give way', async () => {
  const page = await openTab(browser, usual.origin, { viewport: SCREEN.viewport });
  await page.goto('/tv');
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await expect.poll(async () => (await storedCodes(page)).length).toBe(5);
  const usage = await page.evaluate(async () => {
    const pictures = await caches.open('tv-pictures');
    for (const url of await pictures.keys()) await pictures.delete(url);
    for (let count = 0; count < 20; count++)
      await pictures.put(`/api/image/old/${count}`, new Response('x'.repeat(20_000)));
    return (await navigator.storage.estimate()).usage ?? 0;
  });
  const inspector = await page.context().newCDPSession(page);
  const quota = (quotaSize: number) =>
    inspector.send('Storage.overrideQuotaForOrigin', { origin: usual.origin, quotaSize });

  /** Asks for everything that a screen asks for. */
  const ask = () =>
    page.evaluate(async () => {
      const feed = await fetch('/api/events');
      const { slides, linkSlides } = await feed.json();
      const images = [...slides, ...linkSlides].flatMap(({ imageUrl, qrImageUrl }) => [imageUrl, qrImageUrl]);
      const asked = [...new Set(images.filter(Boolean))];
      const answers = await Promise.all(asked.map((url) => fetch(url).then(({ status }) => status)));
      const kept = (await (await caches.open('tv-pictures')).keys()).map(({ url }) => new URL(url).pathname);
      return { feed: feed.status, statuses: [...new Set(answers)], asked: asked.length, kept };
    });
  // There is space for pictures in place of others.
  await quota(usage + 2_000);
  const isKept = async () => {
    const { kept, ...shown } = await ask();
    expect(shown).toMatchObject({ feed: 200, statuses: [200] });
    return kept.filter((path) => !path.includes('/old/')).length === shown.asked;
  };
  await expect.poll(isKept).toBe(true);
  // There is none at all.
  await quota(1);
  expect(await ask()).toMatchObject({ feed: 200, statuses: [200] });
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  await page.reload();
  await expect.poll(() => page.locator('[data-rows=today] li').first().isVisible()).toBe(true);
  await expect.poll(() => page.locator('[data-part=qr]:not([hidden])').count(), { timeout: 60_000 }).toBe(1);
  expect(problems).toEqual([]);
});

/** The paths of the QR codes that a screen has stored. */
function storedCodes(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const kept = await (await caches.open('tv-pictures')).keys();
    return kept.map(({ url }) => new URL(url).pathname).filter((path) => path.includes('-qr/'));
  });
}
