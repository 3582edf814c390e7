import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab, PHONE } from '#test/support/browser/browser-service.ts';
import { message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

test('a card of another class is chosen with one more tap, with and without network', async () => {
  await using service = await listeningService({ RATE_LIMIT_GENERAL: '10000' });
  const sam = await appoint(service, 'sam@club.example', 'secretary');
  const roll = (url: string, payload: object) => service.post(`/api/admin/${url}`, payload, sam);
  await roll('kinds', { name: 'Full', votes: true });
  for (const name of ['Ann', 'Bob'])
    await roll('people', { name, standing: { kind: 'Full', first_day: '2020-01-01' } });
  const fields = { title: 'AGM', held_at: '2026-12-04T19:00', classes: ['Members', 'Board'] };
  const { id } = (await service.post('/admin/meetings', fields)).json();
  const page = await openTab(browser, service.origin, PHONE);
  await page.goto(`${service.origin}/admin/meetings/${id}/door`);
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await row('Ann').getByText('Another class').click();
  await row('Ann').getByRole('button', { name: 'Check in: Board' }).click();
  await page.getByText('Hand out 1 card of Board').waitFor();
  await page.context().setOffline(true);
  await row('Bob').getByText('Another class').click();
  await row('Bob').getByRole('button', { name: 'Check in: Board' }).click();
  await row('Bob').getByText('In, not sent yet: hand out 1 Board').waitFor();
  await page.context().setOffline(false);
  await page.getByText('not sent yet').first().waitFor({ state: 'hidden' });
  const { meeting } = (await service.get(`/admin/meetings/${id}`)).json();
  expect(meeting.cards.Board.handed_out).toBe(2);
});

test('two doors without network go on, and name what they did otherwise once they are back', async () => {
  await using service = await listeningService({ RATE_LIMIT_GENERAL: '10000' });
  const sam = await appoint(service, 'sam@club.example', 'secretary');
  const roll = (url: string, payload: object) => service.post(`/api/admin/${url}`, payload, sam);
  await roll('kinds', { name: 'Full', votes: true });
  const ids: Record<string, string> = {};
  for (const name of ['Ann', 'Bob', 'Cid', 'Dee', 'Zoe']) {
    const person = { name, standing: { kind: 'Full', first_day: '2020-01-01' } };
    ids[name] = (await roll('people', person)).json().id;
  }
  const fields = { title: 'AGM', held_at: '2026-12-04T19:00', proxies_per_person: 1 };
  const { id } = (await service.post('/admin/meetings', fields)).json();
  const base = `/admin/meetings/${id}`;
  await service.post(`${base}/proxies`, { giver: ids.Zoe, holder: ids.Bob });
  const openDoor = async (letters: string) => {
    const page = await openTab(browser, service.origin, PHONE);
    await page.goto(`${service.origin}${base}/door?${letters}`);
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    const press = (name: string, button: string) => row(name).getByRole('button', { name: button }).click();
    return { page, row, press, setOffline: (is: boolean) => page.context().setOffline(is) };
  };
  const [first, second] = [await openDoor('from=A&to=K'), await openDoor('from=A&to=Z')];
  expect(await first.row('Zoe').count()).toBe(0);

  // The first press arrives, and its answer is lost.
  await first.page.route('**/door', async (route) => {
    await route.fetch();
    await first.setOffline(true);
    await route.abort();
  });
  await first.press('Cid', 'Check in: Members');
  await first.row('Cid').getByText('In, not sent yet: hand out 1 Members').waitFor();
  await first.page.unroute('**/door');
  await second.setOffline(true);
  for (const name of ['Ann', 'Dee']) await second.press(name, 'Check in');
  await second.press('Dee', 'Undo: no card was handed out');
  // Whoever is represented may have another way to vote.
  await second.press('Zoe', 'Check in');
  await second.page.getByText('Zoe waits until the network is back').waitFor();
  await second.page.getByLabel('Name or number').fill('zö');
  await second.page.getByRole('button', { name: 'Search' }).click();
  await second.page.getByText('1 of the people on this page').waitFor();
  expect([await second.row('Zoe').isVisible(), await second.row('Ann').isVisible()]).toEqual([true, false]);
  await first.press('Ann', 'Check in: Members');
  await first.press('Bob', 'Check in: 2 Members');
  await first.page.getByText('Bob waits until the network is back').waitFor();

  await first.setOffline(false);
  await first.page.getByText('not sent yet').first().waitFor({ state: 'hidden' });
  expect(await first.page.getByText('too many').isVisible()).toBe(false);
  await second.setOffline(false);
  await second.page.getByText('1 card too many.').waitFor();
  await second.page.getByText(`Ann: ${message('in_already', { name: 'Ann' })}`).waitFor();
  await second.page.getByRole('button', { name: 'Settled' }).click();
  await second.page.getByText('1 card too many.').waitFor({ state: 'hidden' });
  await first.press('Bob', 'Check in: 2 Members');
  await first.page.getByText('Hand out 2 cards of Members').waitFor();
  const { meeting } = (await service.get(base)).json();
  expect(meeting).toMatchObject({ present: 3, cards: { Members: { handed_out: 4 } } });
});
