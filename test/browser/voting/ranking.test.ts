import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  DESK,
  drawn,
  type ListeningService,
  listeningService,
  PHONE,
} from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { focused, pressOn, tabTo } from '#test/support/browser/keyboard.ts';
import { addRanked, addTokens } from '#test/support/factories.ts';
import { button, heading, words } from './election-steps.ts';

const [ADA, BO, CY, DOT] = [
  'Ada Thornbury',
  'Bo Lindqvist',
  'Cyrus Okafor',
  'Dorothea van Rensselaer',
] as const;
const NAMES = [ADA, BO, CY, DOT];
/** The order that each test ends with. */
const WANTED = [CY, ADA, DOT, BO];
const openTab = keptTabs();
let service: ListeningService;
let election: string;

beforeAll(async () => {
  service = await listeningService();
  const settings = { allow_blank: true };
  election = (await addRanked(service, NAMES, { title: 'Chair of the wine committee', settings })).id;
});
afterAll(() => service[Symbol.asyncDispose]());

async function openBallot(options: BrowserContextOptions = {}): Promise<Page> {
  const [token = ''] = await addTokens(service, election, 1);
  const page = await openTab(service.origin, options);
  await page.goto(`/e/${election}/vote?t=${token}`);
  await heading(page, 'Chair of the wine committee').waitFor();
  return page;
}

const placed = (page: Page) => page.getByRole('list', { name: 'Your order' });
const unranked = (page: Page) => page.getByRole('list', { name: 'Not ranked yet' });
const rank = (page: Page, name: string) => page.getByRole('combobox', { name: `Rank of ${name}` });
const add = (page: Page, name: string) => button(page, `Add ${name} to your order`).click();
const spoken = (page: Page) => page.getByRole('status').innerText();

/** Returns the visible order, after checking it against every select. */
async function order(page: Page): Promise<string[]> {
  const names = await placed(page).getByRole('listitem').locator('label').allInnerTexts();
  // Reads what `rank` finds for each name, in one step.
  const ranks = await page.evaluate(
    (all) =>
      all.map(
        (name) => document.querySelector<HTMLSelectElement>(`select[aria-label="Rank of ${name}"]`)?.value,
      ),
    NAMES,
  );
  expect(ranks).toEqual(NAMES.map((name) => String(names.indexOf(name) + 1).replace(/^0$/, '')));
  return names;
}

async function reviewed(page: Page): Promise<string[]> {
  await heading(page, 'Is this your vote?').waitFor();
  await page.waitForLoadState();
  const lines = (await page.getByRole('listitem').allInnerTexts()).flatMap((text) => text.split('\n'));
  return lines.filter((line) => NAMES.some((name) => name === line));
}

/** Drags a row by its handle to the middle of another, which may move to make room meanwhile. */
async function drag(page: Page, name: string, onto: string, offset: number): Promise<void> {
  const row = (one: string) => page.getByRole('listitem').filter({ has: rank(page, one) });
  const handle = (await row(name).locator('.rank-handle').boundingBox())!;
  await page.mouse.move(handle.x + 10, handle.y + 10);
  await page.mouse.down();
  for (const _ of ['there', 'and where it is now']) {
    const to = (await row(onto).boundingBox())!;
    await page.mouse.move(handle.x + 10, to.y + to.height / 2 + offset, { steps: 4 });
    await drawn(page);
  }
  await page.mouse.up();
}

test('by buttons: candidates are added, moved and removed, and every step is announced', async () => {
  const page = await openBallot();
  for (const name of [ADA, BO]) await add(page, name);
  expect(await spoken(page)).toBe(`${BO}, now 2 of 4`);
  expect(await focused(page)).toBe(`Add ${CY} to your order`);
  await button(page, `Move ${BO} up`).click();
  expect(await spoken(page)).toBe(`${BO}, now 1 of 4`);
  await button(page, `Take ${BO} out of your order`).click();
  expect(await spoken(page)).toBe(`${BO}, no longer ranked`);
  expect(await order(page)).toEqual([ADA]);
  expect(await unranked(page).locator('label').allInnerTexts()).toEqual([BO, CY, DOT]);
  for (const name of [DOT, BO, CY]) await add(page, name);
  for (const expected of [`${CY}, now 3 of 4`, `${CY}, now 2 of 4`, `${CY}, now 1 of 4`]) {
    await button(page, `Move ${CY} up`).click();
    expect(await spoken(page)).toBe(expected);
  }
  expect(await order(page)).toEqual(WANTED);
  await page.getByText('Everybody has a rank.').waitFor();
  await button(page, 'Review my choice').click();
  expect(await reviewed(page)).toEqual(WANTED);
});

test('by keyboard alone: from the first Tab to the confirmation', async () => {
  const page = await openBallot(DESK);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the content');
  // The next one in the list has the focus; after the last one, its rank.
  for (const [name, key, next] of [
    [BO, 'Enter', `Add ${CY} to your order`],
    [ADA, 'Space', `Add ${CY} to your order`],
    [DOT, 'Enter', `Add ${CY} to your order`],
    [CY, 'Space', `Rank of ${CY}`],
  ] as const) {
    await pressOn(page, `Add ${name} to your order`, key);
    expect(await focused(page)).toBe(next);
  }
  expect(await order(page)).toEqual([BO, ADA, DOT, CY]);
  await pressOn(page, `Move ${CY} up`, 'Enter');
  for (const _ of ['second', 'first']) await page.keyboard.press('Enter');
  expect(await spoken(page)).toBe(`${CY}, now 1 of 4`);
  expect(await focused(page)).toBe(`Move ${CY} up`);
  await page.keyboard.press('Enter');
  expect(await order(page)).toEqual([CY, BO, ADA, DOT]);

  await pressOn(page, `Move ${BO} down`, 'Space');
  expect(await spoken(page)).toBe(`${BO}, now 3 of 4`);
  await tabTo(page, `Rank of ${BO}`, 'Shift+Tab');
  await page.keyboard.press('ArrowDown');
  expect(await spoken(page)).toBe(`${BO}, now 4 of 4`);
  expect(await focused(page)).toBe(`Rank of ${BO}`);
  expect(await order(page)).toEqual(WANTED);

  await pressOn(page, 'Review my choice');
  expect(await reviewed(page)).toEqual(WANTED);
  await pressOn(page, 'Cast my vote');
  await page.locator('.thanks h1').waitFor();
  expect(await focused(page)).toBe('Your vote has been recorded.');
});

test('by pointer: candidates are dragged in, within, out and in again', async () => {
  const page = await openBallot({ viewport: { width: 1280, height: 1200 } });
  await add(page, BO);
  await drag(page, ADA, BO, -10);
  expect(await order(page)).toEqual([ADA, BO]);
  expect(await spoken(page)).toBe(`${ADA}, now 1 of 4`);
  await drag(page, BO, ADA, -10);
  expect(await order(page)).toEqual([BO, ADA]);
  await drag(page, BO, DOT, 0);
  expect(await order(page)).toEqual([ADA]);
  expect(await spoken(page)).toBe(`${BO}, no longer ranked`);
  await drag(page, CY, ADA, -10);
  await drag(page, BO, ADA, 10);
  await drag(page, DOT, BO, -10);
  expect(await order(page)).toEqual(WANTED);
  await button(page, 'Review my choice').click();
  expect(await reviewed(page)).toEqual(WANTED);
});

test('by the selects: choosing a taken rank moves the others down', async () => {
  const page = await openBallot();
  await rank(page, ADA).selectOption('1');
  await rank(page, BO).selectOption('2');
  await rank(page, DOT).selectOption('2');
  expect(await order(page)).toEqual([ADA, DOT, BO]);
  await rank(page, CY).selectOption('1');
  expect(await spoken(page)).toBe(`${CY}, now 1 of 4`);
  await rank(page, BO).selectOption('–');
  expect(await spoken(page)).toBe(`${BO}, no longer ranked`);
  await rank(page, BO).selectOption('4');
  expect(await order(page)).toEqual(WANTED);
  await button(page, 'Review my choice').click();
  expect(await reviewed(page)).toEqual(WANTED);
});

test('an untouched ballot is not cast by accident, with script or without', async () => {
  const page = await openBallot();
  expect(await order(page)).toEqual([]);
  await button(page, 'Review my choice').click();
  expect(await page.getByRole('alert').innerText()).toBe('4 of 4 have no rank yet. Rank all.');
  expect(await focused(page)).toBe(`Add ${ADA} to your order`);
  for (const name of [ADA, BO, CY]) await add(page, name);
  expect(await page.getByRole('alert').count()).toBe(0);
  await button(page, 'Review my choice').click();
  expect(await page.getByRole('alert').innerText()).toBe(
    '1 of 4 has no rank yet. Rank the rest, or let it follow as listed.',
  );

  const plain = await openBallot({ javaScriptEnabled: false });
  await button(plain, 'Review my choice').click();
  await plain.getByRole('alert').getByText('Your ballot is not complete yet').waitFor();
  for (const name of NAMES) expect(await words(plain)).toContain(`${name} has no rank yet.`);
  expect(await button(plain, 'Cast my vote').count()).toBe(0);
});

test('on the narrowest phone nothing is cut off and nothing scrolls sideways', async () => {
  const page = await openBallot({ viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBe(0);
  for (const name of WANTED) await add(page, name);
  expect(await overflow()).toBe(0);
  for (const row of await placed(page).getByRole('listitem').all()) {
    const edges = (await row.boundingBox())!;
    for (const control of await row.getByRole('button').or(row.getByRole('combobox')).all()) {
      const box = (await control.boundingBox())!;
      expect(box.x + box.width).toBeLessThanOrEqual(edges.x + edges.width);
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
    }
  }
  await button(page, 'Review my choice').click();
  expect(await reviewed(page)).toEqual(WANTED);
  expect(await overflow()).toBe(0);
});

test('Back from the review, or from another page, shows the order that was made', async () => {
  const page = await openBallot();
  await add(page, CY);
  await add(page, ADA);
  await page.goto(`/e/${election}`);
  await page.goBack();
  await expect.poll(() => order(page)).toEqual([CY, ADA]);

  await add(page, DOT);
  await add(page, BO);
  await button(page, 'Review my choice').click();
  await heading(page, 'Is this your vote?').waitFor();
  await page.goBack();
  await expect.poll(() => order(page)).toEqual(WANTED);
  await button(page, 'Review my choice').click();
  expect(await reviewed(page)).toEqual(WANTED);
});

test('on a partial ballot a row that is added after Back does not empty the others', async () => {
  const { id } = await addRanked(service, NAMES, { title: 'Steward', settings: { ranking: 'partial' } });
  const [token = ''] = await addTokens(service, id, 1);
  const page = await openTab(service.origin);
  await page.goto(`/e/${id}/vote?t=${token}`);
  await add(page, BO);
  await add(page, DOT);
  await button(page, 'Review my choice').click();
  await heading(page, 'Is this your vote?').waitFor();
  await page.goBack();
  await expect.poll(() => order(page)).toEqual([BO, DOT]);
  await add(page, ADA);

  expect(await order(page)).toEqual([BO, DOT, ADA]);
});

test.each([
  [320, '150%'],
  [375, '200%'],
])('at a width of %i with text of %s the bar leaves most of the screen to the list', async (width, size) => {
  const page = await openBallot({ viewport: { width, height: 812 } });
  await page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
  await drawn(page);

  const bar = await page.locator('.rank-bar').boundingBox();
  expect(bar?.height).toBeLessThan(812 / 4);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
});

test('on a phone the page of an open election has “Vote” on the first screen, before the candidates', async () => {
  const names = Array.from({ length: 6 }, (_, at) => `Candidate with a name of two lines, number ${at}`);
  const description = 'Two years, from January. '.repeat(10).trim();
  const { id } = await addRanked(service, names, { title: 'Treasurer of the wine committee', description });
  const page = await openTab(service.origin, PHONE);
  await page.goto(`/e/${id}`);

  const vote = (await heading(page, 'Vote').boundingBox())!;
  expect(vote.y + vote.height).toBeLessThan(812);
  const row = page.getByRole('listitem').filter({ hasText: names[0] ?? '' });
  expect((await row.boundingBox())!.y).toBeGreaterThan(vote.y);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
});

test('an abstention needs no ranks, and is not lost by looking again', async () => {
  const page = await openBallot();
  await add(page, ADA);
  await button(page, 'I abstain').click();
  await heading(page, 'You abstain').waitFor();
  await button(page, 'Change my answer').click();
  await button(page, 'I abstain').click();
  await heading(page, 'You abstain').waitFor();
  await button(page, 'Cast my vote').click();
  await page.locator('.thanks h1').waitFor();
});

test('the form of an officer shows the fields of an own rule only for it', async () => {
  const page = await openTab(service.origin, DESK);
  await page.goto('/admin/elections/new');
  const rule = page.getByLabel('What is needed to pass?');
  const own = page.getByLabel('Our own rule: how many must say yes');
  const fraction = page.getByLabel('Fraction').first();
  await own.waitFor({ state: 'hidden' });
  await rule.selectOption('own');
  await own.waitFor();
  await fraction.waitFor({ state: 'hidden' });
  await own.selectOption('at_least');
  await fraction.waitFor();
  await page.getByRole('radio', { name: 'Poll' }).check();
  await rule.waitFor({ state: 'hidden' });
});
