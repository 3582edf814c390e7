// A list that is pasted from a spreadsheet, looked at, published, and put in order.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '#test/support/app.ts';
import { fitProblems } from '#test/support/browser/accessible.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { appoint } from '#test/support/people/patrons.ts';

const openTab = keptTabs();
let service: TestApp;
let origin: string;
let olga: Record<string, string>;

beforeAll(async () => {
  service = await testApp({
    LOCALE: 'de-AT',
    CLUB_LANGUAGE: 'en',
    RATE_LIMIT_GENERAL: '10000',
    RATE_LIMIT_ADMIN: '10000',
  });
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  olga = await appoint(service, 'olga@club.example', 'owner');
});
afterAll(() => service[Symbol.asyncDispose]());

test('a pasted list is checked and published; its rows move while the page and the focus stay', async () => {
  const text = readFileSync(new URL('../../content/menu/lists/austria.tsv', import.meta.url), 'utf8');
  const page = await openTab(origin, { extraHTTPHeaders: olga });
  await loadAxe(page);
  await page.goto('/admin/content/menu-import');
  await page.fill('#text', text.replace('0,35', '35'));
  await page.click('button:has-text("Check")');
  await page.getByLabel('The numbers in “Größe” are').selectOption('cl');
  expect(await violations(page)).toEqual([]);
  expect(await fitProblems(page)).toEqual([]);
  await page.locator('button:has-text("Check again")').first().click();
  expect(await page.locator('main').innerText()).toMatch(/Almdudler\s+(Sizes and prices\s+)?0,35 l € 3,40/);
  await page.click('button:has-text("Add 9 entries and publish")');
  await page.waitForURL(/done=published/);

  await page.goto('/admin/content/menu_item');
  expect(await violations(page)).toEqual([]);
  const names = () => page.locator('.content-link').allInnerTexts();
  expect((await names()).slice(3, 5)).toEqual(['Grüner Veltliner', 'Zweigelt']);
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  const down = page.getByRole('button', { name: 'Down: Grüner Veltliner' });
  await down.scrollIntoViewIfNeeded();
  const id = await down.getAttribute('id');
  await down.press('Enter');
  const at = page.locator(`#${id}:disabled`);
  await at.waitFor({ state: 'attached' });
  expect((await names()).slice(3, 5)).toEqual(['Zweigelt', 'Grüner Veltliner']);
  // At the end of the way the focus goes to the button that is left.
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(id?.replace('down', 'up'));
  await page.keyboard.press('Enter');
  await at.waitFor({ state: 'detached' });
  expect((await names()).slice(3, 5)).toEqual(['Grüner Veltliner', 'Zweigelt']);
  expect(await page.locator('body[data-same-page]').count()).toBe(1);
});
