import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch } from '../support/browser.ts';
import { DESK, openTab } from '../support/browser-house.ts';
import { type EveryPage, everyPage } from './every-page.ts';

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
  'every %s page is accessible, light and dark',
  { timeout: 60_000 },
  async (area) => {
    const page = await openTab(browser, '', { ...DESK, bypassCSP: true });
    await page.addInitScript({ content: AXE });
    const problems: string[] = [];
    for (const visit of house.visits.filter((one) => one.area === area)) {
      await page.emulateMedia({ colorScheme: 'light' });
      await visit.open(page);
      problems.push(
        ...(await violations(page, ALL, visit.part)).map((text) => `${visit.name}, light: ${text}`),
      );
      await page.emulateMedia({ colorScheme: 'dark' });
      problems.push(
        ...(await violations(page, COLOURS, visit.part)).map((text) => `${visit.name}, dark: ${text}`),
      );
    }
    expect(problems).toEqual([]);
  },
);

async function violations(page: Page, how: RunOptions, part = 'html'): Promise<string[]> {
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
