import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch } from '../support/browser.ts';
import { ORIGIN, openHouse } from './house.ts';
import { everyPage } from './samples.ts';

const LONG =
  'Donaudampfschifffahrtsgesellschaftskapitän of the Committee for the Repair of the Skittle Alley';
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = everyPage(LONG);
let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test.each(['light', 'dark'] as const)(
  'every page is accessible at 320 px, %s',
  { timeout: 60_000 },
  async (colorScheme) => {
    const options = { viewport: { width: 320, height: 700 }, colorScheme, reducedMotion: 'reduce' } as const;
    const tab = await openHouse(browser, (path) => pages[decodeURIComponent(path.slice(1))], options);
    const problems: string[] = [];
    for (const name of Object.keys(pages)) {
      await tab.goto(`${ORIGIN}/${encodeURIComponent(name)}`);
      await tab.evaluate(`${axe};0`);
      const found = await tab.evaluate(async (tags) => {
        const run = (
          globalThis as unknown as {
            axe: { run(at: Document, how: object): Promise<{ violations: { id: string }[] }> };
          }
        ).axe;
        const { violations } = await run.run(document, { runOnly: tags });
        const wide = document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : [];
        const low = [
          ...document.querySelectorAll('.button, select, summary, input:not([type=hidden]), .choice'),
        ]
          .filter((element) => element.checkVisibility() && !element.closest('label.choice > *'))
          .filter(
            (element) => !element.matches('.choice input') && element.getBoundingClientRect().height < 44,
          );
        return [
          ...violations.map(({ id }) => id),
          ...wide,
          ...low.map((element) => `low target ${element.outerHTML}`),
        ];
      }, TAGS);
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    }
    expect(problems).toEqual([]);
  },
);
