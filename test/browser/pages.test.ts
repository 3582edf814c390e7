import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch } from '../support/browser.ts';
import { listeningHouse, openTab, watch } from '../support/browser-house.ts';
import { type EveryPage, everyPage } from './every-page.ts';
import { sidewaysScrolling, smallTargets, unseenFocus } from './inspect.ts';
import { link, title, words } from './life.ts';

let browser: Browser;
let house: EveryPage;

beforeAll(async () => {
  browser = await launch();
  house = await everyPage();
});
afterAll(async () => {
  await browser.close();
  await house[Symbol.asyncDispose]();
});

test.each(['voter', 'officer'] as const)(
  'every %s page fits 320 px, shows the focus, and loads without a trouble',
  { timeout: 60_000 },
  async (area) => {
    const page = await openTab(browser, '', { viewport: { width: 320, height: 640 } });
    const troubles = watch(page.context(), house.origins);
    const problems: string[] = [];
    for (const visit of house.visits.filter((one) => one.area === area)) {
      await visit.open(page);
      // Closed parts have to fit as well.
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll('details')) fold.open = true;
      });
      // Leaving before the fonts are there would cut them off, and look like a trouble of the page.
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      const found = [
        ...(await sidewaysScrolling(page)),
        ...(area === 'voter' ? await smallTargets(page) : []),
        ...(await unseenFocus(page)),
        ...troubles.splice(0),
      ];
      problems.push(...found.map((problem) => `${visit.name}: ${problem}`));
    }
    expect(problems).toEqual([]);
  },
);

test('an error page says in plain words what to do next', async () => {
  await using small = await listeningHouse({ RATE_LIMIT_GENERAL: '1' });
  const page = await openTab(browser, small.origin);
  await page.goto('/e/nothing');
  expect(await words(page)).toContain('The link may be incomplete, or what it pointed to was removed.');
  await page.goto('/e/nothing');
  const text = await words(page);
  expect(text).toContain('Nothing is lost.');
  expect(text).toContain('You can try again in 60 seconds. Load this page again then');
  await link(page, 'To the front page').click();
  await title(page, 'Elections and results').waitFor();
});
