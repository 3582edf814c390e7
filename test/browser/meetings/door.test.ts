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

test('a door without network goes on with its part of the roll, and names whoever another door had', async () => {
  await using service = await listeningService({ RATE_LIMIT_GENERAL: '10000' });
  const sam = await appoint(service, 'sam@club.example', 'secretary');
  const roll = (url: string, payload: object) => service.post(`/api/admin/${url}`, payload, sam);
  await roll('kinds', { name: 'Full', votes: true });
  const ids: string[] = [];
  for (const name of ['Ann', 'Bob', 'Zoe']) {
    const person = { name, standing: { kind: 'Full', first_day: '2020-01-01' } };
    ids.push((await roll('people', person)).json().id);
  }
  const { id } = (
    await service.post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' })
  ).json();
  const base = `/admin/meetings/${id}`;
  const page = await openTab(browser, service.origin, PHONE);
  await page.goto(`${service.origin}${base}/door?from=A&to=K`);
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const checkIn = (name: string) => row(name).getByRole('button', { name: 'Check in' }).click();
  expect(await row('Zoe').count()).toBe(0);

  await checkIn('Ann');
  await page.getByText('Hand out 1 card of Members').waitFor();
  await page.context().setOffline(true);
  await checkIn('Bob');
  await page.getByText('In, not sent yet').waitFor();
  await service.post(`${base}/door`, { person_id: ids[1], action: 'in' });
  await page.context().setOffline(false);
  await page.getByText('Bob: Bob is checked in already').waitFor();
  await page.getByText('In, not sent yet').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Settled' }).click();
  await page.getByText('Bob: Bob is checked in already').waitFor({ state: 'hidden' });
  const { meeting } = (await service.get(base)).json();
  expect(meeting.present).toBe(2);
});
