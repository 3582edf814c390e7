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

/** The paths of the QR codes that a screen has stored. */
function storedCodes(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const kept = await (await caches.open('tv-pictures')).keys();
    return kept.map(({ url }) => new URL(url).pathname).filter((path) => path.includes('-qr/'));
  });
}
