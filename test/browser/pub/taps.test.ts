// Wet fingers and bad Wi-Fi behind the bar: a tap does what it says once, and none is lost in silence.
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, SECOND } from '#kernel/clock.ts';
import { type ScreenService, screenService } from '#test/pub/screen/screen-service.ts';
import { fakeGame } from '#test/stand-ins/scoreboard-server.ts';
import { fitProblems } from '#test/support/browser/accessible.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint, heard, phone } from '#test/support/people/patrons.ts';

const openTab = keptTabs();
let service: ScreenService;
let origin: string;
let olga: Record<string, string>;

beforeAll(async () => {
  const game = fakeGame({ id: '401', startsAt: Date.parse('2026-11-21T16:30:00Z'), status: 'playing' });
  service = await screenService([game], {
    SETLIST_REQUESTS_ENABLED: 'on',
    RATE_LIMIT_GENERAL: '10000',
    RATE_LIMIT_ADMIN: '10000',
  });
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  olga = await appoint(service, 'olga@club.example', 'owner');
});
afterAll(() => service[Symbol.asyncDispose]());

async function open(path = '/admin/pub'): Promise<Page> {
  // What an earlier test did can no longer be undone, and its songs are of another evening.
  service.clock.now += 24 * HOUR;
  await service.post('/api/now-playing/ingest', { heartbeat: true });
  const page = await openTab(origin, { extraHTTPHeaders: olga });
  await page.unrouteAll();
  await page.context().setOffline(false);
  await page.goto('/health');
  await page.evaluate(() => localStorage.clear());
  await page.goto(path);
  return page;
}

const button = (page: Page, id: string) => page.locator(`#${id}`);
const lines = (page: Page) => page.locator('.tap > span:first-child').allInnerTexts();
const read = async (url: string) => (await service.get(url, olga)).json();
const takeover = async () => (await read('/api/takeover')).takeover;

/** The addresses that the page posts to from now on. */
function posts(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  return sent;
}

async function ask(): Promise<string> {
  const asked = await phone(service).post('/api/setlist/request', { artist: 'Toto', title: 'Africa' });
  return asked.json().request.id;
}

test.each([
  [
    250,
    'yes',
    '',
    async () => `do-approved-${await ask()}`,
    async () => (await read('/api/admin/requests')).requests[0].status,
    'approved',
  ],
  [
    350,
    'we are voting',
    '',
    () => 'do-kind-voting',
    async () => [(await takeover())?.kind, (await takeover())?.earlier],
    ['voting', []],
  ],
  [
    400,
    'last orders',
    '',
    () => 'do-kind-last-orders',
    async () => [(await takeover())?.kind, (await takeover())?.earlier],
    ['last_orders', []],
  ],
  [
    250,
    'automatic',
    '/room',
    () => 'do-mode-automatic',
    async () => (await read('/api/admin/now-showing')).override.mode,
    'automatic',
  ],
  [
    350,
    'blackout',
    '/room',
    () => 'do-action-blackout',
    async () => (await read('/api/admin/dmx/desired')).desired,
    { action: 'blackout' },
  ],
  [
    400,
    'turn on',
    '/room',
    () => 'do-projectorLyrics',
    async () => (await read('/api/admin/now-playing/controls')).projectorLyrics,
    true,
  ],
  [
    250,
    'hide',
    '/heard',
    async () => `do-hide-${(await heard(service, { artist: 'Toto', title: 'Rosanna' }))[0]}`,
    async () => (await read('/api/admin/plays')).items[0].hidden,
    true,
  ],
])('two taps within %i ms do what one does: %s', async (ms, _name, under, which, look, after) => {
  const id = await (async () => {
    service.clock.now += HOUR;
    return which();
  })();
  const page = await openTab(origin, { extraHTTPHeaders: olga });
  await page.unrouteAll();
  await service.post('/api/now-playing/ingest', { heartbeat: true });
  await page.goto(`/admin/pub${under}`);
  await button(page, id).evaluate((one) => one.closest('details')?.setAttribute('open', ''));
  // Between the taps time passes in the page alone: on a busy machine the second one would come too late.
  await page.evaluate(() => {
    const stopped = performance.now();
    Object.assign(window, { passed: 0 });
    performance.now = () => stopped + (window as unknown as { passed: number }).passed;
  });
  await button(page, id).scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await button(page, id).boundingBox())!;
  const sent = posts(page);
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.mouse.click(x + width / 2, y + height / 2);
  await answered;
  await page.evaluate((later) => Object.assign(window, { passed: later }), ms);
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect.poll(() => button(page, id).innerText()).toMatch(/^Undo/);
  expect(await look()).toEqual(after);
  expect(sent).toHaveLength(1);
  // The button is where it was, and undoes it.
  const now = (await button(page, id).boundingBox())!;
  expect(Math.abs(now.y - y)).toBeLessThan(8);
});

test('taps are sent one after the other, and a slow one says that it waits', async () => {
  const page = await open('/admin/pub/room');
  const held: Route[] = [];
  await page.route('**/admin/pub/**', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    held.push(route);
  });
  const sent = posts(page);
  await button(page, 'do-color-params-kelvin-2200').click();
  await button(page, 'do-mode-mute').click();
  await expect.poll(() => lines(page)).toEqual(['Being sent: Candlelight.', 'Waiting: Mute.']);
  expect(sent).toHaveLength(1);
  await held[0]!.continue();
  await expect.poll(() => lines(page)).toEqual(['Sent: Candlelight.', 'Being sent: Mute.']);
  await expect.poll(() => held.length).toBe(2);
  await held[1]!.continue();
  await expect.poll(() => lines(page)).toEqual(['Sent: Candlelight.', 'Sent: Mute.']);
  expect((await read('/api/admin/dmx/desired')).desired).toEqual({
    action: 'color',
    params: { kelvin: 2200 },
  });
  expect((await read('/api/admin/qsys/desired')).desired).toEqual({ mode: 'mute' });
  await expect.poll(() => lines(page)).toEqual([]);
});

test('what was not sent stays until somebody sends it again or dismisses it, after a reload too', async () => {
  const page = await open('/admin/pub/room');
  await page.context().setOffline(true);
  await button(page, 'do-mode-quiet').click();
  await button(page, 'do-action-hold').click();
  await expect.poll(() => lines(page)).toEqual(['Not sent: Quiet.', 'Not sent: Hold as it is.']);
  await page.context().setOffline(false);
  await loadAxe(page);
  await page.reload();
  await expect.poll(() => lines(page)).toEqual(['Not sent: Quiet.', 'Not sent: Hold as it is.']);
  expect([...(await violations(page, '.taps')), ...(await fitProblems(page))]).toEqual([]);
  expect((await read('/api/admin/qsys/desired')).desired).toBeNull();

  const again = page.getByRole('button', { name: 'Send again: Quiet' });
  await expect
    .poll(async () => {
      if (await again.count()) await again.click();
      return (await read('/api/admin/qsys/desired')).desired;
    })
    .toEqual({ mode: 'quiet' });
  const dismiss = page.getByRole('button', { name: 'Dismiss: Hold as it is' });
  await expect
    .poll(async () => {
      if (await dismiss.count()) await dismiss.click();
      return (await lines(page)).filter((line) => line.includes('Hold'));
    })
    .toEqual([]);
  await page.reload();
  await expect.poll(() => lines(page)).toEqual([]);
  expect((await read('/api/admin/dmx/desired')).desired).toBeNull();
});

test('a tap that is refused while another waits keeps its reason', async () => {
  const page = await open('/admin/pub/room');
  const held: Route[] = [];
  await page.route('**/admin/pub/**', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    held.push(route);
  });
  await page.getByText('A scene by its name').click();
  await page.getByLabel('Name').evaluate((field: HTMLInputElement) => {
    field.removeAttribute('maxlength');
    field.value = 'x'.repeat(65);
  });
  await page.getByRole('button', { name: 'Ask for it' }).click();
  await button(page, 'do-mode-mute').click();
  await expect.poll(() => held.length).toBe(1);
  await held[0]!.continue();
  await expect.poll(() => held.length).toBe(2);
  await held[1]!.continue();
  await expect.poll(() => lines(page)).toContainEqual(expect.stringMatching(/^Not sent: Ask for it\. .*64/));
  await page.getByRole('button', { name: 'Dismiss: Ask for it' }).waitFor();
});

test('a Saturday night at the taps: wet fingers, and the network gone', async () => {
  const editor = await editorAt(service);
  const section = await editor.publish('menu_section', { title: 'On tap', on_tap: true });
  for (const number of [1, 2, 3]) {
    const item_id = await editor.publish('menu_item', { section, name: `Ale ${number}` });
    await service.post(`/api/admin/taps/${number}`, { item_id }, olga);
  }
  const states = async () =>
    (await read('/api/admin/menu')).taps.map(({ state }: { state: string }) => state).join(' ');
  const page = await open();
  await page.evaluate(() => {
    const stopped = performance.now();
    Object.assign(window, { passed: 0 });
    performance.now = () => stopped + (window as unknown as { passed: number }).passed;
  });
  const pass = (ms: number) =>
    page.evaluate((more) => {
      (window as unknown as { passed: number }).passed += more;
    }, ms);
  const sent = posts(page);

  const soldOut = button(page, 'do-out-tap-1');
  await soldOut.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await soldOut.boundingBox())!;
  const touch = () => page.mouse.click(x + width / 2, y + height / 2);
  await touch();
  await pass(300);
  await touch();
  await expect.poll(() => soldOut.innerText()).toMatch(/^Undo/);
  await pass(300);
  await touch();
  expect([await states(), sent]).toEqual(['out on on', ['/admin/pub/taps/1']]);
  await pass(1_000);
  await touch();
  await expect.poll(() => soldOut.innerText()).toMatch(/^Sold out/);
  expect([await states(), sent.length]).toEqual(['on on on', 2]);

  await page.context().setOffline(true);
  await button(page, 'do-out-tap-2').click();
  await button(page, 'do-last-tap-3').click();
  await expect.poll(() => lines(page)).toEqual(['Not sent: Sold out: tap 2.', 'Not sent: Last: tap 3.']);
  await page.context().setOffline(false);
  sent.length = 0;
  for (const [words, then] of [
    ['Sold out: tap 2', 'on out on'],
    ['Last: tap 3', 'on out last'],
  ] as const) {
    await pass(1_000);
    await page.getByRole('button', { name: `Send again: ${words}` }).click();
    await expect.poll(states).toBe(then);
  }
  await expect.poll(() => lines(page)).toEqual([]);
  expect(sent).toEqual(['/admin/pub/taps/2', '/admin/pub/taps/3']);
});

test('asking people to leave is held for a second, or confirmed on a page of its own', async () => {
  const page = await open();
  const leave = button(page, 'do-leave');
  await leave.scrollIntoViewIfNeeded();
  await leave.click();
  const { x, y, width, height } = (await leave.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  expect([new URL(page.url()).pathname, await takeover()]).toEqual(['/admin/pub', null]);
  await page.mouse.down();
  await expect.poll(takeover).toMatchObject({ kind: 'leave' });
  await page.mouse.up();
  await expect.poll(() => leave.innerText()).toMatch(/^Undo/);
  service.clock.now += SECOND;
  await expect
    .poll(async () => {
      await leave.click();
      return takeover();
    })
    .toBeNull();

  await page.reload();
  await leave.press('Enter');
  await page.getByRole('button', { name: 'Show it on every screen' }).click();
  await expect.poll(takeover).toMatchObject({ kind: 'leave' });
});
