// A form of officers and staff that is pressed twice on a slow line is done once, and the page shows what was made.

import { sql } from 'kysely';
import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { addPoll } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

const LATENCY_MS = 600;

interface Form {
  /** Where it is; `:open`, `:closed` and `:meeting` stand for ids. */
  on: string;
  action: string;
  enter?: Record<string, string>;
  /** The table that grows by one press, and by how much. */
  makes: [table: string, rows: number];
}

const FORMS: Form[] = [
  {
    on: '/admin/meetings/new',
    action: '/admin/meetings',
    enter: { title: 'AGM', held_at: '2026-12-04T19:00' },
    makes: ['meetings', 1],
  },
  {
    on: '/admin/elections/:open/codes',
    action: '/admin/elections/:open/tokens',
    makes: ['tokens', 5],
    enter: { count: '5' },
  },
  { on: '/admin/elections/:open/clone', action: '/admin/elections/:open/clone', makes: ['elections', 1] },
  {
    on: '/admin/elections/:closed/follow-up',
    action: '/admin/elections/:closed/follow-up',
    makes: ['elections', 1],
  },
  {
    on: '/admin/distribution-lists',
    action: '/admin/distribution-lists',
    enter: { name: 'Members' },
    makes: ['distribution_lists', 1],
  },
  { on: '/admin/meetings/:meeting/door', action: '/admin/meetings/:meeting/packs', makes: ['card_packs', 1] },
  {
    on: '/admin/meetings/:meeting/mails',
    action: '/admin/meetings/:meeting/event',
    makes: ['content_records', 1],
  },
  {
    on: '/admin/people/new',
    action: '/admin/people',
    enter: { name: 'Ann Doe' },
    makes: ['persons', 1],
  },
];

test('two presses on a slow line make one thing, whichever form it is', async () => {
  await using service = await listeningService();
  const olga = await appoint(service, 'olga@club.example', 'owner');
  const { id: open } = await addPoll(service, ['Ivy', 'Lee']);
  const { id: closed } = await addPoll(service, ['Tea', 'Cake']);
  await service.post(`/admin/elections/${closed}/close`, {}, olga);
  const { id: meeting } = (
    await service.post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' }, olga)
  ).json();
  const ids = (text: string) =>
    text.replaceAll(':open', open).replaceAll(':closed', closed).replaceAll(':meeting', meeting);
  const rows = (table: string) =>
    service.ctx.db.first(sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.compile(build))!.n;

  const page = await openTab(browser, service.origin, { extraHTTPHeaders: olga });
  const line = await page.context().newCDPSession(page);
  const made: [string, number][] = [];
  for (const { on, action, enter = {}, makes } of FORMS) {
    await page.goto(ids(on));
    const form = page.locator(`form[action="${ids(action)}"]`).first();
    // A form may be folded.
    await form.evaluate((element) => {
      for (let one = element.parentElement; one; one = one.parentElement)
        if (one instanceof HTMLDetailsElement) one.open = true;
    });
    for (const [name, value] of Object.entries(enter)) await form.locator(`[name="${name}"]`).fill(value);
    const before = rows(makes[0]);
    const slow = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
    await line.send('Network.emulateNetworkConditions', { ...slow, latency: LATENCY_MS });
    const button = form.locator('button').last();
    await button.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await button.boundingBox())!;
    const press = () => page.mouse.click(x + width / 2, y + height / 2);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    const answered = page.waitForEvent('domcontentloaded');
    await press();
    await sent;
    await press();
    await answered;
    await line.send('Network.emulateNetworkConditions', { ...slow, latency: 0 });
    made.push([action, rows(makes[0]) - before]);
  }
  expect(made).toEqual(FORMS.map(({ action, makes }) => [action, makes[1]]));
});

test('a page that is opened with Back and sent again makes nothing a second time', async () => {
  await using service = await listeningService();
  const olga = await appoint(service, 'olga@club.example', 'owner');
  const rows = () =>
    service.ctx.db.first(sql<{ n: number }>`SELECT count(*) AS n FROM meetings`.compile(build))!.n;
  const page = await openTab(browser, service.origin, { extraHTTPHeaders: olga });
  await page.goto('/admin/meetings/new');
  const fields = { title: 'AGM', held_at: '2026-12-04T19:00' };
  const send = async () => {
    const form = page.locator('form[action="/admin/meetings"]');
    for (const [name, value] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(value);
    await Promise.all([
      page.waitForURL(/\/admin\/meetings\/[\da-f-]{36}/),
      form.locator('button').last().click(),
    ]);
    return page.url();
  };
  const first = await send();
  await page.goBack();
  expect(await send()).toBe(first);
  expect(rows()).toBe(1);
  // What was changed before it is sent again is another request, and so is a page that is opened anew.
  await page.goBack();
  fields.title = 'EGM';
  expect(await send()).not.toBe(first);
  await page.goto('/admin/meetings/new');
  await send();
  expect(rows()).toBe(3);
});
