// Ballots with many candidates, on a phone and by keyboard; unranked candidates; and the matrix of the result.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  drawn,
  type ListeningService,
  listeningService,
  PHONE,
} from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { focused, pressTab } from '#test/support/browser/keyboard.ts';
import { addRanked, addTokens, castAll } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { button, heading, words } from './election-steps.ts';

const NAMES = Array.from({ length: 50 }, (_, at) => `Candidate Number ${at + 1}`);
const SIX = [
  'Ada Thornbury',
  'Bo Lindqvist',
  'Cyrus Okafor',
  'Dot van Rensselaer',
  'Emeka Adeyemi',
  'Fay Li',
];
/** Rows are animated, which must not disturb scrolling them into view. */
const MOVING = { ...PHONE, reducedMotion: 'no-preference' } as const;
const openTab = keptTabs();
let service: ListeningService;

beforeAll(async () => {
  service = await listeningService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function openBallot(names: string[], fields: object = {}, voters = 5) {
  const settings = { hide_results_until_close: true };
  const { id } = await addRanked(service, names, { title: 'The committee', settings, ...fields });
  // With fewer voters the page warns that votes can be guessed.
  const [token = ''] = await addTokens(service, id, voters);
  const page = await openTab(service.origin, MOVING);
  await page.goto(`/e/${id}/vote?t=${token}`);
  await heading(page, 'The committee').waitFor();
  await add(page, names[0] ?? '').waitFor();
  return page;
}

const add = (page: Page, name: string) => button(page, `Add ${name} to your order`);
const order = (page: Page) => page.locator('.rank-placed label').allTextContents();
const said = (page: Page) => page.locator('[data-rank-status]').innerText();

/** Returns the problem of the focused element (off screen, or covered), or an empty string. Runs in the page. */
function focusProblem(): string {
  const element = document.activeElement;
  if (!element || element === document.body) return 'nothing has the focus';
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const name = element.getAttribute('aria-label') ?? element.textContent;
  if (top < 0 || bottom > innerHeight) return `${name} is at ${top} to ${bottom} of ${innerHeight}`;
  const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return element === over || element.contains(over) ? '' : `${name} is under ${over?.className}`;
}

/** Returns the same, after all animations have ended. */
async function hiddenFocus(page: Page): Promise<string> {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  return page.evaluate(focusProblem);
}

/** Presses a key repeatedly, with no animation running. @returns the problems before each press and after the last */
async function problemsOnTheWay(page: Page, key: 'Tab' | 'Shift+Tab', presses: number): Promise<string[]> {
  await hiddenFocus(page);
  const found = await page.evaluateHandle(`{
    const found = [];
    addEventListener('keydown', ({ key }) => key === 'Tab' && found.push((${focusProblem})()), { capture: true });
    found;
  }`);
  await pressTab(page, key, presses);
  const problems = [...((await found.jsonValue()) as string[]), await hiddenFocus(page)];
  expect(problems.length).toBe(presses + 1);
  return problems.filter(Boolean);
}

test('on a phone the first candidates are in view in compact rows, above the bar with the count', async () => {
  const description = 'Two years, from January.\nThe committee meets on the first Tuesday of each month.';
  const page = await openBallot(NAMES.slice(0, 20), { description });
  await page.getByText('The committee meets').waitFor();
  const bar = page.locator('.rank-bar');
  expect(await bar.innerText()).toContain('0 of 20 ranked');
  const barTop = (await bar.boundingBox())!.y;
  for (const name of NAMES.slice(0, 2)) {
    const row = (await page
      .locator('.rank-row')
      .filter({ has: add(page, name) })
      .boundingBox())!;
    expect(row.y + row.height).toBeLessThan(barTop);
    expect(row.height).toBeLessThan(60);
  }

  for (const name of NAMES.slice(0, 3)) await add(page, name).click();
  expect(await order(page)).toEqual(NAMES.slice(0, 3));
  for (const row of await page.locator('.rank-placed .rank-row').all())
    expect((await row.boundingBox())!.height).toBeLessThan(60);
  const [up, down] = [button(page, `Move ${NAMES[0]} up`), button(page, `Move ${NAMES[0]} down`)];
  const look = (one: typeof up) =>
    one.evaluate((element) => [
      getComputedStyle(element).backgroundColor,
      getComputedStyle(element).borderTopColor,
    ]);
  expect(await look(up)).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
  expect((await look(down))[1]).not.toBe('rgba(0, 0, 0, 0)');
});

test('adding a candidate far down is announced and does not move the list', async () => {
  const page = await openBallot(NAMES.slice(0, 20));
  const [far, before] = [NAMES[14] ?? '', NAMES[13] ?? ''];
  await add(page, far).scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollBy(0, 100));
  const top = async () => (await add(page, before).boundingBox())!.y;
  const was = await top();
  await add(page, far).click();
  expect(await said(page)).toBe(`${far}, now 1 of 20`);
  expect(await page.locator('.rank-bar').innerText()).toContain('1 of 20 ranked');
  expect(await page.locator('[data-rank-status]').isVisible()).toBe(true);
  expect(await focused(page)).toBe(`Add ${before} to your order`);
  expect(await hiddenFocus(page)).toBe('');
  await expect.poll(async () => Math.abs((await top()) - was)).toBeLessThanOrEqual(1);
  expect(await order(page)).toEqual([far]);
});

test('by keyboard the focus goes on to the next candidate that can be added, never off screen or covered', async () => {
  const page = await openBallot(NAMES);
  const problems: string[] = [];
  const check = async () => {
    const problem = await hiddenFocus(page);
    if (problem) problems.push(problem);
  };
  // The last one listed has none after it: the first one that is left is next.
  const nexts = new Map([
    [48, 49],
    [2, 3],
    [30, 31],
    [10, 11],
    [49, 0],
    [1, 3],
    [20, 21],
    [5, 6],
  ]);
  for (const [index, next] of nexts) {
    await add(page, NAMES[index] ?? '').focus();
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe(`Add ${NAMES[next]} to your order`);
    expect(await said(page)).toContain(`${NAMES[index]}, now `);
    await drawn(page);
    await check();
  }
  await button(page, `Move ${NAMES[5]} up`).focus();
  await page.keyboard.press('Enter');
  await check();
  expect(await said(page)).toBe(`${NAMES[5]}, now 7 of 50`);
  // Two Tabs lead from the last row of the order to the first candidate that can be added; then 42 candidates follow.
  await button(page, `Take ${NAMES[20]} out of your order`).focus();
  for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
  expect(await focused(page)).toBe(`Add ${NAMES[0]} to your order`);
  problems.push(...(await problemsOnTheWay(page, 'Tab', 2 * 42)));
  problems.push(...(await problemsOnTheWay(page, 'Shift+Tab', 2 * 42)));
  expect(problems).toEqual([]);
}, 120_000);

test('by keyboard all are added without a Tab, and the focus ends at the rank of the last one', async () => {
  const page = await openBallot(SIX);
  await add(page, SIX[2] ?? '').focus();
  for (const at of [2, 3, 4, 5, 0, 1]) {
    expect(await focused(page)).toBe(`Add ${SIX[at]} to your order`);
    await page.keyboard.press('Space');
    expect(await said(page)).toContain(`${SIX[at]}, now `);
  }
  expect(await focused(page)).toBe(`Rank of ${SIX[1]}`);
  expect(await order(page)).toEqual([2, 3, 4, 5, 0, 1].map((at) => SIX[at]));
});

test('with live results and few voters the first candidate is on the first screen of a phone', async () => {
  await appoint(service, 'olga@club.example', 'owner');
  const page = await openBallot(SIX, { settings: {} }, 2);
  await page.getByText('Someone who sees them change when you vote can learn your vote.').first().waitFor();
  const row = (await page.locator('.rank-row').first().boundingBox())!;
  expect(row.y + row.height).toBeLessThan((await page.locator('.rank-bar').boundingBox())!.y);

  await page.getByRole('link', { name: 'Why?' }).click();
  await page.getByText('Fewer than five people have a voting code.').waitFor();
});

test('where every candidate needs a rank, the rest can be ranked as listed', async () => {
  const page = await openBallot(SIX);
  await button(page, 'Review my choice').click();
  expect(await page.getByRole('alert').innerText()).toBe('6 of 6 have no rank yet. Rank all.');
  expect(await page.getByText('as listed').count()).toBe(1);
  expect(await page.getByText('Rank the other 6 as listed').isVisible()).toBe(false);
  for (const name of [SIX[4], SIX[1], SIX[3]]) await add(page, name ?? '').click();
  await button(page, 'Review my choice').click();
  expect(await page.getByRole('alert').innerText()).toBe(
    '3 of 6 have no rank yet. Rank the rest, or let it follow as listed.',
  );
  expect(await focused(page)).toBe(`Add ${SIX[0]} to your order`);
  expect(await hiddenFocus(page)).toBe('');
  await button(page, 'Rank the other 3 as listed').click();
  expect(await order(page)).toEqual([4, 1, 3, 0, 2, 5].map((at) => SIX[at]));
  expect(await said(page)).toBe('The other 3 follow as they were listed');
  expect(await focused(page)).toBe(`Move ${SIX[0]} up`);
  expect(await page.getByRole('alert').count()).toBe(0);
  await button(page, 'Review my choice').click();
  await heading(page, 'Is this your vote?').waitFor();
});

test('where a partial ranking is enough, the ballot and the review say how the others count', async () => {
  const page = await openBallot(SIX, { settings: { ranking: 'partial' } });
  await heading(page, 'Rank one or more of 6 candidates').waitFor();
  expect(await words(page)).toContain('The candidates that you do not rank share the last place.');
  await heading(page, 'Not ranked (shared last place)').waitFor();
  await button(page, 'Review my choice').click();
  expect(await page.getByRole('alert').innerText()).toBe(message('rank_one'));
  for (const name of [SIX[4], SIX[1]]) await add(page, name ?? '').click();
  await button(page, 'Review my choice').click();
  await heading(page, 'Is this your vote?').waitFor();
  expect(await words(page)).toContain(`${SIX[0]}, ${SIX[2]}, ${SIX[3]} and ${SIX[5]}.`);
  await button(page, 'Change my answer').click();
  await heading(page, 'Not ranked (shared last place)').waitFor();
  expect(await order(page)).toEqual([SIX[4], SIX[1]]);
  await button(page, 'Review my choice').click();
  await button(page, 'Cast my vote').click();
  await page.locator('.thanks h1').waitFor();
});

test('a wide matrix shows that it scrolls, keeps its names, and scrolls by keyboard to its last column', async () => {
  const { id, ids } = await addRanked(service, SIX);
  await castAll(service, id, [{ ranking: SIX.map((name) => ids[name]) }]);
  await service.post(`/admin/elections/${id}/close`);
  const page = await openTab(service.origin, MOVING);
  await page.goto(`/e/${id}`);
  const region = page.getByRole('region', { name: 'Head to head' });
  const shade = () =>
    region.evaluate((element) => getComputedStyle(element.parentElement ?? element, '::after').opacity);
  const last = region.getByRole('columnheader', { name: SIX[5] ?? '' });
  const name = region.getByRole('rowheader', { name: SIX[0] ?? '' });
  const edge = async () => (await region.boundingBox())!;
  await region.scrollIntoViewIfNeeded();
  expect(await page.getByText('6 columns, A to F: scroll sideways').first().isVisible()).toBe(true);
  expect(await shade()).toBe('1');
  expect((await last.boundingBox())!.x).toBeGreaterThan((await edge()).x + (await edge()).width);

  await region.focus();
  const isAtEnd = () =>
    region.evaluate((element) => element.scrollLeft + element.clientWidth >= element.scrollWidth - 1);
  while (!(await isAtEnd())) {
    await page.keyboard.press('ArrowRight');
    await drawn(page);
  }
  const { x, width } = await edge();
  const end = (await last.boundingBox())!;
  expect(end.x + end.width).toBeLessThanOrEqual(x + width + 1);
  expect((await name.boundingBox())!.x).toBeCloseTo(x, 0);
  await expect.poll(shade).toBe('0');
});
