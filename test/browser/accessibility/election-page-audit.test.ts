import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { link, title, words } from '#test/browser/voting/election-steps.ts';
import { NARROW } from '#test/support/browser/accessible.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK, listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { type EveryElectionPage, everyElectionPage } from './every-election-page.ts';
import { auditPages, SMALL } from './page-audit.ts';

/** For dozens of pages on a slow machine. */
const LONG = { timeout: 900_000 };

let browser: Browser;
let service: EveryElectionPage;

beforeAll(async () => {
  browser = await sharedBrowser();
  service = await everyElectionPage();
});
afterEach(() => closePages(browser));
afterAll(() => service[Symbol.asyncDispose]());

test(
  'every voter’s page is accessible: in light and dark, small, enlarged, by touch and by keyboard',
  LONG,
  async () => {
    expect(await auditPages(browser, service.voter, service.origins, SMALL)).toEqual([]);
  },
);

test(
  'every officer’s page is accessible: in light and dark, small, enlarged, by touch and by keyboard',
  LONG,
  async () => {
    expect(await auditPages(browser, service.officer, service.origins, DESK)).toEqual([]);
  },
);

test('on the narrowest phone the officers’ navigation is one row, scrolled to the current page', async () => {
  const page = await openTab(browser, service.origins[0] ?? '', { viewport: NARROW });
  await page.goto('/admin/audit-logs');
  const current = page.locator('.site-nav [aria-current]');
  const edges = () =>
    current.evaluate((link) => {
      const { left, right } = link.getBoundingClientRect();
      return left >= 0 && right <= innerWidth;
    });
  await expect.poll(edges).toBe(true);
  expect((await page.locator('.site-nav').boundingBox())?.height).toBe(44);
});

test('on the narrowest phone the menu opens by keyboard, without script, and its links work', async () => {
  const page = await openTab(browser, service.origins[0] ?? '', {
    viewport: NARROW,
    javaScriptEnabled: false,
  });
  await page.goto('/');
  expect((await page.locator('.site-header').boundingBox())?.height).toBeLessThan(72);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const first = page.locator('.menu-pages a').first();
  await first.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await title(page, 'What’s on').waitFor();
});

test('an error page says in plain words what to do next', async () => {
  await using small = await listeningService({ RATE_LIMIT_GENERAL: '1' });
  const page = await openTab(browser, small.origin);
  await page.goto('/e/nothing');
  expect(await words(page)).toContain('The link may be incomplete, or what it pointed to was removed.');
  await page.goto('/e/nothing');
  const text = await words(page);
  expect(text).toContain('Nothing is lost.');
  expect(text).toMatch(
    /You can try again in (60|[1-5]?\d) seconds\. Load this page again then, at \d+:\d\d [AP]M/,
  );
  await link(page, 'To the front page').click();
  await title(page, 'Elections and results').waitFor();
});
