import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { fitProblems } from '#test/support/browser/accessible.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK, listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { appoint } from '#test/support/people/patrons.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

test('from the agenda to the open door every next page is one link away, with script', async () => {
  await using service = await listeningService();
  const sam = await appoint(service, 'sam@club.example', 'owner');
  const roll = (url: string, payload: object) => service.post(`/api/admin/${url}`, payload, sam);
  await roll('kinds', { name: 'Full', votes: true });
  for (const name of ['Ann', 'Bob', 'Cid'])
    await roll('people', {
      name,
      addresses: [{ email: `${name.toLowerCase()}@club.example` }],
      standing: { kind: 'Full', first_day: '2020-01-01' },
    });
  const meeting = { title: 'AGM', held_at: '2026-12-04T19:00', remote: true };
  const { id } = (await service.post('/admin/meetings', meeting)).json();
  const page = await openTab(browser, service.origin, DESK);
  await page.setExtraHTTPHeaders({ 'edge-access-authenticated-user-email': 'sam@club.example' });
  await loadAxe(page);
  let pages = 0;
  page.on('response', (answer) => {
    const asked = answer.request();
    if (asked.isNavigationRequest() && (answer.status() < 300 || answer.status() >= 400)) pages += 1;
  });
  const main = page.locator('main');
  const go = async (name: string) => {
    await main.getByRole('link', { name, exact: true }).first().click();
    await page.waitForLoadState();
  };

  await page.goto(`/admin/meetings/${id}`);
  await go('New item');
  await page.getByLabel('Title').fill('Change of rule 7');
  await page.getByLabel('Wording in force').fill('A day ahead.');
  await page.getByRole('button', { name: 'Add it, and another' }).click();
  await page.getByText('which has 1 item now').waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe('');
  // The fields follow the kind.
  await page.getByRole('radio', { name: /^Election/ }).check();
  expect(await page.getByLabel('Wording in force').isVisible()).toBe(false);
  await page.getByLabel('Title').fill('Committee');
  await page.getByLabel('How it is decided').selectOption('RANKED_STV');
  await page.getByRole('button', { name: 'Add it to the agenda' }).click();
  await page.getByText('Call for them now').waitFor();
  expect([...(await violations(page)), ...(await fitProblems(page))]).toEqual([]);
  await page.getByRole('button', { name: 'Call for candidates' }).click();
  await page.getByText('Nominations are called for').waitFor();

  await go('Helpers');
  await page.getByLabel('Chair').fill('Ann');
  await page.getByLabel('Door').fill('Bob\nnew@club.example');
  await page.getByRole('button', { name: 'Give these roles' }).click();
  await page.getByText('They have their roles').waitFor();
  expect([...(await violations(page)), ...(await fitProblems(page))]).toEqual([]);
  await go('Members at home');
  await page.getByRole('heading', { name: 'Members at home' }).waitFor();
  await go('The door');
  await page.getByText('No cards are printed').waitFor();
  expect(await page.getByRole('button', { name: 'Check in: Ann' }).innerText()).toBe('In');
  await page.getByRole('link', { name: 'Print cards' }).click();
  await page.getByRole('button', { name: 'Print on A4' }).click();
  await page.getByRole('heading', { name: 'Voting cards' }).waitFor();
  await go('The door');
  await page.getByRole('button', { name: 'Open pack 1' }).first().click();
  await page.getByRole('button', { name: 'Check in – 1 card: Ann' }).waitFor();
  expect(pages).toBe(12);
});
