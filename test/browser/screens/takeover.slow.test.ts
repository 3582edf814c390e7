import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { PRESETS } from '#pub/display/takeover-input.ts';
import { fitProblems, unfold } from '#test/support/browser/accessible.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { sharedBrowser } from '#test/support/browser/browser.ts';
import {
  type ListeningService,
  localhostService,
  openDevice,
  SCRIPT,
} from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { CuttableProxy } from '#test/support/cuttable-proxy.ts';
import { appoint } from '#test/support/people/patrons.ts';

const TV = { viewport: { width: 1920, height: 1080 }, serviceWorkers: 'block' } as const;

const openTab = keptTabs();
let device: BrowserContext;
let service: ListeningService;
let tess: Record<string, string>;
/** Errors in the scripts of any screen. */
const thrown: string[] = [];

beforeAll(async () => {
  // With a BASE_URL the service draws a QR code once, and not for each request.
  service = await localhostService({
    RATE_LIMIT_ADMIN: '10000',
    NOW_SHOWING_ENABLED: 'on',
    NOW_PLAYING_SSE_MAX_CONNECTION_MS: '86400000',
  });
  device = await openDevice(await sharedBrowser(), service.origin, TV);
  tess = await appoint(service, 'tess@club.example', 'tender');
});
afterEach(async () => {
  for (const page of device.pages()) await page.close();
});
afterEach(() => expect(thrown).toEqual([]));
afterAll(async () => {
  await device.close();
  await service[Symbol.asyncDispose]();
});

/** Opens a page whose clock only the test moves. The first one of a test starts with empty local storage. */
async function openPage(): Promise<Page> {
  const page = await device.newPage();
  page.on('pageerror', (error) => thrown.push(error.message));
  if (device.pages().length > 1) return page;
  await device.clock.install({ time: service.clock.now - MINUTE });
  await device.clock.pauseAt(service.clock.now);
  await page.addInitScript(() => localStorage.clear());
  return page;
}

/** Opens a screen and waits for its stream: while its clock stands still, changes reach it only from there. */
async function openScreen(address: string): Promise<Page> {
  const page = await openPage();
  const asked = ['**/api/takeover', '**/api/now-playing/current*'].map((url) => page.waitForResponse(url));
  await page.goto(address);
  await Promise.all(asked);
  return page;
}

const start = async (body: object): Promise<string> =>
  (await service.post('/api/admin/takeover', body, tess)).json().id;
const end = (id: string) => service.post(`/api/admin/takeover/${id}/end`, {}, tess);
/** The text of a part of the page; empty while it is hidden. */
const said = (page: Page, part: string) =>
  page.locator(part).evaluate((place: HTMLElement) => (place.hidden ? '' : place.innerText));
const notice = (page: Page) => said(page, '[data-takeover]');

test('a notice covers every screen that it is for, in large letters, with its QR code', async () => {
  const screens = [
    await openScreen('/tv?screen=bar'),
    await openScreen('/tv/bar-right?screen=bar'),
    await openScreen('/tv/projector?screen=bar'),
  ];
  const hall = await openScreen('/tv?screen=hall');
  const first = await start({ kind: 'voting', minutes: 10 });
  const words = { title: 'Title of '.repeat(6), text: 'a long text '.repeat(7) };
  const second = await start({ kind: 'own', ...words, minutes: 5, screens: ['bar'] });
  for (const page of screens) {
    await expect.poll(() => notice(page)).toContain('Title of');
    const seen = await page.locator('[data-takeover]').evaluate((place) => ({
      sizes: [...place.querySelectorAll('p')].map((words) =>
        Number.parseFloat(getComputedStyle(words).fontSize),
      ),
      covers: [...document.querySelectorAll('body *')].every((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const top = document.elementFromPoint(x + width / 2, y + height / 2);
        return top === null || place.contains(top);
      }),
      cut: place.scrollHeight > place.clientHeight,
      moving: document
        .getAnimations()
        .some(({ effect }) => place.contains((effect as KeyframeEffect).target)),
    }));
    expect(Math.min(...seen.sizes)).toBeGreaterThanOrEqual(0.12 * 1080);
    expect(seen).toMatchObject({ covers: true, cut: false, moving: false });
  }
  expect(await notice(hall)).toContain(PRESETS.voting.title.for(ENGLISH));

  // A short notice uses the screen: its title is larger than its sentence, above the time and the house.
  const shape = await hall.locator('[data-takeover]').evaluate((place) => {
    const [title = 0, text = 1] = [...place.querySelectorAll('p')].map((words) =>
      Number.parseFloat(getComputedStyle(words).fontSize),
    );
    return { ratio: title / text, foot: place.querySelector('.tv-takeover-foot')?.textContent };
  });
  expect(shape).toEqual({
    ratio: expect.any(Number),
    foot: expect.stringMatching(/\d:\d\d\s?[AP]M.*Public House/s),
  });
  expect(shape.ratio).toBeGreaterThanOrEqual(1.2);

  await end(second);
  for (const page of screens)
    await expect.poll(() => notice(page)).toContain(PRESETS.voting.title.for(ENGLISH));
  await end(first);
  for (const page of [...screens, hall]) await expect.poll(() => notice(page)).toBe('');

  // A QR code is shown beside the text, a third of the height tall, with its address.
  const id = await start({ kind: 'voting', qr: '/me' });
  for (const page of screens) {
    await expect.poll(() => notice(page)).toContain(`${new URL(service.origin).host}/me`);
    const seen = () =>
      page.locator('[data-takeover]').evaluate((place) => {
        const image = place.querySelector('img');
        return {
          drawn: (image?.naturalWidth ?? 0) > 0,
          tall: (image?.getBoundingClientRect().height ?? 0) * 3 >= innerHeight,
          letters: [...place.querySelectorAll('p')].every(
            (words) => Number.parseFloat(getComputedStyle(words).fontSize) >= 0.12 * innerHeight,
          ),
          cut: place.scrollHeight > place.clientHeight || place.scrollWidth > place.clientWidth,
        };
      });
    await expect.poll(seen).toEqual({ drawn: true, tall: true, letters: true, cut: false });
  }
  const own = await start({
    kind: 'own',
    title: 'x y '.repeat(10),
    text: 'a long text '.repeat(3),
    qr: '/events',
  });
  for (const page of screens) {
    await expect.poll(() => notice(page)).toContain('/events');
    expect(
      await page.locator('[data-takeover]').evaluate((place) => place.scrollHeight > place.clientHeight),
    ).toBe(false);
  }
  await end(own);
  await end(id);
});

test('an offline screen ends a notice by itself, and shows the previous one until that ends', async () => {
  await using proxy = await CuttableProxy.to(service.origin);
  const page = await openScreen(`${proxy.origin}/tv`);
  const first = await start({ kind: 'last_orders', minutes: 10 });
  const second = await start({ kind: 'leave', minutes: 5 });
  await expect.poll(() => notice(page)).toContain('Fire alarm');
  proxy.connectTo(undefined);
  proxy.cut();

  await page.clock.runFor(5 * MINUTE - 2 * SECOND);
  expect(await notice(page)).toContain('Fire alarm');
  expect(await page.locator('[data-note]').textContent()).toContain('Offline since');
  await page.clock.runFor(3 * SECOND);
  expect(await notice(page)).toContain('Last orders');
  await page.clock.runFor(5 * MINUTE - 3 * SECOND);
  expect(await notice(page)).toContain('Last orders');
  await page.clock.runFor(3 * SECOND);
  expect(await notice(page)).toBe('');
  await end(first);
  await end(second);
});

test('without a stream a screen learns of a notice and of its end by polling', async () => {
  const page = await openPage();
  await page.route('**/api/now-playing/current*', (route) => route.abort());
  // Moving the clock would make pending requests time out.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  await page.goto('/tv');
  const id = await start({ kind: 'voting' });
  const asked = async () => {
    await page.clock.fastForward(MINUTE);
    return notice(page);
  };
  await expect.poll(asked).toContain(PRESETS.voting.title.for(ENGLISH));
  await end(id);
  await expect.poll(asked).toBe('');
});

test.each(SCRIPT)('a notice is started with two taps and ended with one, %s', async (_how, options) => {
  const page = await openTab(service.origin, { ...options, extraHTTPHeaders: tess });
  await page.goto('/admin/pub');
  const part = page.locator('#takeover');
  expect(await part.innerText()).toContain('It does not replace an alarm.');
  await part.getByText('Fill the screens').click();
  await part.getByRole('button', { name: /^Last orders/ }).click();
  await part.getByRole('button', { name: /^End.*Last orders/ }).waitFor();
  expect((await service.get('/api/takeover')).json().takeover).toMatchObject({ kind: 'last_orders' });
  await part.getByRole('button', { name: /^End.*Last orders/ }).click();
  await part.getByText('The notice was ended.').waitFor();
  expect((await service.get('/api/takeover')).json().takeover).toBeNull();
  service.clock.now += 10 * SECOND;
  await page.reload();
  await part.getByText('The screens show no notice.').waitFor();
});

test('the notices of the room and the notice of a screen are accessible', async () => {
  const id = await start({ kind: 'own', title: 'W'.repeat(60), text: 'Cake', screens: ['w'.repeat(40)] });
  // So high that the fixed bottom bar covers nothing: on a phone one can scroll to what it covers.
  const viewport = { width: 375, height: 9_000 };
  const page = await openTab(service.origin, { extraHTTPHeaders: tess, viewport });
  await loadAxe(page);
  await page.goto('/admin/pub');
  await unfold(page);
  expect([...(await violations(page)), ...(await fitProblems(page))]).toEqual([]);
  await end(id);

  // axe-core needs a running clock, which this tab has.
  const screen = await openTab(service.origin, TV);
  await loadAxe(screen);
  await screen.goto('/tv');
  for (const kind of ['leave', 'voting']) {
    const shown = await start({ kind });
    await expect.poll(() => notice(screen)).not.toBe('');
    expect(await violations(screen, '[data-takeover]')).toEqual([]);
    await end(shown);
    await expect.poll(() => notice(screen)).toBe('');
  }
});
