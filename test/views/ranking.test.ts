import type { Browser, BrowserContextOptions, Locator, Page, ViewportSize } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Html, html } from '#kernel/html.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { drawn, resize } from '#test/support/browser/browser-service.ts';
import { page as service } from '#views/layout.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import { openAnsweredTab } from './answered-tab.ts';
import { candidates, closes, election } from './samples.ts';

const NAMES = ['Ada', 'Bo', 'Cy', 'Dot', 'None of the above'];
/** Tall enough that no drag scrolls, and without motion, so that positions can be measured. */
const DESK = { size: { width: 1280, height: 1200 } };
const PICTURE = { url: '/photo', alt: null } as unknown as OptionJson['picture'];
const SMALL = { width: 375, height: 812 };
let browser: Browser;
let posted: string[] = [];
/** The ballot that every tab is answered with. */
let ballot: Html;
/** The tab of all tests that need no options of their own. */
let kept: Page;

beforeAll(async () => {
  browser = await sharedBrowser();
  kept = await openAnswered();
});
afterAll(() => closePages(browser));
beforeEach(() => {
  posted = [];
});

const openAnswered = (options: BrowserContextOptions = {}): Promise<Page> =>
  openAnsweredTab(
    browser,
    ({ path, body }) => {
      if (path === '/ballot') return ballot;
      const fields = [...new URLSearchParams(body)].filter(([name]) => name !== 'filling');
      posted = fields.map(([name, value]) => `${name}=${value}`);
      return service({ title: 'Review', body: html`<h1>Review</h1>` });
    },
    options,
  );

async function openBallot(
  {
    page = kept,
    size = SMALL,
    options = candidates(NAMES),
  }: { page?: Page; size?: ViewportSize; options?: OptionJson[] } = {},
  ranks: Record<string, string> = {},
): Promise<Page> {
  ballot = viewOf('RANKED_CONDORCET').ballotPage({
    election: { ...election(), description: null },
    closes,
    few: false,
    token: 't',
    submissionId: 's',
    options,
    entry: ranks,
  });
  await resize(page, size);
  await page.goto('/ballot');
  return page;
}

/** Candidates with a picture and a text. */
const shown = (names: readonly string[]): OptionJson[] =>
  candidates(names).map((one) => ({ ...one, text: 'Kept the books.', picture: PICTURE }));

const order = (page: Page) => page.locator('.rank-placed label').allTextContents();
const unranked = (page: Page) => page.locator('[data-rank-rows] label').allTextContents();
const spoken = (page: Page) => page.locator('[data-rank-status]').textContent();
const add = (page: Page, name: string) =>
  page.getByRole('button', { name: `Add ${name} to your order` }).click();
const rank = (page: Page, name: string) => page.getByLabel(`Rank of ${name}`);
const rowOf = (page: Page, name: string) =>
  page.locator('.rank-row', { has: page.getByText(name, { exact: true }) });

/** Presses on the handle of a row and moves to the middle of another, following it where the gap pushes it. */
async function dragTo(page: Page, name: string, target: Locator, offset: number): Promise<void> {
  const handle = (await rowOf(page, name).locator('.rank-handle').boundingBox())!;
  await page.mouse.move(handle.x + 10, handle.y + 10);
  await page.mouse.down();
  for (const _ of ['there', 'and where it is now']) {
    const to = (await target.boundingBox())!;
    await page.mouse.move(handle.x + 10, to.y + to.height / 2 + offset, { steps: 6 });
    await drawn(page);
  }
}

describe('with script', () => {
  test('nobody has a rank until the voter acts, and an unfinished order is not sent', async () => {
    const page = await openBallot();
    expect(await order(page)).toEqual([]);
    await page.getByRole('button', { name: 'Review my choice' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('5 of 5 have no rank yet.');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Add Ada to your order',
    );
    expect(posted).toEqual([]);
  });

  test('adding, arrows and ranks stay in sync, are announced, and keep the focus', async () => {
    const page = await openBallot();
    for (const name of ['Cy', 'Ada', 'Bo']) await add(page, name);
    expect(await order(page)).toEqual(['Cy', 'Ada', 'Bo']);

    await page.getByRole('button', { name: 'Move Bo up' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await order(page)).toEqual(['Bo', 'Cy', 'Ada']);
    expect(await spoken(page)).toBe('Bo, now 1 of 5');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move Bo up');
    expect(await rank(page, 'Ada').inputValue()).toBe('3');

    await rank(page, 'Bo').selectOption('3');
    expect(await order(page)).toEqual(['Cy', 'Ada', 'Bo']);
    await rank(page, 'Dot').selectOption('1');
    expect(await order(page)).toEqual(['Dot', 'Cy', 'Ada', 'Bo']);
    await page.getByRole('button', { name: 'Take Cy out of your order' }).click();
    expect(await unranked(page)).toEqual(['Cy', 'None of the above']);
    expect(await spoken(page)).toBe('Cy, no longer ranked');
  });

  test('the form sends what is shown', async () => {
    const page = await openBallot();
    for (const name of ['Dot', 'Cy', 'Bo', 'Ada', 'None of the above']) await add(page, name);
    await page.getByRole('button', { name: 'Review my choice' }).click();
    await page.getByRole('heading', { name: 'Review' }).waitFor();
    expect(posted).toEqual([
      'token=t',
      'submission_id=s',
      ...['c4=1', 'c3=2', 'c2=3', 'c1=4', 'c5=5'].map((one) => `rank_${one}`),
    ]);
  });

  test('a row is dragged into the order, within it, and out again', async () => {
    const page = await openBallot(DESK);
    for (const name of ['Ada', 'Bo']) await add(page, name);
    await dragTo(page, 'Dot', rowOf(page, 'Bo'), -10);
    await page.mouse.up();
    expect(await order(page)).toEqual(['Ada', 'Dot', 'Bo']);
    await dragTo(page, 'Bo', rowOf(page, 'Ada'), -10);
    await page.mouse.up();
    expect(await order(page)).toEqual(['Bo', 'Ada', 'Dot']);
    expect(await rank(page, 'Dot').inputValue()).toBe('3');
    await dragTo(page, 'Ada', rowOf(page, 'Cy'), 0);
    await page.mouse.up();
    expect(await order(page)).toEqual(['Bo', 'Dot']);
    expect(await spoken(page)).toBe('Ada, no longer ranked');
  });

  test('a tap on the name or the picture adds a candidate; a tap on “About” only unfolds the text', async () => {
    const page = await openBallot({
      page: await openAnswered({ hasTouch: true, isMobile: true }),
      options: shown(NAMES),
    });
    await rowOf(page, 'Bo').locator('label').tap();
    expect(await order(page)).toEqual(['Bo']);
    expect(await spoken(page)).toBe('Bo, now 1 of 5');
    await rowOf(page, 'Ada').locator('img').tap();
    await rowOf(page, 'Cy').locator('summary').tap();
    await rowOf(page, 'Cy').getByText('Kept the books.').tap();
    expect(await order(page)).toEqual(['Bo', 'Ada']);
    await rowOf(page, 'Bo').locator('label').tap();
    expect(await order(page)).toEqual(['Bo', 'Ada']);
  });

  test('a row on a phone is one to read from the number to the handle, and 80 px high at most', async () => {
    const page = await openBallot({ options: shown(NAMES) });
    for (const name of ['Ada', 'Bo', 'Cy']) await add(page, name);
    const row = rowOf(page, 'Bo');
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(80);
    const parts = [rank(page, 'Bo'), row.locator('img'), row.locator('label'), row.locator('.rank-handle')];
    const boxes = await Promise.all(parts.map(async (part) => (await part.boundingBox())!));
    expect(boxes[1]).toMatchObject({ width: 56, height: 56 });
    for (const [at, { x }] of boxes.slice(1).entries())
      expect(x).toBeGreaterThanOrEqual(boxes[at]!.x + boxes[at]!.width);
    const about = (await row.locator('summary').boundingBox())!;
    expect(about.y).toBeGreaterThanOrEqual(boxes[2]!.y + boxes[2]!.height - 1);
  });

  test.each([
    [320, ''],
    [375, '200%'],
    [1280, '200%'],
  ])(
    'at a width of %i with text of “%s” 30 candidates with names of 80 letters fit',
    async (width, fontSize) => {
      const names = Array.from({ length: 30 }, (_, at) =>
        at % 2 === 0 ? `${at} ${'Maximiliane '.repeat(7)}`.slice(0, 80).trim() : `${at}${'w'.repeat(78)}`,
      );
      const page = await openBallot({ size: { width, height: 800 }, options: shown(names) });
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
      }, fontSize);
      for (const name of names.slice(0, 12)) await add(page, name);
      const faults = await page.evaluate(() => {
        const found: string[] = [];
        for (const row of document.querySelectorAll('.rank-row')) {
          const edges = row.getBoundingClientRect();
          for (const control of row.querySelectorAll<HTMLElement>('button, select, summary')) {
            const { left, right, width, height } = control.getBoundingClientRect();
            if (width === 0) continue;
            const of = control.getAttribute('aria-label') ?? control.innerText;
            if (left < edges.left || right > edges.right) found.push(`${of} leaves its row`);
            if (Math.min(width, height) < 44) found.push(`${of}: ${width} x ${height}`);
          }
        }
        return found;
      });
      expect(faults).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await order(page)).toEqual(names.slice(0, 12));
    },
  );

  test('Escape ends a drag without a change', async () => {
    const page = await openBallot(DESK);
    for (const name of ['Ada', 'Bo']) await add(page, name);
    await dragTo(page, 'Bo', rowOf(page, 'Ada'), -10);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await order(page)).toEqual(['Ada', 'Bo']);
    expect(await page.locator('.rank-gap').count()).toBe(0);
  });

  test('a row can be dragged by touch too', async () => {
    const page = await openBallot({ page: await openAnswered({ hasTouch: true, isMobile: true }) });
    for (const name of ['Ada', 'Bo', 'Cy']) await add(page, name);
    await rowOf(page, 'Cy').scrollIntoViewIfNeeded();
    await drawn(page);
    const from = (await rowOf(page, 'Cy').locator('.rank-handle').boundingBox())!;
    const to = (await rowOf(page, 'Ada').boundingBox())!;
    const touch = await page.context().newCDPSession(page);
    const at = (y: number) => [{ x: from.x + 15, y }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from.y + 15) });
    for (const part of [0.3, 0.6, 1]) {
      const y = from.y + 15 + (to.y + 8 - from.y - 15) * part;
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(y) });
      await drawn(page);
    }
    await page.locator('.rank-placed > .rank-gap:first-child').waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(await order(page)).toEqual(['Cy', 'Ada', 'Bo']);
  });

  test('ranks that the server sends back are kept, except those given twice', async () => {
    const page = await openBallot({}, { c1: '2', c2: '1', c3: '2', c4: '' });
    expect(await order(page)).toEqual(['Bo']);
    const again = await openBallot({}, { c1: '2', c2: '1', c3: '4' });
    expect(await order(again)).toEqual(['Bo', 'Ada', 'Cy']);
  });
});

test('without script every candidate has a rank to pick, and the form is sent as it is', async () => {
  const page = await openBallot({ page: await openAnswered({ javaScriptEnabled: false }) });
  await page.getByLabel('Cy').selectOption('1');
  await page.getByLabel('Ada').selectOption('1');
  await page.getByRole('button', { name: 'Review my choice' }).click();
  await expect
    .poll(() => posted.slice(2))
    .toEqual(['rank_c1=1', 'rank_c2=', 'rank_c3=1', 'rank_c4=', 'rank_c5=']);
});
