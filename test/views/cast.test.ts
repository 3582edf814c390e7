import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { formatted } from '#kernel/language/words.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { stopClock } from '#test/support/browser/page-timers.ts';
import { errorPage } from '#views/error.ts';
import { confirmationPage } from '#views/voting/ballots/confirmation.ts';
import { reviewPage } from '#views/voting/ballots/review.ts';
import { tokenStatePage } from '#views/voting/token-state.ts';
import { type Answer, openAnsweredTab } from './answered-tab.ts';
import { closes, election, opens } from './samples.ts';

const review = reviewPage({
  election: { ...election(), ballot_type: 'SIMPLE_TRIPLE' },
  closes,
  few: false,
  token: 't1',
  submissionId: 's1',
  inclusionCode: 'c0de',
  action: '/e/e1/vote',
  choice: 'yes',
  longest: ['abstain'],
});
const thanks = confirmationPage({
  election: election(),
  few: false,
  resultsWhen: 'Soon.',
  inclusionCode: 'c0de',
});
let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

/** Opens the review page of a service that answers each attempt with the next of `answers`. */
async function open(answers: Answer[], options: Parameters<typeof openAnsweredTab>[2] = {}) {
  const bodies: string[] = [];
  const page = await openAnsweredTab(
    browser,
    ({ path, body }) => {
      if (path !== '/e/e1/vote') return path === '/review' ? review : undefined;
      bodies.push(body);
      return answers.shift() ?? thanks;
    },
    options,
  );
  await page.goto('/review');
  return { page, bodies };
}

test('a ballot is sent unchanged until the service answers, and no failure is reported meanwhile', async () => {
  const busy = { status: 429, headers: { 'retry-after': '1' }, body: errorPage({ status: 429 }) };
  const { page, bodies } = await open(['no answer', busy, { status: 503 }]);
  await stopClock(page);
  await page.getByRole('button', { name: 'Cast my vote' }).click();
  await page.getByText('Still sending … Your choice is kept.').waitFor();
  expect(await page.getByRole('button', { name: 'Change my answer' }).isDisabled()).toBe(true);
  expect(await page.locator('main').textContent()).not.toMatch(/not counted|not recorded|failed/i);
  await page.clock.fastForward(SECOND);
  await page.getByText('Busy at the moment … Your choice is kept.').waitFor();
  await page.clock.fastForward(SECOND);
  await page.getByText('it tries again in 4 seconds.').waitFor();
  await page.clock.fastForward(4 * SECOND);
  await page.locator('.thanks h1').waitFor();
  expect(new Set(bodies).size).toBe(1);
  expect(bodies).toHaveLength(4);
  expect(bodies[0]).toBe('token=t1&submission_id=s1&inclusion_code=c0de&choice=yes&filling=....');
  expect(await page.title()).toContain('Your vote has been recorded');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  expect(new URL(page.url()).pathname).toBe('/e/e1');
});

test('the time until the next attempt counts down', async () => {
  const busy = { status: 429, headers: { 'retry-after': '45' }, body: errorPage({ status: 429 }) };
  const { page } = await open([busy]);
  await stopClock(page);
  await page.getByRole('button', { name: 'Cast my vote' }).click();
  const status = page.getByRole('status');
  await status.getByText('it tries again in 45 seconds.').waitFor();
  await page.clock.runFor(40 * SECOND);
  await status.getByText('it tries again in 5 seconds.').waitFor();
  await page.clock.runFor(5 * SECOND);
  await page.locator('.thanks h1').waitFor();
});

test('the page for too many requests counts down, and says when it can be loaded again', async () => {
  const page = await openAnsweredTab(browser, ({ path }) =>
    path === '/busy'
      ? errorPage({ status: 429, retryAfter: 59, retryAt: formatted(() => '8:31 PM') })
      : undefined,
  );
  await stopClock(page);
  await page.goto('/busy');
  await page.getByText('in 59 seconds. Load this page again then, at 8:31 PM; if').waitFor();
  await page.clock.runFor(50 * SECOND);
  await page.getByText('You can try again in 9 seconds.').waitFor();
  await page.clock.runFor(9 * SECOND);
  await page.getByText('You can try again now: load this page again.').waitFor();
});

test('a refusal is shown at once, as its own page', async () => {
  const used = tokenStatePage({
    election: election(),
    state: 'used',
    contact: null,
    status: 'open',
    code: '',
    opens,
    closes,
  });
  const { page, bodies } = await open([{ status: 403, body: used }]);
  await page.getByRole('button', { name: 'Cast my vote' }).click();
  await page.getByRole('heading', { name: 'A ballot was already recorded with this link' }).waitFor();
  expect(bodies).toHaveLength(1);
});

test('two taps cast one ballot', async () => {
  const { page, bodies } = await open([]);
  await page.getByRole('button', { name: 'Cast my vote' }).dblclick();
  await page.locator('.thanks h1').waitFor();
  expect(bodies).toHaveLength(1);
});

test('the code on the confirmation page can be copied, which is announced', async () => {
  const { page } = await open([], { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Cast my vote' }).click();
  await page.getByRole('button', { name: 'Copy your code' }).click();
  await page.getByRole('status').getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('c0de');
});

test('without script the form casts the same ballot', async () => {
  const { page, bodies } = await open([], { javaScriptEnabled: false });
  await page.getByRole('button', { name: 'Cast my vote' }).click();
  await page.locator('.thanks h1').waitFor();
  expect(bodies).toEqual(['token=t1&submission_id=s1&inclusion_code=c0de&choice=yes&filling=....']);
  expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0);
});
