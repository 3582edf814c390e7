import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from '#test/support/app.ts';
import {
  DESK,
  type ListeningService,
  listeningService,
  watch,
} from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { addElection } from '#test/support/factories.ts';
import { button, goToPart, link, title, words } from './election-steps.ts';

const KEY = 'k-4a7d9f20c1-b83e55a0';
const TITLE = 'Shall the club adopt the budget for 2027?';
const openTab = keptTabs();
/** Troubles of the only tab. */
let troubles: string[] | undefined;
let service: ListeningService;

beforeAll(async () => {
  service = await listeningService({ NODE_ENV: 'production', ADMIN_API_KEY: KEY });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Opens a page with the key in a request header; later requests do not carry the header by themselves. */
async function openByKey(path: string): Promise<{ page: Page; troubles: string[] }> {
  const page = await openTab(service.origin, DESK);
  troubles ??= watch(page.context(), service.origin);
  troubles.splice(0);
  await page.setExtraHTTPHeaders({ Authorization: `Bearer ${KEY}` });
  await page.goto(path);
  await page.setExtraHTTPHeaders({});
  return { page, troubles };
}

async function newElection(page: Page, name: string): Promise<void> {
  await link(page, 'New election').first().click();
  await title(page, 'New election').waitFor();
  await page.getByLabel('Title', { exact: true }).fill(name);
  await page.getByLabel('Closes', { exact: true }).fill('2026-11-21T20:00');
}

test('without the key no page is shown', async () => {
  const answer = await service.get('/admin', { accept: 'text/html' });
  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe('/set-up');
  expect(answer.body).not.toContain(KEY);
});

test('an officer with the API key runs a whole election, and the browser stores the key nowhere', async () => {
  const { page, troubles } = await openByKey('/admin');
  await newElection(page, TITLE);
  await page.getByLabel('Description').fill('The treasurer asks for 48,200 dollars.');
  await button(page, 'Create the election').click();
  await title(page, TITLE).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/admin\/elections\/[^/]+$/);
  expect(await page.title()).toContain(TITLE);

  await goToPart(page, 'Voting codes');
  await page.getByLabel('How many', { exact: true }).fill('0');
  await page.getByLabel('How many', { exact: true }).evaluate((field) => field.removeAttribute('min'));
  await button(page, 'Make voting codes').click();
  await page.getByRole('alert').getByText('No voting codes were made').waitFor();
  await page.getByLabel('How many', { exact: true }).fill('2');
  await button(page, 'Make voting codes').click();
  await title(page, '2 new voting codes').waitFor();

  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download as CSV').click()]);
  expect(file.suggestedFilename()).toMatch(/^voting-codes-.+\.csv$/);
  expect((await readFile(await file.path(), 'utf8')).trim().split('\r\n')).toHaveLength(3);
  const [slips] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Print voting slips' }).click(),
  ]);
  await title(slips, 'Voting slips').waitFor();
  expect(await slips.getByRole('img', { name: 'QR code of the voting link' }).count()).toBe(2);
  await slips.close();

  await link(page, 'Back to the election').click();
  await page.getByRole('row', { name: 'Unnamed' }).waitFor();
  await goToPart(page, 'Dates and rules');
  await page.getByLabel('Show it on the home page').check();
  await button(page, 'Save the settings').click();
  await page.getByRole('status').getByText('The settings were changed.').waitFor();
  await goToPart(page, 'Overview');
  await link(page, 'Close …').click();
  await button(page, 'Close voting now').click();
  await page.getByText('Voting is closed. The next ballot is refused.').waitFor();
  await link(page, 'Look at the result').first().click();
  await page.getByText('No ballots were cast.', { exact: true }).waitFor();

  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored + page.url() + JSON.stringify(await page.context().cookies())).not.toContain(KEY);
  await link(page, 'House').click();
  await title(page, 'Audit log').waitFor();
  await page.getByLabel('Action').selectOption('election.closed');
  await button(page, 'Show').click();
  await page.getByText('1 entry, the newest first').waitFor();
  expect(await words(page)).not.toContain(KEY);
  // Only the refused form is expected to fail.
  expect(troubles).toEqual([expect.stringMatching(/^answer 400: .+\/tokens$/)]);
});

test('the page of new voting codes leads back to an election that was opened directly', async () => {
  const id = await addElection(withKey(), { title: 'Shall the darts team get new shirts?' });
  const { page } = await openByKey(`/admin/elections/${id}/codes`);
  await page.getByLabel('How many', { exact: true }).fill('2');
  await button(page, 'Make voting codes').click();
  await title(page, '2 new voting codes').waitFor();
  await button(page, 'Download as CSV').click();

  await link(page, 'Back to the election').click();
  await title(page, 'Shall the darts team get new shirts?').waitFor();
  expect(new URL(page.url()).hash).toBe('#tokens');
});

test('back and forward work, and the voters’ page never holds the key', async () => {
  const id = await addElection(withKey(), { title: 'Shall dogs be let into the bar?' });
  const { page } = await openByKey(`/admin/elections/${id}`);
  await title(page, 'Shall dogs be let into the bar?').waitFor();
  const address = page.url();
  await link(page, 'House').click();
  await title(page, 'Audit log').waitFor();
  await page.goBack();
  await title(page, 'Shall dogs be let into the bar?').waitFor();
  expect(page.url()).toBe(address);
  await page.goForward();
  await title(page, 'Audit log').waitFor();
  await page.context().setOffline(true);
  await link(page, 'Votes').click();
  await page.getByRole('alert').getByText('The house could not be reached.').waitFor();
  await page.context().setOffline(false);

  await page.goBack();
  await link(page, 'The voters’ page').click();
  await title(page, 'Shall dogs be let into the bar?').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/e\//);
  expect(await page.content()).not.toContain(KEY);
});

test('a page of new tokens is not left by accident, and opens one printed page at a time', async () => {
  const { page } = await openByKey('/admin');
  await newElection(page, 'Shall we buy a piano?');
  await button(page, 'Create the election').click();
  await title(page, 'Shall we buy a piano?').waitFor();
  await goToPart(page, 'Voting codes');
  await makeTokens(page);
  // The script that asks shows this text once it runs.
  await page.getByText('Not saved yet.').waitFor();
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await link(page, 'Back to the election').click();
  await expect
    .poll(() => asked)
    .toEqual(['These voting codes cannot be shown again. Leave without keeping them?']);
  await title(page, '3 new voting codes').waitFor();
  page.once('dialog', (dialog) => void dialog.accept());
  await link(page, 'Back to the election').click();
  await title(page, 'Shall we buy a piano?').waitFor();

  await makeTokens(page);
  const print = page.getByRole('button', { name: 'Print voting slips' });
  const held = Promise.withResolvers<void>();
  await page.route('**/tokens/print', async (route) => {
    await held.promise;
    await route.fulfill({ status: 503, json: { message: 'Too busy.' } });
  });
  // None opens while a request runs, and the new tab closes if the answer is no page.
  await Promise.all([page.waitForEvent('popup'), print.click()]);
  await print.click();
  held.resolve();
  await page.getByRole('alert').getByText('Too busy.').waitFor();
  await expect.poll(() => page.context().pages()).toHaveLength(1);
});

async function makeTokens(page: Page): Promise<void> {
  await page.getByLabel('How many', { exact: true }).fill('3');
  await button(page, 'Make voting codes').click();
  await title(page, '3 new voting codes').waitFor();
}

/** The service as a caller with the key sees it. */
function withKey(): TestApp {
  const { post } = service;
  const headers = { authorization: `Bearer ${KEY}` };
  return { ...service, post: (url, payload) => post(url, payload, headers) };
}
