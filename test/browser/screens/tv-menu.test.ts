// The list on a screen: a change reaches it by the stream, and old prices are not shown.
import { afterEach, expect, test } from 'vitest';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { part, WITHOUT_POLLS } from './screen-events.ts';

const TV = { viewport: { width: 1280, height: 720 } };

afterEach(async () => closePages(await sharedBrowser()));

test('a new price and a swapped keg are on the list and on its slide by the stream', async () => {
  await using service = await listeningService();
  const editor = await editorAt(service);
  const section = await editor.publish('menu_section', { title: 'Bottles' });
  const sizes = [{ label: 'Glass', price: 520 }];
  const id = await editor.publish('menu_item', { section, name: 'Stout', sizes });
  const browser = await sharedBrowser();
  const [board, slide] = [
    await openTab(browser, service.origin, TV),
    await openTab(browser, service.origin, TV),
  ];
  for (const page of [board, slide]) await page.addInitScript(WITHOUT_POLLS);
  await board.goto('/tv?layout=menu');
  await slide.goto('/tv');
  await expect.poll(() => part('[data-menu]')(board)).toMatch(/Bottles\s+Stout\s+Glass\s*\$5\.20/);
  await expect.poll(() => part('[data-slide][data-shown]')(slide)).toMatch(/At the bar\s+.*Stout/s);

  const body = { section, name: 'Stout', sizes: [{ label: 'Glass', price: 550 }] };
  expect((await editor.patch(`menu_item/${id}`, { version: 1, body, publish: true })).statusCode).toBe(200);
  await expect.poll(() => part('[data-menu]')(board)).toContain('$5.50');
  await expect.poll(() => part('[data-slide][data-shown]')(slide)).toContain('$5.50');

  // The same of a tap: its drink, the next one, and the swap.
  const barkeeper = await appoint(service, 'tom@club.example', 'tender');
  const taps = await editor.publish('menu_section', { title: 'Draught', on_tap: true });
  const [lager, cider] = [
    await editor.publish('menu_item', { section: taps, name: 'Lager' }),
    await editor.publish('menu_item', { section: taps, name: 'Cider' }),
  ];
  const act = async (path: string, body: object) =>
    expect((await service.post(`/api/admin/taps/4${path}`, body, barkeeper)).json()).toMatchObject({
      ok: true,
    });
  await act('', { item_id: lager, next_item_id: cider });
  await expect.poll(() => part('[data-menu]')(board)).toMatch(/4\s+Lager.*Coming next\s+4\s+Cider/s);
  await act('/swap', {});
  await expect.poll(() => part('[data-menu]')(board)).toMatch(/^(?!.*(Lager|Coming next)).*4\s+Cider/s);
  await expect.poll(() => part('[data-slide][data-shown]')(slide)).toMatch(/On tap.*4\s+Cider/s);
});

test('two columns of a short list are in larger type where no row needs a further line', async () => {
  await using service = await listeningService();
  const editor = await editorAt(service);
  const list = {
    'On tap': ['Harbor Stout', 'Quay Pale', 'Low Water'],
    Bottles: ['No Rush'],
    Kitchen: ['Soup', 'Chips', 'Pie'],
  };
  for (const [title, names] of Object.entries(list)) {
    const section = await editor.publish('menu_section', { title });
    for (const name of names)
      await editor.publish('menu_item', {
        section,
        name,
        abv: 4.8,
        maker: 'Old Brewery',
        sizes: [{ label: 'Pint', price: 750 }],
      });
  }
  const page = await openTab(await sharedBrowser(), service.origin, {
    viewport: { width: 1920, height: 1080 },
  });
  const layout = () =>
    page.locator('.tv-menu').evaluate((menu) => {
      const style = getComputedStyle(menu);
      return [style.getPropertyValue('--columns'), Number(style.getPropertyValue('--scale')) > 1];
    });
  await page.goto('/tv?layout=menu');
  await expect.poll(() => part('[data-menu]')(page)).toContain('Harbor Stout');
  expect(await layout()).toEqual(['2', true]);

  const section = await editor.publish('menu_section', { title: 'Wine' });
  await editor.publish('menu_item', { section, name: 'Spätburgunder from the steep slopes above the river' });
  await expect.poll(() => part('[data-menu]')(page)).toContain('Spätburgunder');
  await expect.poll(layout).toEqual(['2', false]);
});

test('a screen without a network shows names without old prices, and prices again when it is back', async () => {
  await using service = await listeningService();
  const editor = await editorAt(service);
  const section = await editor.publish('menu_section', { title: 'Bottles' });
  await editor.publish('menu_item', { section, name: 'Stout', sizes: [{ label: 'Glass', price: 520 }] });
  const page = await openTab(await sharedBrowser(), service.origin, { ...TV, serviceWorkers: 'block' });
  await page.clock.install({ time: service.clock.now - MINUTE });
  await page.clock.pauseAt(service.clock.now);
  await page.goto('/tv?layout=menu');
  const shown = () =>
    expect.poll(async () => {
      await page.clock.runFor(1_000);
      return part('[data-menu]')(page);
    });
  await shown().toMatch(/Stout\s+Glass\s*\$5\.20/);
  await page.context().setOffline(true);
  await page.clock.fastForward(DAY + MINUTE);
  await shown().toMatch(/Stout(?!.*\$).*Prices at the bar/s);
  service.clock.now += DAY + 2 * MINUTE;
  await page.context().setOffline(false);
  await shown().toMatch(/Stout\s+Glass\s*\$5\.20/);
});

test('what is sold out and hidden leaves the screen at a turn of the page, and leaves no gap', async () => {
  await using service = await listeningService();
  const owner = await appoint(service, 'olga@club.example', 'owner', 'tender');
  const payload = { sold_out_shows: 'hidden' };
  const headers = { accept: 'application/json', ...owner };
  await service.request({ method: 'PUT', url: '/api/admin/settings', payload, headers });
  const editor = await editorAt(service);
  const section = await editor.publish('menu_section', { title: 'Bottles' });
  const cider = await editor.publish('menu_item', { section, name: 'Cider' });
  const stout = await editor.publish('menu_item', { section, name: 'Stout' });
  const page = await openTab(await sharedBrowser(), service.origin, { ...TV, serviceWorkers: 'block' });
  await page.clock.install({ time: service.clock.now - MINUTE });
  await page.clock.pauseAt(service.clock.now);
  await page.goto('/tv?layout=menu');
  const row = (name: string) => page.locator('.tv-menu-column > li:visible', { hasText: name });
  const shown = (name: string) =>
    expect.poll(async () => {
      await page.clock.runFor(1_000);
      return row(name).isVisible();
    });
  await shown('Cider').toBe(true);
  // The list is laid out anew when its font has arrived.
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.clock.runFor(1_000);
  const place = await row('Cider').boundingBox();
  const act = { state: 'out', until: null };
  const answer = await service.post(`/api/admin/menu/items/${cider}/stock`, act, owner);
  expect(answer.json()).toMatchObject({ ok: true });
  await shown('Cider').toBe(false);
  expect(await row('Stout').boundingBox()).toMatchObject({ x: place?.x, y: place?.y });

  // Without anything left the screen has its programme.
  await service.post(`/api/admin/menu/items/${stout}/stock`, act, owner);
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000);
      return page.locator('[data-menu]').isVisible();
    })
    .toBe(false);
});
