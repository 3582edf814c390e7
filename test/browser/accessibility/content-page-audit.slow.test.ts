import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { type EveryContentPage, everyContentPage } from './every-content-page.ts';
import { auditPages, SMALL } from './page-audit.ts';

let browser: Browser;
let service: EveryContentPage;

beforeAll(async () => {
  [browser, service] = await Promise.all([sharedBrowser(), everyContentPage()]);
});
afterEach(() => closePages(browser));
afterAll(() => service[Symbol.asyncDispose]());

test('every page of the club’s own content is accessible', { timeout: 900_000 }, async () => {
  expect(await auditPages(browser, service.pages, service.origins, SMALL)).toEqual([]);
});
