import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch } from '../../support/browser.ts';
import { ORIGIN, openHouse } from '../house.ts';
import { everyOfficerPage } from './samples.ts';

const LONG =
  'Donaudampfschifffahrtsgesellschaftskapitän of the Committee for the Repair of the Skittle Alley';
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = everyOfficerPage(LONG);
let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test.each(['light', 'dark'] as const)(
  'every officer page is accessible at 320 px, %s',
  { timeout: 120_000 },
  async (colorScheme) => {
    const options = { viewport: { width: 320, height: 700 }, colorScheme, reducedMotion: 'reduce' } as const;
    const tab = await openHouse(browser, (path) => pages[decodeURIComponent(path.slice(1))], options);
    tab.on('dialog', (dialog) => void dialog.accept());
    const problems: string[] = [];
    for (const name of Object.keys(pages)) {
      await tab.goto(`${ORIGIN}/${encodeURIComponent(name)}`);
      await tab.evaluate(`${axe};0`);
      const rules: string[] = await tab.evaluate(
        `axe.run(document, { runOnly: ${JSON.stringify(TAGS)} }).then(({ violations }) => violations.map(({ id }) => id))`,
      );
      const wide = await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      const low = await tab.evaluate(() =>
        [...document.querySelectorAll('.button, select, summary, .input, .choice, .desk-nav a')]
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
          .map((element) => `low target ${element.outerHTML.slice(0, 100)}`),
      );
      problems.push(
        ...[...rules, ...(wide ? ['wider than the screen'] : []), ...low].map(
          (problem) => `${name}: ${problem}`,
        ),
      );
    }
    expect(problems).toEqual([]);
  },
);
