import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openRoom } from '#test/meetings/a-meeting.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab, PHONE } from '#test/support/browser/browser-service.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

const NAMES = ['Ann', 'Bob', 'Cid'];

/** A meeting whose votes have codes, with two motions, in a service that listens. */
async function roomWithCodes(settings: object = {}) {
  const one = await openRoom({ inclusion_codes: true }, NAMES);
  await one.arrive(NAMES);
  const origin = await one.service.app.listen({ port: 0, host: '127.0.0.1' });
  const motions: { id: string; election_id: string }[] = [];
  for (const title of ['New lamps', 'New chairs', 'A new roof'])
    motions.push(await one.add({ kind: 'motion', title, question: { settings } }));
  return Object.assign(one, { origin, motions });
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const codes = (page: Page) => page.getByRole('region', { name: 'Your codes of this evening' });
const rows = (page: Page) => codes(page).getByRole('listitem').allInnerTexts();
const recorded = (page: Page) => page.getByRole('heading', { level: 1, name: 'Your vote is recorded' });

/** Casts yes on the ballot that is shown. */
async function vote(page: Page) {
  await page.getByRole('radio', { name: 'Yes' }).check();
  await press(page, 'Review');
  await press(page, 'Cast my vote');
  await recorded(page).waitFor();
}

const stored = (page: Page) =>
  page.evaluate(() => [
    localStorage.getItem('house_codes') ?? '',
    sessionStorage.getItem('house_codes') ?? '',
  ]);

test('a phone that is asked once keeps the codes of its own card, goes on by itself, and forgets them', async () => {
  await using one = await roomWithCodes();
  const [lamps, chairs, roof] = one.motions;
  const [first = '', second = ''] = one.codes;
  const page = await openTab(browser, one.origin, PHONE);
  await page.goto(`/m/${one.id}?t=${first}`);
  await page.getByText('Your card works').waitFor();
  await one.act(lamps!.id, 'open');
  await vote(page);
  await codes(page).getByText('Keep my codes on this phone?').waitFor();
  expect(await page.getByText('This is shown only now.').isVisible()).toBe(false);
  expect(await rows(page)).toEqual([expect.stringMatching(/^New lamps: ([0-9a-f]{4} ?){8}$/)]);
  expect((await stored(page))[0]).toBe('');
  for (const name of ['Vote with another card on this phone', 'I have lost my card'])
    expect(await page.getByRole('link', { name }).isVisible()).toBe(true);
  await press(page, 'Keep them');
  await codes(page).getByText('This phone keeps them for 90 days').waitFor();
  await page.getByRole('link', { name: 'Back to the meeting' }).waitFor();

  await one.act(lamps!.id, 'close');
  await page.getByText('The result will be announced').waitFor();
  expect(await recorded(page).isVisible()).toBe(true);
  await one.act(chairs!.id, 'open');
  await page.getByRole('radio', { name: 'Yes' }).waitFor();
  expect([await page.title(), await page.getByRole('heading', { level: 1 }).innerText()]).toEqual([
    expect.stringContaining('AGM'),
    'AGM',
  ]);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('New chairs');
  expect(await rows(page)).toHaveLength(1);
  await vote(page);
  expect(await codes(page).getByText('Keep my codes on this phone?').isVisible()).toBe(false);
  expect((await rows(page)).map((text) => text.split(':')[0])).toEqual(['New lamps', 'New chairs']);

  // A neighbour votes on the same phone.
  await page.getByRole('link', { name: 'Vote with another card on this phone' }).click();
  await page.getByLabel('The code on your card').waitFor();
  expect(await codes(page).isVisible()).toBe(false);
  await page.getByLabel('The code on your card').fill(second);
  await press(page, 'Use this card');
  const before = (await stored(page))[0];
  await vote(page);
  expect((await rows(page)).map((text) => text.split(':')[0])).toEqual(['New chairs']);
  expect(await codes(page).getByText('Keep my codes on this phone?').isVisible()).toBe(false);
  expect((await stored(page))[0]).toBe(before);
  // It is said before they are gone.
  await page.getByRole('link', { name: 'Vote with another card on this phone' }).click();
  await codes(page).getByText('Another card takes these codes off this phone').waitFor();
  await page.getByRole('link', { name: 'I have kept my code' }).click();
  await page.getByText('Your vote is recorded').waitFor();
  expect((await stored(page))[1]).toBe('');

  await page.goto(`/m/${one.id}?t=${first}`);
  expect(await rows(page)).toHaveLength(2);
  await one.act(chairs!.id, 'close');
  for (const item of [lamps, chairs]) await one.act(item!.id, 'declare');
  await one.act(roof!.id, 'open');
  await vote(page);
  await one.act(roof!.id, 'void', { reason: 'The microphone failed.' });
  await one.service.request({ method: 'PATCH', url: one.base, payload: { state: 'closed' } });
  const next = await page.context().newPage();
  await next.goto(`/m/${one.id}`);
  await next.getByText('This meeting is over').waitFor();
  expect(await rows(next)).toHaveLength(3);
  const sent: string[] = [];
  next.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await press(next, 'Forget them');
  expect(await codes(next).isVisible()).toBe(false);
  const [left = ''] = await stored(next);
  expect(JSON.parse(left)[one.id].codes).toEqual([]);
  expect(sent).toEqual([]);
});

test('a code that nobody has kept goes on with the page, and one that the phone cannot store stays shown', async () => {
  await using one = await roomWithCodes();
  const [lamps, chairs, roof] = one.motions;
  const page = await openTab(browser, one.origin, PHONE);
  await page.goto(`/m/${one.id}?t=${one.codes[0]}`);
  await one.act(lamps!.id, 'open');
  await vote(page);
  await one.act(chairs!.id, 'open');
  await page.getByRole('radio', { name: 'Yes' }).waitFor();
  expect(await rows(page)).toEqual([expect.stringContaining('New lamps')]);
  await press(page, 'No');
  // The phone is full, or keeps nothing.
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await vote(page);
  await page.getByText('This is shown only now.').waitFor();
  await one.act(roof!.id, 'open');
  await page.getByText('Another vote is open. Keep your code, then go on.').waitFor();
  expect(await recorded(page).isVisible()).toBe(true);
  await page.getByRole('link', { name: 'I have kept my code' }).click();
  await vote(page);
});

test('a vote goes on where a phone has no storage at all, or nonsense in it', async () => {
  await using one = await roomWithCodes();
  const [lamps, chairs] = one.motions;
  for (const [at, prepare] of [
    () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('denied', 'SecurityError');
          },
        });
    },
    () => {
      for (const storage of [localStorage, sessionStorage])
        storage.setItem('house_codes', '{"x":5,"y":null,"codes":7}');
    },
  ].entries()) {
    const page = await openTab(browser, one.origin, PHONE);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.addInitScript(prepare);
    await page.goto(`/m/${one.id}?t=${one.codes[at]}`);
    const item = at === 0 ? lamps! : chairs!;
    await one.act(item.id, 'open');
    await vote(page);
    expect(errors).toEqual([]);
    expect(
      await page
        .getByText(/([0-9a-f]{4} ){7}/)
        .filter({ visible: true })
        .count(),
    ).toBe(1);
    await one.act(item.id, 'close');
  }
});

test('a code that covers the choice is never stored', async () => {
  await using one = await roomWithCodes({ receipts: 'content' });
  const page = await openTab(browser, one.origin, PHONE);
  await page.goto(`/m/${one.id}?t=${one.codes[0]}`);
  await one.act(one.motions[0]!.id, 'open');
  await vote(page);
  await page.getByText('This is shown only now.').waitFor();
  expect(await stored(page)).toEqual(['', '']);
  await one.act(one.motions[1]!.id, 'open');
  await page.getByText('Another vote is open. Keep your code, then go on.').waitFor();
});

test('whoever loses the card still reads its codes, and the end of a meeting takes away no code that was not kept', async () => {
  await using one = await roomWithCodes();
  const [lamps, chairs] = one.motions;
  const { packs } = (await one.service.post(`${one.base}/packs`, { class: 'Members', packs: 1 })).json();
  await one.service.post(`${one.base}/packs/${packs[0].id}/open`);
  const [{ code, stub }] = packs[0].cards;
  const page = await openTab(browser, one.origin, PHONE);
  await page.goto(`/m/${one.id}?t=${code}`);
  await one.act(lamps!.id, 'open');
  await vote(page);
  await page.getByRole('link', { name: 'I have kept my code' }).waitFor();
  expect(await rows(page)).toHaveLength(1);
  await one.act(chairs!.id, 'open');
  await page.getByRole('radio', { name: 'Yes' }).waitFor();
  // Somebody finds the stub.
  await one.service.post(`/m/${one.id}/void`, { stub });
  await one.act(chairs!.id, 'extend', { seconds: 600 });
  await page.getByLabel('The code on your card').waitFor();
  expect(await rows(page)).toHaveLength(1);
  await page.reload();
  await page.getByLabel('The code on your card').waitFor();
  expect(await codes(page).isVisible()).toBe(false);

  const full = await openTab(browser, one.origin, PHONE);
  await full.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await one.act(chairs!.id, 'close');
  await full.goto(`/m/${one.id}?t=${one.codes[0]}`);
  await vote(full);
  await full.getByText('This is shown only now.').waitFor();
  await one.act(lamps!.id, 'close');
  for (const { id } of [lamps!, chairs!]) await one.act(id, 'declare');
  const news = full.waitForResponse((response) => response.url().endsWith(`/m/${one.id}/card`));
  await one.service.request({ method: 'PATCH', url: one.base, payload: { state: 'closed' } });
  await news;
  expect(await full.getByText('This is shown only now.').isVisible()).toBe(true);
});

test('without script the code is shown once, with the way back', async () => {
  await using one = await roomWithCodes();
  const page = await openTab(browser, one.origin, { ...PHONE, javaScriptEnabled: false });
  await one.act(one.motions[0]!.id, 'open');
  await page.goto(`/m/${one.id}?t=${one.codes[0]}`);
  await vote(page);
  expect(await page.getByText('This is shown only now.').isVisible()).toBe(true);
  expect(await codes(page).isVisible()).toBe(false);
  await page.getByRole('link', { name: 'I have kept my code' }).click();
  await page.getByText('Please wait for the result.').waitFor();
  expect(page.url()).toBe(`${one.origin}/m/${one.id}/card`);
});
