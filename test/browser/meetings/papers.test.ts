import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab, PHONE } from '#test/support/browser/browser-service.ts';
import { appoint } from '#test/support/people/patrons.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

test('a teller types papers with the keyboard and reads what they say; printed ballots fill their sheets', async () => {
  await using service = await listeningService({ RATE_LIMIT_GENERAL: '10000' });
  const meeting = { title: 'AGM', held_at: '2026-12-04T19:00' };
  const base = `/admin/meetings/${(await service.post('/admin/meetings', meeting)).json().id}`;
  const question = { ballot_type: 'RANKED_STV', candidates: ['Ivy', 'Lee', 'Hugh'], settings: { seats: 1 } };
  const item = { kind: 'election', title: 'Treasurer', question };
  const path = `${base}/items/${(await service.post(`${base}/items`, item)).json().id}`;
  await service.post(`${path}/open`);
  await service.post(`${path}/close`);
  const { id } = (await service.post(`${path}/batches`, { control: { valid: 2, blank: 1 } })).json();

  const page = await openTab(browser, service.origin, PHONE);
  // A teller is a person.
  const tess = await appoint(service, 'tess@club.example', 'chair');
  await page.setExtraHTTPHeaders(tess);
  await page.goto(`${service.origin}${path}/batches/${id}/entries/1`);
  await page.locator('#lines').focus();
  await page.keyboard.type('7 21-');
  await page.keyboard.press('Enter');
  await page.keyboard.type('3 -1');
  await page.keyboard.press('Enter');
  await page.keyboard.type('5 q');
  await page.getByText('5: “q” is not read').waitFor();
  const said = await page.locator('[data-read] li span').allTextContents();
  expect(said.slice(0, 2)).toEqual(['7: 1. Lee, 2. Ivy', '3: 1. Lee']);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('b');
  await page.getByText('3 of 3 papers').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The entry is saved.').waitFor();
  await page.goto(`${service.origin}${path}/batches/${id}/entries/1`);
  expect(await page.locator('#lines').inputValue()).toBe('3 - 1 -\n5 b\n7 2 1 -');

  for (const [query, sheets] of [
    ['copies=5&each=2&size=a4', 3],
    ['copies=5&each=4&size=a4', 2],
    ['copies=3&each=1&size=a5', 3],
  ] as const) {
    await page.goto(`${service.origin}${path}/printed?${query}`);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g), query).toHaveLength(sheets);
  }
});

test('a teller presses buttons for what is on a paper, and corrects a paper with them', async () => {
  await using service = await listeningService({ RATE_LIMIT_GENERAL: '10000' });
  const meeting = { title: 'AGM', held_at: '2026-12-04T19:00' };
  const base = `/admin/meetings/${(await service.post('/admin/meetings', meeting)).json().id}`;
  const tess = await appoint(service, 'tess@club.example', 'chair');
  const tom = await appoint(service, 'tom@club.example', 'chair');
  const batchOf = async (item: object, control: object) => {
    const path = `${base}/items/${(await service.post(`${base}/items`, item)).json().id}`;
    await service.post(`${path}/open`);
    await service.post(`${path}/close`);
    return `${path}/batches/${(await service.post(`${path}/batches`, { control })).json().id}`;
  };
  const page = await openTab(browser, service.origin, PHONE);
  await page.setExtraHTTPHeaders(tess);
  const press = (...names: string[]) =>
    names.reduce(
      (before, name) => before.then(() => page.getByRole('button', { name, exact: true }).click()),
      Promise.resolve(),
    );
  const typed = () => page.locator('#lines').inputValue();

  const motion = await batchOf({ kind: 'motion', title: 'New lamps' }, { valid: 3, invalid: 1 });
  await page.goto(`${motion}/entries/1`);
  await press('Yes', 'No');
  await page.getByLabel('Paper number').fill('7');
  await press('Abstain', 'Invalid');
  expect(await typed()).toBe('1 y\n2 n\n7 a\n8 x\n');
  await page.getByText('4 of 4 papers').waitFor();
  await press('Change: paper 2');
  expect(await page.getByRole('button', { name: 'No', exact: true }).getAttribute('aria-pressed')).toBe(
    'true',
  );
  await press('Yes');
  expect(await page.locator('[data-read] li').first().innerText()).toContain('1: yes');
  await press('Remove: paper 8');
  await page.locator('#lines').press('Control+End');
  await page.keyboard.type('9 q');
  await page.getByText('9: “q” is not read').waitFor();
  await press('Remove: paper 9');
  await press('Invalid');
  expect(await typed()).toBe('1 y\n2 y\n7 a\n8 x\n');
  await press('Save this entry');
  await page.getByText('The entry is saved.').waitFor();

  // The other teller has read one paper otherwise.
  const papers = [
    { number: 1, choice: 'yes' },
    { number: 2, choice: 'no' },
    { number: 7, choice: 'abstain' },
    { number: 8, invalid: true },
  ];
  await service.request({ method: 'PUT', url: `${motion}/entries/2`, payload: { papers }, headers: tom });
  await page.goto(motion);
  const paper = page.getByRole('group', { name: 'Paper 2' });
  expect(await paper.getByRole('status').innerText()).toBe('yes');
  await press('No');
  expect(await paper.getByLabel('What is on it').inputValue()).toBe('n');
  expect(await paper.getByRole('status').innerText()).toBe('no');
  await press('Correct my entry');
  await page.getByRole('heading', { name: 'Totals' }).waitFor();

  const question = { ballot_type: 'RANKED_STV', candidates: ['Ivy', 'Lee', 'Hugh'], settings: { seats: 1 } };
  const ranked = await batchOf({ kind: 'election', title: 'Treasurer', question }, { valid: 2 });
  await page.goto(`${ranked}/entries/1`);
  await press('Lee', 'Hugh', 'Ivy');
  await page.getByText('1: 1. Lee, 2. Hugh, 3. Ivy').waitFor();
  // What is taken away moves the others up.
  await press('1. Lee');
  expect(await typed()).toBe('1 2 - 1\n');
  await press('Next paper', 'Ivy');
  expect(await typed()).toBe('1 2 - 1\n2 1 - -\n');
  const poll = { ballot_type: 'POLL', options: ['Blue', 'Red'] };
  const colour = await batchOf({ kind: 'election', title: 'Colour', question: poll }, { valid: 2 });
  await page.goto(`${colour}/entries/1`);
  await press('Red', 'Blue');
  expect(await typed()).toBe('1 2\n2 1\n');
  const each = { ballot_type: 'YES_NO_EACH', options: ['Ann', 'Bob'] };
  const board = await batchOf({ kind: 'election', title: 'Board', question: each }, { valid: 1 });
  await page.goto(`${board}/entries/1`);
  await press('Bob: no', 'Ann: yes');
  expect(await typed()).toBe('1 yn\n');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
});
