import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import {
  type ListeningService,
  listeningService,
  openTab,
  PHONE,
  resize,
} from '#test/support/browser/browser-service.ts';
import { message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

/** Prints two packs of cards of each class, and opens one: while another is left, the door is not closed. */
async function printCards(service: ListeningService, id: string, ...classes: string[]) {
  for (const name of classes) {
    const { packs } = (await service.post(`/admin/meetings/${id}/packs`, { class: name, packs: 2 })).json();
    await service.post(`/admin/meetings/${id}/packs/${packs[0].id}/open`);
  }
}

test('a card of another class is chosen with one more tap, with and without network', async () => {
  await using service = await listeningService({ RATE_LIMIT_GENERAL: '10000' });
  const sam = await appoint(service, 'sam@club.example', 'secretary');
  const roll = (url: string, payload: object) => service.post(`/api/admin/${url}`, payload, sam);
  await roll('kinds', { name: 'Full', votes: true });
  for (const name of ['Ann', 'Bob'])
    await roll('people', { name, standing: { kind: 'Full', first_day: '2020-01-01' } });
  const fields = { title: 'AGM', held_at: '2026-12-04T19:00', classes: ['Members', 'Board'] };
  const { id } = (await service.post('/admin/meetings', fields)).json();
  await printCards(service, id, 'Members', 'Board');
  const page = await openTab(browser, service.origin, PHONE);
  await page.goto(`${service.origin}/admin/meetings/${id}/door`);
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await row('Ann').getByText('Another class').click();
  await row('Ann').getByRole('button', { name: 'Check in: Board' }).click();
  await page.getByText('Hand out 1 card of Board').waitFor();
  await page.context().setOffline(true);
  const field = page.getByRole('searchbox', { name: 'Name or number' });
  await field.fill('bob');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('1 of the people on this page').waitFor();
  await row('Bob').getByText('Another class').click();
  await row('Bob').getByRole('button', { name: 'Check in: Board' }).click();
  await row('Bob').getByText('In, not sent yet: hand out 1 card of Board').waitFor();
  // The next one is looked for among everybody.
  expect(await field.inputValue()).toBe('');
  expect(await page.getByText('1 of the people on this page').isVisible()).toBe(false);
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
  await printCards(service, id, 'Members');
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
  await first.press('Cid', 'Check in – 1 card');
  await first.row('Cid').getByText('In, not sent yet: hand out 1 card').waitFor();
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
  await first.press('Ann', 'Check in – 1 card');
  await first.press('Bob', 'Check in – 2 cards');
  await first.page.getByText('Bob waits until the network is back').waitFor();

  await first.setOffline(false);
  await first.page.getByText('not sent yet').first().waitFor({ state: 'hidden' });
  expect(await first.page.getByText('too many').isVisible()).toBe(false);
  await second.setOffline(false);
  await second.page.getByText('1 card too many.').waitFor();
  // Far down on the list it is seen too.
  await second.page.waitForFunction(() => {
    scrollTo(0, document.body.scrollHeight);
    const box = document.querySelector('[data-conflicts]:not([hidden])')?.getBoundingClientRect();
    return box !== undefined && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
  });
  await second.page.getByText(`Ann: ${message('in_already', { name: 'Ann' })}`).waitFor();
  await second.page.getByRole('button', { name: 'Settled' }).click();
  await second.page.getByText('1 card too many.').waitFor({ state: 'hidden' });
  await first.press('Bob', 'Check in – 2 cards');
  await first.page.getByText('Hand out 2 cards of Members').waitFor();
  const { meeting } = (await service.get(base)).json();
  expect(meeting).toMatchObject({ present: 3, cards: { Members: { handed_out: 4 } } });
});

test('the next person is searched for at once: those who are in are folded, and only the last three can be undone', async () => {
  await using service = await listeningService({ RATE_LIMIT_GENERAL: '10000' });
  const sam = await appoint(service, 'sam@club.example', 'secretary');
  const roll = (url: string, payload: object) => service.post(`/api/admin/${url}`, payload, sam);
  await roll('kinds', { name: 'Full', votes: true });
  for (const name of ['Ann', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay'])
    await roll('people', { name, standing: { kind: 'Full', first_day: '2020-01-01' } });
  const { id } = (
    await service.post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' })
  ).json();
  await printCards(service, id, 'Members');
  const page = await openTab(browser, service.origin, { ...PHONE, hasTouch: true });
  await page.goto(`${service.origin}/admin/meetings/${id}/door`);
  const field = page.getByRole('searchbox', { name: 'Name or number' });
  const isFocused = () => field.evaluate((element) => element === document.activeElement);
  expect(await isFocused()).toBe(true);
  const last = page.getByRole('list', { name: 'Just now' }).locator('.door-name');
  const names = async () => (await last.allInnerTexts()).map((text) => text.split(/\s/)[0]);
  let before: string[] = [];
  for (const name of ['Bob', 'Ann', 'Dee', 'Cid']) {
    await field.fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'Eve' }).waitFor({ state: 'detached' });
    const button = page.getByRole('button', { name: `Check in – 1 card: ${name}` });
    expect(await button.innerText()).toBe('In');
    await button.tap();
    before = [name, ...before].slice(0, 3);
    await expect.poll(names).toEqual(before);
    await expect.poll(isFocused).toBe(true);
    expect(await field.inputValue()).toBe('');
  }
  expect(await page.getByRole('button', { name: /^Check in/ }).allInnerTexts()).toEqual(['In', 'In']);
  expect(await page.getByText('Undo', { exact: false }).filter({ visible: true }).count()).toBe(3);

  await page.getByText('4 are in').tap();
  const bob = page.getByRole('listitem').filter({ hasText: 'Bob' });
  await bob.getByRole('button', { name: 'Left with the card' }).waitFor();
  expect(await bob.getByText('Undo').filter({ visible: true }).count()).toBe(0);
  const ann = page.getByRole('listitem').filter({ hasText: 'Ann' });
  await ann.locator('summary').filter({ hasText: 'Undo' }).tap();
  await ann.getByRole('button', { name: 'No card was handed out' }).tap();
  await page.getByText('Taken back: no card was handed out').waitFor();
  const { meeting } = (await service.get(`/admin/meetings/${id}`)).json();
  expect(meeting.present).toBe(3);
  const [row, main] = [
    page.locator('.door-row').filter({ hasText: 'Eve' }),
    page.locator('main section').first(),
  ];
  expect((await row.boundingBox())!.width).toBe((await main.boundingBox())!.width);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
});

test('the list of the door follows the letters that are typed', async () => {
  await using service = await listeningService({ RATE_LIMIT_GENERAL: '10000' });
  const sam = await appoint(service, 'sam@club.example', 'secretary');
  const roll = (url: string, payload: object) => service.post(`/api/admin/${url}`, payload, sam);
  await roll('kinds', { name: 'Full', votes: true });
  for (const name of ['Ann Kerr', 'Bob Lane', 'Zoë Kerr'])
    await roll('people', { name, standing: { kind: 'Full', first_day: '2020-01-01' } });
  const { id } = (
    await service.post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' })
  ).json();
  const page = await openTab(browser, service.origin, PHONE);
  await page.goto(`${service.origin}/admin/meetings/${id}/door`);
  const shown = async () =>
    (await page.locator('.door-name:visible').allInnerTexts()).map((text) => text.trim());
  const type = (text: string) => page.getByRole('searchbox', { name: 'Name or number' }).fill(text);
  await type('kerr');
  expect(await shown()).toEqual(['Ann Kerr', 'Zoë Kerr']);
  await type('zoe k');
  expect(await shown()).toEqual(['Zoë Kerr']);
  await type('nobody');
  await page.getByText('Nobody on this page.').waitFor();
  await type('');
  expect(await shown()).toHaveLength(3);
  await page.getByText('Nobody on this page.').waitFor({ state: 'hidden' });
});

test('three figures of the door are in one row of a phone, and the chair has the agenda beside the item on a screen', async () => {
  await using service = await listeningService({ RATE_LIMIT_GENERAL: '10000' });
  const fields = { title: 'AGM', held_at: '2026-12-04T19:00', quorum: 2, proxies_per_person: 1 };
  const { id } = (await service.post('/admin/meetings', fields)).json();
  const base = `/admin/meetings/${id}`;
  for (const title of ['New lamps', 'New chairs'])
    await service.post(`${base}/items`, { kind: 'motion', title });
  const page = await openTab(browser, service.origin, PHONE);
  await page.goto(`${service.origin}${base}/door`);
  const figures = await page
    .locator('.stats > div')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
  expect([figures.length, new Set(figures).size]).toEqual([3, 1]);

  await page.goto(`${service.origin}${base}/chair`);
  const top = (name: string) =>
    page
      .getByRole('heading', { name })
      .first()
      .evaluate((heading) => heading.getBoundingClientRect());
  expect((await top('Agenda')).y).toBeGreaterThan((await top('The meeting has not begun')).y);
  await resize(page, { width: 1280, height: 800 });
  expect((await top('Agenda')).x).toBeGreaterThan((await top('The meeting has not begun')).right);
});
