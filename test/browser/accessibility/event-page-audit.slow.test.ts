import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { type ListeningService, listeningService } from '#test/support/browser/browser-service.ts';
import { editorAt } from '#test/support/content.ts';
import { at, auditPages, form, SMALL } from './page-audit.ts';

let browser: Browser;
let service: ListeningService;

beforeAll(async () => {
  [browser, service] = await Promise.all([sharedBrowser(), listeningService()]);
});
afterEach(() => closePages(browser));
afterAll(() => service[Symbol.asyncDispose]());

test('every page of events is accessible', { timeout: 900_000 }, async () => {
  const eve = await editorAt(service);
  const long = 'unbreakable'.repeat(6);
  const body = { title: long, date: '2026-12-08', time: '20:00', rule: 'FREQ=WEEKLY', place: long };
  const changes = {
    '2026-12-15': { as: 'cancelled' },
    '2026-12-22': { as: 'changed', title: 'Big quiz' },
    '2026-12-23': { as: 'skipped' },
  };
  const id = await eve.publish('event', { ...body, changes });
  const url = `/admin/content/event/${id}`;
  const entered = { ...body, repeat: 'weekly', every: '2', weekdays: ['TU'] };
  await eve.post(`event/${id}/dates/2026-12-29`, { version: 1, scope: 'this', as: 'changed', title: long });
  const pages = [
    ...at(service, {
      events: '/admin/content/event',
      'new event': '/admin/content/event/new',
      'an event': url,
      'a date': `${url}/dates/2026-12-08`,
      'a cancelled date': `${url}/dates/2026-12-15`,
    }),
    form(service, 'dates checked', '/admin/content/event', { ...entered, check: 'true' }),
    form(service, 'event refused', '/admin/content/event', { ...entered, every: '0', time: '25:00' }),
    form(service, 'a date changed twice', `${url}/dates/2026-12-29`, {
      title: `Mine ${long}`,
      date: '2026-12-29',
      time: '8pm',
      version: '1',
      scope: 'this',
    }),
    form(service, 'unfit dates', `${url}/dates/2026-12-08`, {
      title: 'Quiz',
      date: '2026-12-09',
      time: '8pm',
      version: '2',
      scope: 'all',
    }),
  ];

  expect(
    await auditPages(browser, pages, [service.origin], { ...SMALL, extraHTTPHeaders: eve.headers }),
  ).toEqual([]);
});
