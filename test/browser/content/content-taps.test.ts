// Counts the taps of common edits on a phone. Typing a text, a number or a date counts as one tap into its field.
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type ListeningService,
  listeningService,
  PHONE,
  SCRIPT,
} from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { timersByHand } from '#test/support/browser/page-timers.ts';
import { editorAt } from '#test/support/content.ts';

const openTab = keptTabs();
let service: ListeningService;
let eve: Awaited<ReturnType<typeof editorAt>>;

beforeAll(async () => {
  service = await listeningService();
  eve = await editorAt(service);
});
afterAll(() => service[Symbol.asyncDispose]());
afterEach(async () => {
  for (const kind of ['event', 'special', 'roster', 'hours', 'tender']) {
    for (const { id, version } of (await eve.read(kind)).items)
      await eve.post(`${kind}/${id}/remove`, { version });
    expect((await eve.read(kind)).items).toEqual([]);
  }
});

/** Opens the first page of the content on a phone of 375 pixels. Its functions count the taps. */
async function openContent(options: object) {
  const page = await openTab(service.origin, { ...PHONE, ...options, extraHTTPHeaders: eve.headers });
  const open = async () => {
    await page.goto('/admin/content');
    return page;
  };
  let taps = 0;
  return {
    open,
    page,
    taps: () => taps,
    async tap(target: Locator) {
      taps += 1;
      await target.click();
    },
    async type(target: Locator, text: string) {
      taps += 1;
      await target.click();
      await target.fill(text);
    },
    async choose(target: Locator, value: string) {
      // One tap opens the list, one selects the line.
      taps += 2;
      await target.selectOption(value);
    },
  };
}

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test.each(SCRIPT)('“Quiz, every second Tuesday, 8 pm, until June” %s', async (name, options) => {
  const phone = await openContent(options);
  const page = await phone.open();

  await phone.tap(page.getByRole('link', { name: 'New event' }));
  await phone.type(field(page, 'Title'), 'Quiz');
  await phone.type(field(page, 'Date'), '2026-12-08');
  await phone.type(field(page, 'From'), '8pm');
  await phone.choose(field(page, 'Repeats'), 'weekly');
  await phone.type(field(page, 'Every so many'), '2');
  await phone.tap(page.getByText('On a date', { exact: true }));
  await phone.type(field(page, 'Last date'), '2027-06-30');
  const sentence = 'Every second Tuesday at 8:00 PM, until June 30, 2027.';
  if (name === 'with script') {
    const panel = page.locator('[data-live-dates]');
    await panel.getByText(sentence).waitFor();
    expect(await panel.getByRole('listitem').allInnerTexts()).toHaveLength(10);
    expect(await panel.getByRole('listitem').last().innerText()).toBe('Tue, Apr 13, 2027, 8:00\u00a0PM');
  }
  await phone.tap(page.getByRole('button', { name: 'Save and publish' }));

  await page.getByText('Published.').waitFor();
  await page.getByText(sentence).first().waitFor();
  expect(phone.taps()).toBe(10);
  await page.getByRole('link', { name: 'The next dates' }).click();
  await page.getByText(sentence).waitFor();
  expect(await page.locator('a[href*="/dates/"]').count()).toBe(10);
  expect((await eve.read('event')).items).toMatchObject([
    { state: 'published', body: { rule: 'FREQ=WEEKLY;INTERVAL=2', until: '2027-06-30', time: '20:00' } },
  ]);
});

test.each(SCRIPT)('“closed on 24 December” in three taps %s', async (_name, options) => {
  const phone = await openContent(options);
  const page = await phone.open();

  await phone.tap(page.getByRole('link', { name: 'Closed on a day' }));
  await phone.type(field(page, 'Day'), '2026-12-24');
  await phone.tap(page.getByRole('button', { name: 'Save and publish' }));

  await page.getByText('Published.').waitFor();
  expect(phone.taps()).toBe(3);
  expect((await eve.read('special')).items).toMatchObject([
    { state: 'published', body: { from: '2026-12-24', to: '2026-12-24', closed: true } },
  ]);
});

test.each(SCRIPT)('an editor sets who works tonight in two taps %s', async (_name, options) => {
  const phone = await openContent(options);
  const evening = [{ opens: '17:00', closes: '23:00' }];
  const ann = await eve.publish('tender', { full_name: 'Ann Doe' });
  await eve.publish('tender', { full_name: 'Bob Roe' });
  await eve.publish('hours', { from: '2026-01-01', week: { sat: evening } });
  const page = await phone.open();
  const tonight = page.getByRole('group', { name: /Tonight/ });
  expect(await tonight.innerText()).toContain('5:00\u00a0PM – 11:00\u00a0PM');

  await phone.tap(tonight.getByText('Ann Doe'));
  await phone.tap(page.getByRole('button', { name: 'Save who works' }));

  await page.getByText('Published.', { exact: true }).waitFor();
  expect(phone.taps()).toBe(2);
  expect(await tonight.getByLabel('Ann Doe').isChecked()).toBe(true);
  expect((await eve.read('roster')).items).toMatchObject([
    { state: 'published', body: { date: '2026-11-21', range: null, tenders: [ann] } },
  ]);
});

test('times such as 8pm, 21.00 and 20h are understood on save and while they are typed', async () => {
  const { page } = await openContent({});
  const timers = await timersByHand(page, 500);
  await page.goto('/admin/content/event/new');
  const panel = page.locator('[data-live-dates]');
  for (const [typed, shown] of [
    ['8pm', '8:00 PM'],
    ['21.00', '9:00 PM'],
    ['20h', '8:00 PM'],
    ['9:30 p.m.', '9:30 PM'],
  ] as const) {
    await field(page, 'From').fill(typed);
    await timers.fire();
    await panel.getByText(`On November 21, 2026 at ${shown}.`).waitFor();
  }
  await field(page, 'Title').fill('Quiz');
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await page.getByText('Saved as a draft.').waitFor();
  expect((await eve.read('event')).items).toMatchObject([{ body: { time: '21:30' } }]);
});
