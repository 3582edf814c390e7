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
  const said = await page.locator('[data-read] li').allTextContents();
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
