import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { link, title, words } from '#test/browser/voting/election-steps.ts';
import { NARROW } from '#test/support/browser/accessible.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { findMisfits } from '#test/support/browser/misfits.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { shared } from '#test/support/shared-app.ts';

const service = shared(async () => {
  const opened = await listeningService();
  return Object.assign(opened, { owner: await appoint(opened, 'olga@club.example', 'owner') });
});
let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

test('on the narrowest phone the officers’ navigation is seen whole, and the key / opens the search', async () => {
  const { origin, owner } = await service();
  const page = await openTab(browser, origin, { viewport: NARROW, extraHTTPHeaders: owner });
  await page.goto('/admin/audit-logs');
  const outside = await page
    .locator('.site-nav a')
    .evaluateAll((links) =>
      links
        .filter(
          (one) => one.getBoundingClientRect().left < 0 || one.getBoundingClientRect().right > innerWidth,
        )
        .map(({ textContent }) => textContent),
    );
  expect(outside).toEqual([]);
  await page.keyboard.press('/');
  await title(page, 'Search').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('olga/');
  expect(await page.getByRole('searchbox').inputValue()).toBe('olga/');
});

test('Escape folds what the focus is in, on pages of officers', async () => {
  const { origin, owner } = await service();
  const page = await openTab(browser, origin, { extraHTTPHeaders: owner });
  await page.goto('/admin/pub/roles');
  const fold = page.locator('main details').first();
  const summary = fold.locator('summary');
  await page.keyboard.press('Escape');
  await summary.focus();
  await page.keyboard.press('Enter');
  await fold.locator('.fold').waitFor();
  await page.keyboard.press('Tab');
  expect(await summary.evaluate((node) => node === document.activeElement)).toBe(false);
  await page.keyboard.press('Escape');
  await fold.locator('.fold').waitFor({ state: 'hidden' });
  expect(await summary.evaluate((node) => node === document.activeElement)).toBe(true);
});

test('on the narrowest phone the menu opens by keyboard, without script, and its links work', async () => {
  const page = await openTab(browser, (await service()).origin, {
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

test.each(['Mitgliederversammlung', 'Jahreshauptversammlung'])(
  'the title %s and its place are whole on the narrowest phone',
  async (long) => {
    const { origin, post, owner } = await service();
    const meeting = { title: long, held_at: '2026-12-01T19:00', place: 'Vereinsbibliothek' };
    const { id } = (await post('/admin/meetings', meeting)).json();
    const page = await openTab(browser, origin, { viewport: NARROW, extraHTTPHeaders: owner });
    for (const path of [`/m/${id}`, '/admin/meetings']) {
      await page.goto(path);
      await page.getByText('Vereinsbibliothek').first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      expect([path, await page.evaluate(findMisfits, false)]).toEqual([path, []]);
    }
  },
);

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
  await title(page, 'Public House').waitFor();
});
