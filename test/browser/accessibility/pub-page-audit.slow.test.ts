import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab } from '#test/support/browser/browser-service.ts';
import { type EveryPubPage, everyPubPage } from './every-pub-page.ts';
import { auditPages, SMALL } from './page-audit.ts';

const TV = { viewport: { width: 1920, height: 1080 }, serviceWorkers: 'block' } as const;

/** For dozens of pages on a slow machine. */
const LONG = { timeout: 900_000 };

let browser: Browser;
let service: EveryPubPage;

beforeAll(async () => {
  [browser, service] = await Promise.all([sharedBrowser(), everyPubPage()]);
});
afterEach(() => closePages(browser));
afterAll(() => service[Symbol.asyncDispose]());

test('every page of the pub and the calendar is accessible', LONG, async () => {
  expect(await auditPages(browser, service.patron, service.origins, SMALL)).toEqual([]);
});

test('the room of the staff is accessible', LONG, async () => {
  expect(await auditPages(browser, service.room, service.origins, SMALL)).toEqual([]);
});

test('every other page of the staff is accessible', LONG, async () => {
  expect(await auditPages(browser, service.staff, service.origins, SMALL)).toEqual([]);
});

test('every screen is accessible', async () => {
  const page = await openTab(browser, '', TV);
  await loadAxe(page);
  const problems: string[] = [];
  for (const { name, open } of service.screen) {
    await open(page);
    problems.push(...(await violations(page)).map((problem) => `${name}: ${problem}`));
  }
  expect(problems).toEqual([]);
});
