import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from '../support/accessible.ts';
import { launch } from '../support/browser.ts';
import { DESK, openTab } from '../support/browser-house.ts';
import { type EveryPage, everyPage } from './every-page.ts';

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

test.each(['voter', 'officer'] as const)('every %s page is accessible, light and dark', async (area) => {
  const page = await openTab(browser, '', { ...DESK, bypassCSP: true });
  const problems: string[] = [];
  for (const visit of house.visits.filter((one) => one.area === area)) {
    await visit.open(page);
    problems.push(...(await violations(page, visit.part)).map((text) => `${visit.name}, ${text}`));
  }
  expect(problems).toEqual([]);
});
