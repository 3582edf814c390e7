// The list on a screen: a change reaches it by the stream, and old prices are not shown.
import { afterEach, expect, test } from 'vitest';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { contrast } from '#kernel/settings/colours.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { phonePhoto, upload } from '#test/support/pictures.ts';
import { menuWriter } from './menu-content.ts';
import { part, WITHOUT_POLLS } from './screen-events.ts';
import { readingProblems } from './tv-measure.ts';

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
  await expect.poll(() => part('[data-slide][data-shown]')(slide)).toMatch(/Bottles\s+.*Stout/s);

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
  await expect.poll(() => part('[data-slide][data-shown]')(slide)).toMatch(/Bottles.*Draught\s+4\s+Cider/s);
});

test('a list of seven fills the screen in large type, with the names at one edge and as high as they need', async () => {
  await using service = await listeningService();
  const editor = await editorAt(service);
  const drinks = { 'On tap': ['Harbor Stout', 'Quay Pale', 'Low Water'], Bottles: ['No Rush'] };
  const sizes = [{ label: 'Pint', price: 750 }];
  let order = 0;
  for (const [title, names] of Object.entries(drinks)) {
    const section = await editor.publish('menu_section', { title, order: order++ });
    for (const name of names) {
      const more = name === 'No Rush' ? {} : { maker: 'Old Brewery' };
      await editor.publish('menu_item', { section, name, abv: 4.8, sizes, ...more });
    }
  }
  const section = await editor.publish('menu_section', { title: 'Kitchen', kind: 'food', order });
  for (const name of ['Soup', 'Chips', 'Pie'])
    await editor.publish('menu_item', { section, name, sizes: [{ label: '', price: 800 }] });
  const page = await openTab(await sharedBrowser(), service.origin, {
    viewport: { width: 1920, height: 1080 },
  });
  await page.goto('/tv?layout=menu');
  await expect.poll(() => part('[data-menu]')(page)).toContain('Harbor Stout');
  const boxes = (selector: string) =>
    page.locator(`.tv-menu-column ${selector}:visible`).evaluateAll((found) =>
      found.map((one) => {
        const { left, top, height, right } = one.getBoundingClientRect();
        const size = Number.parseFloat(getComputedStyle(one).fontSize);
        return { words: one.textContent, left, top, bottom: top + height, right, size };
      }),
    );
  const [names, prices, headings, rows] = await Promise.all(
    ['.tv-drink-name', '.tv-drink-price', 'h2', '.tv-drink'].map(boxes),
  );
  expect(await page.locator('[data-part=page]').isVisible()).toBe(false);
  expect(names?.length).toBe(7);
  // Three steps of type: headings, names and prices, the rest.
  const [name, heading] = [names?.[0]?.size ?? 0, headings?.[0]?.size ?? 0];
  expect(new Set([...names!, ...prices!].map(({ size }) => size)).size).toBe(1);
  expect(name).toBeGreaterThan(1080 / 30);
  expect(heading / name).toBeGreaterThan(1.15);
  // Two columns: each name of a column begins at the same place, and the prices end at one.
  expect(new Set(names?.map(({ left }) => Math.round(left))).size).toBe(2);
  expect(new Set(prices?.map(({ right }) => Math.round(right))).size).toBe(2);
  const heightOf = (words: string) =>
    rows?.filter((row) => row.words?.includes(words)).map(({ top, bottom }) => bottom - top)[0] ?? 0;
  expect(heightOf('Soup')).toBeLessThan(0.8 * heightOf('Harbor Stout'));
  // A heading is nearer to its own rows than to the section before.
  const at = (words: string) => headings?.find((one) => one.words === words);
  const before = rows?.find((row) => row.left === at('Bottles')?.left && row.words?.includes('Low Water'));
  const after = rows?.find((row) => row.words?.includes('No Rush'));
  if (before && after && before.left === after.left)
    expect(at('Bottles')!.top - before.bottom).toBeGreaterThan(after.top - at('Bottles')!.bottom);
});

test('a list for which one page is wished is on one, in smaller type', async () => {
  await using service = await listeningService();
  const editor = await editorAt(service);
  const names = await (await menuWriter(editor))(9);
  const section = await editor.publish('menu_section', { title: 'Alkoholfrei' });
  const soft = [
    'Almdudler',
    'Cola',
    'Holunderblütensaft',
    'Mineralwasser prickelnd',
    'Traubensaft',
    'Eistee',
  ];
  const sizes = [300, 500].map((volume_ml) => ({ label: '', volume_ml, price: volume_ml }));
  for (const name of soft) await editor.publish('menu_item', { section, name, sizes });
  const page = await openTab(await sharedBrowser(), service.origin, {
    viewport: { width: 1920, height: 1080 },
  });
  const pages = () => page.locator('[data-menu] [data-part=page]').textContent();
  await page.goto('/tv?layout=menu');
  await expect.poll(pages).toMatch(/of [2-4]/);
  expect(await readingProblems(page, 1 / 35)).toEqual([]);
  await page.goto('/tv?layout=menu&list=whole');
  await expect.poll(() => part('[data-menu]')(page)).toContain(names[8]);
  const pricesOf = page
    .locator('.tv-drink[data-table]:visible')
    .filter({ hasText: /Cola|Holunder|Almdudler/ });
  const edges = await pricesOf.evaluateAll((rows) =>
    rows.map((row) =>
      [...row.querySelectorAll('.tv-drink-price')]
        .filter((price) => price.checkVisibility())
        .map((price) => Math.round(price.getBoundingClientRect().right))
        .join(),
    ),
  );
  expect([edges.length, new Set(edges).size]).toEqual([3, 1]);
  expect(await page.locator('[data-menu] [data-part=page]').isVisible()).toBe(false);
  expect(await readingProblems(page, 1 / 40)).toEqual([]);
});

test('dishes are shown in pictures where there is room, and no list needs a page more for them', async () => {
  await using service = await listeningService();
  const editor = await editorAt(service);
  const section = await editor.publish('menu_section', { title: 'Kitchen', kind: 'food' });
  const photo = await phonePhoto(1_200, 900);
  const { id: picture } = (await upload(service, editor.headers, { bytes: photo })).json();
  const sizes = [{ label: '', price: 1_200 }];
  for (const name of ['Soup', 'Pie']) await editor.publish('menu_item', { section, name, sizes, picture });
  const page = await openTab(await sharedBrowser(), service.origin, {
    viewport: { width: 1920, height: 1080 },
  });
  const pictures = page.locator('.tv-menu-pictures figure:visible');
  await page.goto('/tv?layout=menu');
  await expect.poll(() => pictures.allInnerTexts()).toEqual(['Pie', 'Soup']);
  await expect
    .poll(() =>
      pictures
        .locator('img')
        .evaluateAll((all) => all.every((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)),
    )
    .toBe(true);
  expect(await readingProblems(page)).toEqual([]);

  await (await menuWriter(editor))(40);
  await expect.poll(() => part('[data-menu] [data-part=page]')(page)).toMatch(/of \d/);
  expect(await pictures.count()).toBe(0);
});

test.each(['dark', 'light', 'chalk'])(
  'the board looks %s, in the colour of the club, and each word can be read from afar',
  async (board_look) => {
    await using service = await listeningService();
    const owner = await appoint(service, 'olga@club.example', 'owner', 'tender');
    const headers = { accept: 'application/json', ...owner };
    const payload = { board_look, accent: '#8c1d40' };
    await service.request({ method: 'PUT', url: '/api/admin/settings', payload, headers });
    const editor = await editorAt(service);
    const section = await editor.publish('menu_section', { title: 'Bottles' });
    const sizes = [{ label: 'Glass', price: 520 }];
    for (const name of ['Stout', 'Cider', 'Lager']) {
      const drink = { section, name, maker: 'Abbey', abv: 5, sizes, color_ebc: 20 };
      const id = await editor.publish('menu_item', drink);
      const state = { Stout: 'last', Cider: 'out', Lager: 'on' }[name];
      await service.post(`/api/admin/menu/items/${id}/stock`, { state, until: null }, owner);
    }
    const page = await openTab(await sharedBrowser(), service.origin, TV);
    await page.goto('/tv?layout=menu');
    await expect.poll(() => part('[data-menu]')(page)).toContain('Stout');
    await expect.poll(() => page.locator('body').getAttribute('data-look')).toBe(board_look);
    const colours = await page.evaluate(coloursShown);
    const ground = board_look === 'dark' ? '#1d241d' : colours.ground;
    expect(colours.words.length).toBeGreaterThan(5);
    for (const { colour, words } of colours.words)
      expect(contrast(colour, ground), `${words}, ${colour} on ${ground}`).toBeGreaterThanOrEqual(7);
    expect(new Set(colours.words.map(({ colour }) => colour)).size).toBeGreaterThan(2);
  },
);

/** The colours of all words that are shown, and of what is behind them. Runs in the page. */
function coloursShown(): { ground: string; words: { colour: string; words: string }[] } {
  const hex = (colour: string) =>
    `#${(colour.match(/\d+/g) ?? [])
      .slice(0, 3)
      .map((value) => Number(value).toString(16).padStart(2, '0'))
      .join('')}`;
  const words = [...document.querySelectorAll('.tv-frame *')].flatMap((element) => {
    const text = [...element.childNodes]
      .map((node) => (node.nodeType === 3 ? node.textContent : ''))
      .join('');
    return element.checkVisibility() && text.trim() !== ''
      ? [{ colour: hex(getComputedStyle(element).color), words: text.trim() }]
      : [];
  });
  return { ground: hex(getComputedStyle(document.body).backgroundColor), words };
}

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
