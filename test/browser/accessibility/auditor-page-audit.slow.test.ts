import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { addElections } from '#test/browser/voting/election-fixtures.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK, listeningService } from '#test/support/browser/browser-service.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { at, auditPages } from './page-audit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

test('pages of an election are accessible when shown to an auditor, who may only read them', async () => {
  await using service = await listeningService({ ELECTIONS_NEED_ROLE: 'on' });
  const sample = await addElections(service);
  const auditor = await appoint(service, 'ada@club.example', 'auditor');
  const desk = (id: string) => `/admin/elections/${id}`;
  const pages = at(service, {
    dashboard: '/admin',
    lists: '/admin/distribution-lists',
    scheduled: desk(sample.scheduled),
    open: desk(sample.budget),
    codes: `${desk(sample.budget)}/codes`,
    invitations: `${desk(sample.budget)}/mails`,
    rules: `${desk(sample.budget)}/rules`,
    ranked: `${desk(sample.treasurer)}/ballot`,
  });
  expect(await auditPages(browser, pages, [service.origin], { ...DESK, extraHTTPHeaders: auditor })).toEqual(
    [],
  );
});
