import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openRoom } from '#test/meetings/a-meeting.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK, drawn, LONGEST_PRESS_MS, openTab, PHONE } from '#test/support/browser/browser-service.ts';
import { timersByHand } from '#test/support/browser/page-timers.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

const NAMES = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay'];
const poll = { ballot_type: 'POLL', options: ['Blue', 'Red'] };
const ranked = { ballot_type: 'RANKED_CONDORCET', candidates: ['Ivy', 'Lee'] };

/** A meeting with cards, in a service that listens. */
async function listeningRoom(fields: object = {}) {
  const one = await openRoom(fields, NAMES);
  await one.arrive(NAMES);
  const origin = await one.service.app.listen({ port: 0, host: '127.0.0.1' });
  return Object.assign(one, { origin });
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('the ballot appears on the page that is open, half a ballot is kept, and the page goes on after the cast', async () => {
  await using one = await listeningRoom();
  const [first = '', second = ''] = one.codes;
  const motion = await one.add({ kind: 'motion', title: 'New lamps', text: 'At most 900' });
  const colour = await one.add({ kind: 'election', title: 'Colour', question: poll });
  const chair = await one.add({ kind: 'election', title: 'Chair', question: ranked });
  const page = await openTab(browser, one.origin, PHONE);
  await page.goto(`/m/${one.id}?t=${first}`);
  expect(page.url()).toBe(`${one.origin}/m/${one.id}/card`);
  // It is gone once the page was loaded anew.
  await page.evaluate(() => document.documentElement.setAttribute('data-same', ''));
  const isSame = () => page.locator('html[data-same]').count();

  await one.act(motion.id, 'open', { seconds: 600 });
  await heading(page, '1. New lamps').waitFor();
  await page.getByText(/Closing in/).waitFor();
  await page.getByRole('radio', { name: 'Yes' }).check();
  await one.act(colour.id, 'open');
  await page.getByText('Another vote is open').waitFor();
  expect([await page.getByRole('radio', { name: 'Yes' }).isChecked(), await isSame()]).toEqual([true, 1]);

  await press(page, 'Review');
  await heading(page, 'Are these your votes?').waitFor();
  await page.getByText(/Closing in/).waitFor();
  await press(page, 'Cast my votes');
  await page.getByText('New lamps: you have voted').waitFor();
  expect(page.url()).toBe(`${one.origin}/m/${one.id}/card`);
  await page.getByRole('radio', { name: 'Blue' }).waitFor();
  await one.act(colour.id, 'close');
  await page.getByRole('radio', { name: 'Blue' }).waitFor({ state: 'detached' });
  await page.getByText('Voting has closed. The result will be announced.').waitFor();
  await one.act(motion.id, 'close');
  await one.act(motion.id, 'call');
  await one.act(motion.id, 'declare');
  await page.getByText('1 yes to 0 no').waitFor();

  // Its script comes with it.
  await one.act(chair.id, 'open');
  await page.getByRole('button', { name: 'Add Ivy' }).waitFor();

  // Another member's card on the same phone.
  await page.getByRole('link', { name: 'Vote with another card on this phone' }).click();
  await page.getByLabel('The code on your card').fill(second);
  await press(page, 'Use this card');
  await page.getByRole('button', { name: 'Add Lee' }).click();
  await page.getByRole('button', { name: 'Add Ivy' }).click();
  await press(page, 'Review');
  await press(page, 'Cast my vote');
  await page.getByText('Your vote is recorded').waitFor();
  expect((await one.item(chair.id)).state).toBe('open');
});

test('without script the page loads itself again, but never a ballot that is being filled in', async () => {
  await using one = await listeningRoom();
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  const page = await openTab(browser, one.origin, { ...PHONE, javaScriptEnabled: false });
  const again = () => page.locator('meta[http-equiv=refresh]').count();
  await page.goto(`/m/${one.id}?t=${one.codes[0]}`);
  expect(await again()).toBe(1);
  await one.act(motion.id, 'open');
  await page.getByRole('radio', { name: 'Yes' }).waitFor();
  expect(await again()).toBe(0);
  await page.getByRole('link', { name: 'Do not vote now' }).click();
  expect(await again()).toBe(1);
  await page.getByRole('link', { name: 'Vote now' }).click();
  await page.getByRole('radio', { name: 'No', exact: true }).check();
  await press(page, 'Review');
  await press(page, 'Cast my vote');
  await page.getByText('Your vote is recorded').waitFor();
  expect([page.url(), await again()]).toEqual([`${one.origin}/m/${one.id}/card`, 1]);
});

test('a double tap of the chair opens voting, and neither it nor the tap of a second chair closes it', async () => {
  await using one = await listeningRoom();
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(motion.id, 'call');
  const [page, second] = [await openTab(browser, one.origin, DESK), await openTab(browser, one.origin, DESK)];
  // The time in which a second tap counts as half of a double tap does not pass by itself.
  for (const tab of [page, second])
    await tab.addInitScript(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.room-now .button { animation-play-state: paused }');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    });
  const tap = async (name: string, on = page) => {
    const { x, y, width, height } = (await on.getByRole('button', { name, exact: true }).boundingBox())!;
    await on.mouse.click(x + width / 2, y + height / 2);
  };
  const add = async (name: string, on = page) => {
    await on.getByLabel('Add a speaker').fill(name);
    await press(on, 'Add');
    await on.getByRole('button', { name: `Remove ${name}` }).waitFor();
  };
  const pass = () => page.evaluate(() => document.getAnimations().forEach((one) => void one.finish()));
  for (const tab of [page, second]) await tab.goto(`${one.base}/chair`);
  await tap('Open voting');
  expect((await one.item(motion.id)).state).toBe('prepared');
  await pass();
  await second.evaluate(() => document.getAnimations().forEach((one) => void one.finish()));
  await tap('Open voting');
  await page.getByRole('button', { name: 'Close voting' }).waitFor();
  await tap('Close voting');
  await add('Ann');
  // The button of the second chair has just changed.
  await second.getByRole('button', { name: 'Close voting' }).waitFor();
  await tap('Close voting', second);
  await add('Bob', second);
  expect((await one.item(motion.id)).state).toBe('open');
});

test('a second chair’s page follows the first, and its focus and pressed button stay', async () => {
  await using one = await listeningRoom();
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  const [first, second] = [
    await openTab(browser, one.origin, DESK),
    await openTab(browser, one.origin, DESK),
  ];
  await timersByHand(second, LONGEST_PRESS_MS);
  for (const page of [first, second]) await page.goto(`${one.base}/chair`);
  await press(first, 'Begin: 1. New lamps');
  await second.getByRole('button', { name: 'Open voting' }).waitFor();
  await press(first, 'Open voting');
  await second.getByRole('button', { name: 'Close voting' }).focus();
  await one.vote(one.codes[0]!, motion.election_id, { choice: 'yes' });
  await second.getByText('1 of 6 votes cast').waitFor();
  expect(await second.evaluate(() => document.activeElement?.textContent)).toBe('Close voting');

  // Somebody votes while the button is pressed.
  await second.getByRole('button', { name: 'Close voting' }).hover();
  await second.mouse.down();
  const polled = second.waitForResponse((response) => response.request().resourceType() === 'fetch');
  await one.vote(one.codes[1]!, motion.election_id, { choice: 'yes' });
  await (await polled).finished();
  await drawn(second);
  await second.mouse.up();
  await first.getByRole('button', { name: 'Announce the result' }).waitFor();
});

test('a page that has lost the network says so, and goes on where the meeting is', async () => {
  await using one = await listeningRoom();
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  const page = await openTab(browser, one.origin, PHONE);
  await page.clock.install();
  await page.goto(`/m/${one.id}?t=${one.codes[0]}`);
  const away = page.getByText('No connection.');
  await page.context().setOffline(true);
  // The browser does not notice that its stream is dead.
  await expect
    .poll(async () => {
      await page.clock.fastForward(30_000);
      return away.count();
    })
    .toBe(1);
  await one.act(motion.id, 'open');
  await page.context().setOffline(false);
  await page.getByRole('radio', { name: 'Yes' }).waitFor();
  expect(await away.count()).toBe(0);
});

test('a TV shows the wall over its programme, and its programme again once it is given back', async () => {
  await using one = await listeningRoom();
  const tv = await openTab(browser, one.origin, { viewport: { width: 1920, height: 1080 } });
  await tv.goto('/tv?screen=hall');
  await one.service.post(`${one.base}/screens`, { screens: ['hall'] });
  await tv.frameLocator('[data-takeover-page]').getByRole('heading', { name: 'AGM' }).waitFor();
  await one.service.post(`${one.base}/screens/end`);
  await tv.locator('[data-takeover]').waitFor({ state: 'hidden' });
  expect(await tv.locator('[data-takeover-page]').getAttribute('src')).toBeNull();
});

test('the browser too shows the vote that a code belongs to, and no other', async () => {
  await using one = await listeningRoom();
  const receipts = { question: { settings: { receipts: 'included' } } };
  const codes: string[] = [];
  for (const title of ['New lamps', 'New chairs']) {
    const item = await one.add({ kind: 'motion', title, ...receipts });
    await one.act(item.id, 'open');
    const ballot = { token: one.codes[0], answers: { [item.election_id]: { choice: 'yes' } } };
    codes.push((await one.service.post(`/p/${await one.paper()}/vote`, ballot)).json().inclusion_code);
    await one.act(item.id, 'close');
    await one.act(item.id, 'declare');
  }
  const page = await openTab(browser, one.origin, PHONE);
  await page.goto(`/p/${await one.paper()}/check`);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  await page.getByLabel('Your code').fill(codes[1]!);
  await press(page, 'Look for my ballots');
  const result = page.getByRole('status');
  await result.getByText('Your ballot is in the box').waitFor();

  expect(await result.innerText()).toMatch(/New chairs[\s\S]*other codes/);
  expect(await result.innerText()).not.toMatch(/New lamps|There is no ballot/);
  expect(new Set(sent)).toEqual(new Set(['GET']));
});

test('a timer is said before it ends, and so is that what was marked was not cast', async () => {
  await using one = await listeningRoom();
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  const page = await openTab(browser, one.origin, PHONE);
  await page.goto(`/m/${one.id}?t=${one.codes[0]}`);
  await one.act(motion.id, 'open', { seconds: 60 });
  await page.getByRole('radio', { name: 'Yes' }).check();
  await page.getByText(/^Voting closes in \d+ seconds\.$/).waitFor({ state: 'attached' });
  await one.act(motion.id, 'close');
  await page.getByRole('alert').getByText('What you had marked was not cast.').waitFor();
  const other = await one.add({ kind: 'motion', title: 'New chairs' });
  await one.act(other.id, 'open');
  await page.getByRole('radio', { name: 'No' }).waitFor();
  await one.act(other.id, 'close');
  await page.getByRole('radio', { name: 'No' }).waitFor({ state: 'detached' });
  expect(await page.getByText('What you had marked').count()).toBe(0);
});
