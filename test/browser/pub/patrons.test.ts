import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { sharedBrowser } from '#test/support/browser/browser.ts';
import {
  type ListeningService,
  listeningService,
  openTab,
  SCRIPT,
  watch,
} from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { timersByHand } from '#test/support/browser/page-timers.ts';
import { onPage } from '#test/support/messages.ts';
import { heard, phone } from '#test/support/people/patrons.ts';

const TOKEN = 'a long token of the pub';
const STAFF = { 'x-admin-token': TOKEN };

const keptTab = keptTabs();
let service: ListeningService;

beforeAll(async () => {
  service = await listeningService({
    SETLIST_REQUESTS_ENABLED: 'on',
    FEEDBACK_ENABLED: 'on',
    PUB_ADMIN_TOKEN: TOKEN,
  });
  const at = service.clock.now - 3 * DAY;
  await heard(
    service,
    { artist: 'ABBA', title: 'Dancing Queen', at },
    { artist: 'Fleetwood Mac', title: 'Dreams', at },
    { artist: 'Dolly Parton', title: 'Jolene', at },
    { artist: 'Dolly Parton', title: '9 to 5', at: service.clock.now },
  );
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  await service.ctx.write((tx) => tx.run(build.deleteFrom('song_requests')));
});

/** Opens the page of somebody new. */
async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await keptTab(service.origin, options);
  await page.context().clearCookies();
  return page;
}

const text = (page: Page, selector: string) =>
  page.evaluate(
    (at) => (document.querySelector<HTMLElement>(at)?.innerText ?? '').replace(/\s+/g, ' '),
    selector,
  );
const titles = (page: Page, list = '#queue') => page.locator(`${list} .song-title`).allTextContents();

/** Requests a song from another phone. @returns its id */
async function another(artist: string, title: string): Promise<string> {
  service.clock.now += 1;
  const answer = await phone(service).post('/api/setlist/request', { artist, title });
  service.clock.now += 1;
  return answer.json().request.id;
}

test.each(SCRIPT)('a song is requested by typing its name, and voted for, %s', async (_how, options) => {
  await another('Toto', 'Africa');
  const page = await openPage(options);
  await page.goto('/requests');
  expect(await text(page, '#playing')).toBe('Playing now 9 to 5 Dolly Parton');
  expect(await text(page, '#turn')).toContain('You can ask for 3 songs tonight.');

  const vote = page.getByRole('button', { name: /Africa/ });
  await vote.click();
  await expect.poll(() => vote.textContent()).toBe('Take your vote back from Africa: 2 votes');

  const own = page.getByText('Ask in your own words');
  if (options.javaScriptEnabled !== false) await own.click();
  await page.getByLabel('Song', { exact: true }).fill('Heroes');
  await page.getByLabel('Artist').fill('David Bowie');
  await page.getByRole('button', { name: 'Ask for this song' }).click();
  await expect.poll(() => text(page, '#said')).toBe('Your song is in the queue.');
  await expect.poll(() => titles(page)).toEqual(['Africa', 'Heroes']);
  await page.waitForLoadState();
  expect(await text(page, '#queue .queue-mine')).toContain('Heroes David Bowie Yours');
  expect(await text(page, '#turn')).toBe('You can ask for another song at 12:10 PM.');
});

test('a request without an artist keeps its title; a song that just played is refused with the reason', async () => {
  const page = await openPage({ javaScriptEnabled: false });
  const send = async (title: string, artist: string) => {
    await page.goto('/requests');
    await page.getByLabel('Song', { exact: true }).fill(title);
    await page.getByLabel('Artist').fill(artist);
    await page.getByRole('button', { name: 'Ask for this song' }).click();
  };
  await send('Heroes', '  ');
  await expect.poll(() => text(page, '#errors')).toContain(`Artist: ${onPage('required')}`);
  expect(await page.getByLabel('Song', { exact: true }).inputValue()).toBe('Heroes');
  await send('9 to 5', 'Dolly Parton');
  await expect.poll(() => text(page, '#said')).toContain(onPage('recently_played'));
});

test('by keyboard alone a song is found while typing, and requested', async () => {
  await another('Fleetwood Mac', 'Dreams');
  const page = await openTab(await sharedBrowser(), service.origin);
  onTestFinished(() => page.context().close());
  await loadAxe(page);
  const troubles = watch(page.context(), service.origin);
  await page.goto('/requests');
  await page.getByLabel('Search the songs played here').focus();
  await page.keyboard.type('d');
  await page.keyboard.type('o');
  const found = page.locator('#songs-found li');
  await expect.poll(() => found.count()).toBe(2);
  // Jolene cannot be requested, because another song of the artist was just played: it has no button.
  expect(
    (await found.allTextContents()).every((row) => row.includes('Played') || row.includes('artist')),
  ).toBe(true);

  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('danc');
  await expect.poll(() => found.allTextContents()).toEqual(['Dancing QueenABBAAsk']);
  expect(await text(page, '#song-count')).toBe('One song found.');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => text(page, '#said')).toBe('Your song is in the queue.');
  await expect.poll(() => titles(page)).toEqual(['Dreams', 'Dancing Queen']);
  // The button is gone: the focus is on the message.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('said');

  await page.keyboard.press('Tab');
  await page.keyboard.type('dream');
  await expect.poll(() => found.allTextContents()).toEqual(['DreamsFleetwood MacVote']);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => text(page, '#said')).toContain('your vote was added');
  // A search that is still pending when the text changes is aborted.
  expect(troubles.filter((line) => !line.includes('track-suggest'))).toEqual([]);
});

test('the queue of an open page is updated', async () => {
  const id = await another('Toto', 'Africa');
  const page = await openPage();
  const timers = await timersByHand(page, 15_000);
  await page.goto('/requests');
  expect(await titles(page)).toEqual(['Africa']);

  await another('Queen', 'Radio Ga Ga');
  await page.getByRole('button', { name: /Africa/ }).focus();
  await timers.fire();
  await expect.poll(() => titles(page)).toEqual(['Africa', 'Radio Ga Ga']);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(`vote-${id}`);

  await page.getByText('Ask in your own words').click();
  await page.getByLabel('Song', { exact: true }).fill('Half typed');
  await service.post(`/api/admin/requests/${id}`, { status: 'played' }, STAFF);
  await timers.fire();
  await expect.poll(() => titles(page, '#settled')).toEqual(['Africa']);
  expect(await page.getByLabel('Song', { exact: true }).inputValue()).toBe('Half typed');

  await page.route('**/requests', (route) => route.abort());
  await timers.fire();
  await page.getByText('No connection.').waitFor();
  await page.unroute('**/requests');
  await timers.fire();
  await expect.poll(() => page.getByText('No connection.').count()).toBe(0);
});

test.each(['de', 'fr', 'es', 'nl'])(
  'on the smallest phone no word of a mark is broken: %s',
  async (locale) => {
    const page = await openPage({ locale, viewport: { width: 320, height: 640 } });
    await page.goto('/feedback');
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    const lines = await page.locator('.mark-word').evaluateAll((marks) =>
      marks.flatMap((mark) =>
        [...mark.textContent.matchAll(/\S+/g)].map(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(mark.firstChild!, index);
          range.setEnd(mark.firstChild!, index + word.length);
          return [word, range.getClientRects().length];
        }),
      ),
    );
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter(([, count]) => count !== 1)).toEqual([]);
  },
);

test('feedback is sent and confirmed', async () => {
  const page = await openPage({ viewport: { width: 320, height: 640 } });
  await page.goto('/feedback/?page=tv');
  await page.getByLabel('Your message').fill('   ');
  await page.getByRole('radio', { name: '4 Very good' }).check();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#errors').waitFor();
  expect(await text(page, '#errors')).toContain(`Your message: ${onPage('required')}`);
  expect(await page.getByRole('radio', { name: '4 Very good' }).isChecked()).toBe(true);
  await page.getByLabel('Your message').fill('More dark beer');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('We have received your message.').waitFor();
  const { items } = (await service.get('/api/admin/feedback?limit=1', STAFF)).json();
  expect(items).toMatchObject([{ message: 'More dark beer', rating: 4, page: 'tv', name: null }]);
  service.clock.now += MINUTE;
});

test('a seventh message within the hour stays in the form', async () => {
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto('/feedback');
  for (let times = 1; times <= 6; times += 1)
    await page.request.post('/api/feedback', { data: { message: `Message ${times}` } });
  await page.getByLabel('Your message').fill('Message 7');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Not sent yet').waitFor();
  expect(await page.getByLabel('Your message').inputValue()).toBe('Message 7');
});
