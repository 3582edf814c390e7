import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ListeningService, listeningService, SCRIPT } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { appoint } from '#test/support/people/patrons.ts';

const openTab = keptTabs();
let service: ListeningService;
let owner: Record<string, string>;

beforeAll(async () => {
  service = await listeningService();
  owner = await appoint(service, 'olga@club.example', 'owner');
});
afterAll(() => service[Symbol.asyncDispose]());

const open = (options: object) => openTab(service.origin, { ...options, extraHTTPHeaders: owner });

test.each([
  ['/admin/settings#mail', '/admin/settings/mail#mail'],
  ['/admin/settings/club#mail-test', '/admin/settings/mail#mail-test'],
])('%s, an address of the page that had all settings, leads to %s', async (from, to) => {
  const page = await open(SCRIPT);
  await page.goto(from);
  await page.waitForURL((url) => url.pathname + url.hash === to);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Mail');
});

test('without script such an address shows the link to the page', async () => {
  const page = await open({ javaScriptEnabled: false, viewport: { width: 375, height: 300 } });
  await page.goto('/admin/settings#backups');
  const box = await page.locator('main').getByRole('link', { name: 'Backups', exact: true }).boundingBox();
  expect(box!.y).toBeGreaterThanOrEqual(-1);
  expect(box!.y + box!.height).toBeLessThanOrEqual(300);
});

test('the text of the accent and the field to pick a colour follow each other', async () => {
  const page = await open(SCRIPT);
  await page.goto('/admin/settings/look');
  const [text, picker] = [page.getByLabel('Accent', { exact: true }), page.locator('[type="color"]')];
  const usual = await picker.inputValue();

  await text.fill('#a06');
  expect(await picker.inputValue()).toBe('#aa0066');
  await text.fill('#a0');
  expect(await picker.inputValue()).toBe('#aa0066');
  await picker.fill('#336699');
  expect(await text.inputValue()).toBe('#336699');
  await text.fill('');
  expect(await picker.inputValue()).toBe(usual);

  await text.fill('#336699');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The settings were saved.').waitFor();
  expect(await picker.inputValue()).toBe('#336699');
});
