// A TV that is paired in a browser: from its code to its page, and what staff decide about it afterwards.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sharedBrowser } from '#test/support/browser/browser.ts';
import {
  type ListeningService,
  listeningService,
  openDevice,
} from '#test/support/browser/browser-service.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { patchScreen } from '#test/support/screens.ts';

const TV = { viewport: { width: 1280, height: 720 } };

let service: ListeningService;
let tom: Record<string, string>;
const thrown: string[] = [];

beforeAll(async () => {
  service = await listeningService({ NOW_PLAYING_SSE_MAX_CONNECTION_MS: '86400000' });
  tom = await appoint(service, 'tom@club.example', 'tender');
});
afterEach(() => expect(thrown.splice(0)).toEqual([]));
afterAll(() => service[Symbol.asyncDispose]());

/** Opens an address on a TV with its own cookies. */
async function openTv(address: string): Promise<Page> {
  const device = await openDevice(await sharedBrowser(), service.origin, TV);
  const page = await device.newPage();
  page.on('pageerror', (error) => thrown.push(error.message));
  await page.goto(address);
  return page;
}

const textOf = (page: Page, selector: string) => page.locator(selector).innerText();
const pathOf = (page: Page) => new URL(page.url()).pathname;

/** The code on the TV, as a person reads it. */
async function codeOn(page: Page): Promise<string> {
  await expect.poll(() => textOf(page, '.tv-pairing-code')).toMatch(/^\w{3}-\w{3}$/);
  return textOf(page, '.tv-pairing-code');
}

async function pair(code: string, decided: object): Promise<string> {
  const answer = await service.post('/api/admin/screens', { code, ...decided }, tom);
  expect(answer.json()).toEqual({ ok: true, id: expect.any(String) });
  return answer.json().id;
}

const patch = (id: string, payload: object) => patchScreen(service, tom, id, payload);
const act = (id: string, name: string) => service.post(`/api/admin/screens/${id}/${name}`, {}, tom);

test('a TV shows a code, goes to its page when it is used, and follows what staff decide', async () => {
  const page = await openTv('/s');
  const code = await codeOn(page);
  const qr = page.locator('.tv-pairing-qr');
  await expect.poll(() => qr.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect(await textOf(page, '[data-part=address]')).toBe(`${new URL(service.origin).host}/admin/pub/screens`);
  const id = await pair(code, { name: 'Bar', place: 'By the fire', page: 'projector' });

  await expect.poll(() => pathOf(page)).toBe('/tv/projector');
  expect(new URL(page.url()).search + new URL(page.url()).hash).toBe('');
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: 'screen', httpOnly: true });
  // No script of the page sees it.
  expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain(cookie?.value);

  const state = async () => {
    const { screens } = (await service.get('/api/admin/screens', tom)).json();
    return screens.find((screen: { id: string }) => screen.id === id)?.state;
  };
  await expect.poll(state).toBe('running');
  await page.waitForLoadState();
  await act(id, 'identify');
  await expect.poll(() => textOf(page, '[data-identify]')).toContain('Bar\nBy the fire');

  service.clock.now += 1;
  expect((await patch(id, { page: 'tv' })).statusCode).toBe(200);
  await expect.poll(() => pathOf(page)).toBe('/tv');
  await expect.poll(() => page.locator('[data-stage]').isVisible()).toBe(true);

  service.clock.now += 1;
  await patch(id, { turn: 90 });
  await expect.poll(() => page.locator('.turned-90').count()).toBe(1);
  const turned = page.frames()[1];
  await expect
    .poll(() => turned?.evaluate(() => `${innerWidth}x${innerHeight} ${document.body.dataset.page}`))
    .toBe('720x1280 tv');

  service.clock.now += 1;
  await patch(id, { turn: 0 });
  await expect.poll(() => page.locator('.turned').count()).toBe(0);

  service.clock.now += 1;
  await act(id, 'repair');
  await expect.poll(() => pathOf(page)).toBe('/s');
  expect(await textOf(page, '.tv-pairing h1')).toBe('This screen was replaced or taken out of use');
  expect(await page.context().cookies()).toEqual([]);
  await page.context().close();
});

test('a browser at /tv that is no screen shows its usual content, and how to become one', async () => {
  const page = await openTv('/tv');
  const { host } = new URL(service.origin);
  await expect.poll(() => textOf(page, '.tv-offer')).toContain(`Pair this TV: ${host}/s, code `);
  expect(await page.locator('[data-stage]').isVisible()).toBe(true);
  const code = (await textOf(page, '.tv-offer')).slice(-7);
  await pair(code, { name: 'Snug', page: 'bar-right' });
  await expect.poll(() => pathOf(page)).toBe('/tv/bar-right');
  await page.context().close();
});

test.each(['', '?layout=menu', '?layout=slides'])(
  'old TVs do not cut off the offer to pair at /tv%s',
  async (query) => {
    const page = await openTv(`/tv${query}`);
    await expect.poll(() => textOf(page, '.tv-offer')).toContain('Pair this TV');
    const { top, bottom, height } = await page.locator('.tv-offer').evaluate((offer) => {
      const box = offer.getBoundingClientRect();
      return { top: box.top, bottom: box.bottom, height: innerHeight };
    });
    expect([top > 0, bottom <= 0.96 * height]).toEqual([true, true]);
    await page.context().close();
  },
);

test('a paired TV opens its page wherever it looks, also with the worker of its pages and without a network', async () => {
  const page = await openTv('/s');
  await pair(await codeOn(page), { name: 'Hall', page: 'projector' });
  await expect.poll(() => pathOf(page)).toBe('/tv/projector');
  await expect
    .poll(() =>
      page.evaluate('navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)'),
    )
    .toBe(true);
  await page.goto('/tv');
  expect(pathOf(page)).toBe('/tv/projector');
  await page.context().setOffline(true);
  await page.goto('/tv');
  expect(await page.evaluate('document.body.dataset.page')).toBe('projector');
  await page.context().close();
});

test('a name in the address that belongs to a paired screen makes a visitor', async () => {
  const page = await openTv('/s');
  await pair(await codeOn(page), { name: 'Cellar' });
  await expect.poll(() => pathOf(page)).toBe('/tv');
  const other = await openTv('/tv?screen=cellar');
  const visitors = async () => (await service.get('/api/admin/screens', tom)).json().visitors;
  await other.evaluate('dispatchEvent(new Event("online"))');
  await expect
    .poll(async () => {
      await other.evaluate('dispatchEvent(new Event("online"))');
      return visitors();
    })
    .toBeGreaterThan(0);
  const { screens } = (await service.get('/api/admin/screens', tom)).json();
  expect(screens.filter(({ screen }: { screen: string | null }) => screen === 'cellar')).toEqual([]);
  await page.context().close();
  await other.context().close();
});
