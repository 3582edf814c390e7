import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK } from '#test/support/browser/browser-service.ts';
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
