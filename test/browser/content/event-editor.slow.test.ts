import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ListeningService,
  listeningService,
  PHONE,
  watch,
} from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { editorAt } from '#test/support/content.ts';
import { smallPicture, upload } from '#test/support/pictures.ts';

const openTab = keptTabs();
let service: ListeningService;
let eve: Awaited<ReturnType<typeof editorAt>>;

beforeAll(async () => {
  service = await listeningService();
  eve = await editorAt(service);
});
afterAll(() => service[Symbol.asyncDispose]());

async function openForm(path: string): Promise<Page> {
  const page = await openTab(service.origin, { ...PHONE, extraHTTPHeaders: eve.headers });
  await page.goto(path);
  return page;
}

test('typing updates the sentence and the next ten dates, which stay visible meanwhile, and saves nothing', async () => {
  const page = await openForm('/admin/content/event/new');
  const failures = watch(page.context(), service.origin);
  const panel = page.locator('[data-live-dates]');

  await page.getByLabel('Date', { exact: true }).fill('2026-12-08');
  await page.getByLabel('From', { exact: true }).fill('8pm');
  await panel.getByText('On December 8, 2026 at 8:00 PM.').waitFor();
  await page.getByLabel('Repeats').selectOption('weekly');
  await panel.getByText('Every Tuesday at 8:00 PM.').waitFor();
  expect(await panel.getByRole('listitem').count()).toBe(10);
  await page.getByLabel('From', { exact: true }).fill('25:00');
  await panel.getByText('is not a time of day').waitFor();
  expect(await panel.getByRole('listitem').count()).toBe(0);
  expect(await page.getByLabel('Day of the month', { exact: true }).isVisible()).toBe(false);

  expect((await eve.read('event')).total).toBe(0);
  // The 400 for invalid input is expected.
  expect(failures.filter((line) => !line.includes('400'))).toEqual([]);

  // The dates stay visible while a newer request replaces the one before.
  const from = page.getByLabel('From', { exact: true });
  await from.fill('8pm');
  await panel.getByText('Every Tuesday at 8:00 PM.').waitFor();
  const address = await panel.getAttribute('data-live-dates');
  const held = Promise.withResolvers<void>();
  let asked = 0;
  await page.route(
    ({ pathname }) => pathname === address,
    async (route) => {
      asked += 1;
      await held.promise;
      // The aborted one cannot be continued.
      await route.continue().catch(() => undefined);
    },
  );

  await from.fill('9pm');
  await expect.poll(() => asked).toBe(1);
  await from.fill('10pm');
  await expect.poll(() => asked).toBe(2);

  expect(await panel.isVisible()).toBe(true);
  held.resolve();
  await panel.getByText('Every Tuesday at 10:00 PM.').waitFor();
  await page.unrouteAll();
});

test('Ctrl+Enter saves a draft in a form that offers it, and does nothing in others', async () => {
  const page = await openForm('/admin/content/announcement/new');
  await page.getByText('Ctrl+Enter saves the draft').waitFor();
  await page.getByLabel('Title').fill('Quiz');
  await page.getByLabel('Text').fill('At eight.');

  await page.keyboard.press('Control+Enter');

  await page.getByText('Saved as a draft.').waitFor();
  expect((await eve.read('announcement')).items).toMatchObject([{ state: 'draft', body: { title: 'Quiz' } }]);
  await page.goto('/admin/content/announcement');
  await page.getByLabel('Search').focus();
  await page.keyboard.press('Control+Enter');
  expect(await page.locator('[data-save]').count()).toBe(0);
});

test('the preview shows a slide with its picture as on the main screen', async () => {
  const bytes = await smallPicture('#336699', 640, 360);
  const { id: picture } = (await upload(service, eve.headers, { bytes })).json();
  const event = {
    title: 'Big quiz',
    place: 'Pub',
    date: '2026-11-21',
    time: '20:00',
    end_time: '21:00',
    picture,
  };
  const id = await eve.publish('event', event);
  const page = await openForm(`/admin/content/event/${id}`);
  await page.locator('iframe').scrollIntoViewIfNeeded();
  const slide = page.frameLocator('iframe');

  await slide.getByRole('img', { name: 'The band on its stage' }).waitFor();
  expect(await slide.locator('article[data-shown]').getAttribute('data-layout')).toBe('above');
  await slide.getByText('8:00 PM – 9:00 PM').waitFor();
});
