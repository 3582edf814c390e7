import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser.ts';
import {
  type ListeningService,
  listeningService,
  openTab,
  unpainted,
} from '#test/support/browser-service.ts';
import { appoint } from '#test/support/patrons.ts';

const TV = { viewport: { width: 1280, height: 720 }, serviceWorkers: 'block' } as const;

let browser: Browser;
let service: ListeningService;
let owner: Record<string, string>;

beforeAll(async () => {
  [browser, service] = await Promise.all([sharedBrowser(), listeningService()]);
  owner = await appoint(service, 'olga@club.example', 'owner');
});
afterEach(() => closePages(browser));
afterAll(() => service[Symbol.asyncDispose]());

const listed = async () => (await service.get('/api/admin/screens', owner)).json();

test('a name, groups and a reload reach a screen at once; visitors and previews are not listed', async () => {
  const [screen, visitor] = [
    await openTab(browser, service.origin, TV),
    await openTab(browser, service.origin, TV),
  ];
  for (const page of [screen, visitor]) await unpainted(page);
  await screen.goto('/tv?screen=bar');
  await visitor.goto('/tv');
  await expect
    .poll(listed)
    .toMatchObject({ visitors: 1, screens: [{ screen: 'bar', page: 'tv', online: true }] });
  const [{ id }] = (await listed()).screens;

  const change = { name: 'Over the fire', groups: ['quiet'] };
  await service.request({
    method: 'PATCH',
    url: `/api/admin/screens/${id}`,
    headers: owner,
    payload: change,
  });
  const names = () => screen.evaluate(() => localStorage.getItem('tv:names of bar'));
  await expect.poll(names).toBe('["Over the fire","quiet"]');
  await service.post('/api/admin/takeover', { kind: 'voting', screens: ['quiet'] }, owner);
  await screen.getByText('We are voting now').waitFor();
  expect(await visitor.locator('[data-takeover]').isVisible()).toBe(false);

  const loaded = screen.waitForEvent('load');
  service.clock.now += 60_000;
  await service.post(`/api/admin/screens/${id}/reload`, {}, owner);
  await loaded;

  const desk = await openTab(browser, service.origin, { extraHTTPHeaders: owner });
  await unpainted(desk);
  await desk.goto(`/admin/pub/screens/${id}`);
  // The preview shows the same as this screen, including notices for its groups.
  await desk.frameLocator('iframe').getByText('We are voting now').waitFor();
  expect((await listed()).screens).toHaveLength(1);
});
