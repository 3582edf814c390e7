// What axe-core says of a page in light and in dark, and whether it fits a small screen and a finger.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const QUICK: RunOptions = { resultTypes: ['violations'], preload: false, iframes: false };
const ALL: RunOptions = {
  ...QUICK,
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** A scheme changes colours and nothing else. */
const COLOURS: RunOptions = {
  ...QUICK,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/** Violations on the page as it stands: every rule in light, those about colours in dark. `part` is a selector. */
export async function violations(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(`window.axe ?? (() => { ${AXE} })();0`);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await run(page, ALL, part);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await run(page, COLOURS, part);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light.map((text) => `light: ${text}`), ...dark.map((text) => `dark: ${text}`)];
}

/** Violations, sideways scrolling, and targets lower than 44 px among those that `targets` selects. */
export async function smallScreenProblems(page: Page, targets: string): Promise<string[]> {
  const found = await violations(page);
  const misfits = await page.evaluate((selector) => {
    const wide = document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : [];
    const low = [...document.querySelectorAll(selector)]
      .filter((element) => element.checkVisibility() && !element.closest('label.choice > *'))
      .filter((element) => element.getBoundingClientRect().height < 44)
      .map((element) => `low target ${element.outerHTML.slice(0, 100)}`);
    return [...wide, ...low];
  }, targets);
  return [...found, ...misfits];
}

async function run(page: Page, how: RunOptions, part: string): Promise<string[]> {
  const found = await page.evaluate(
    async ([at, options]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(at: string, how: RunOptions): Promise<AxeResults> };
      };
      return (await axe.run(at, options)).violations;
    },
    [part, how] as const,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
