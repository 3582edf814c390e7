import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

let service: TestApp;
let owner: Record<string, string>;
let editor: Awaited<ReturnType<typeof editorAt>>;

beforeEach(async () => {
  const env = {
    TIME_ZONE: 'Europe/Berlin',
    LOCALE: 'de-DE',
    CLUB_LANGUAGE: 'en',
    BASE_URL: 'https://pub.example',
  };
  service = await testApp(env);
  onTestFinished(() => service[Symbol.asyncDispose]());
  editor = await editorAt(service);
  owner = await appoint(service, 'olga@club.example', 'owner');
});

const page = async (address = '/menu') => (await service.get(address, { accept: 'text/html' })).body;
const set = async (payload: object) => {
  const headers = { accept: 'application/json', ...owner };
  const answer = await service.request({ method: 'PUT', url: '/api/admin/settings', payload, headers });
  expect(answer.json()).toMatchObject({ ok: true });
};
const addSection = (body: object = {}) => editor.publish('menu_section', { title: 'Bottles', ...body });
const addItem = (section: string, body: object = {}) =>
  editor.publish('menu_item', { section, name: 'Stout', ...body });
/** The words of the row of an item. */
const rowOf = (html: string, name: string) =>
  (html.match(/<li class="menu-item.*?<\/li>/gs) ?? [])
    .find((row) => row.includes(name))
    ?.replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');

test('a fresh club has no list and no way to one; a name alone makes both', async () => {
  for (const address of ['/menu', '/menu/print', '/og/menu.png'])
    expectRefusal(await service.get(address), 404, 'no_menu');
  expect(await page('/events')).not.toContain('href="/menu"');
  const linked = async () => JSON.stringify((await service.get('/api/events')).json().linkSlides ?? []);
  expect(await linked()).not.toContain('link-menu');

  await addItem(await addSection());
  const answer = await service.get('/menu');
  expect([answer.statusCode, answer.body.includes('noindex')]).toEqual([200, false]);
  expect(await page('/events')).toContain('href="/menu"');
  expect(await linked()).toContain('https://pub.example/menu');
  const picture = await service.get('/og/menu.png');
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png']);
  expect((await service.get('/api/image/link-qr/menu')).statusCode).toBe(200);
});

test('nobody is told that a drink has no allergens before somebody says so', async () => {
  const section = await addSection();
  await addItem(section);
  await addItem(section, { name: 'Water', allergens_known: 'none' });
  const gluten = [{ code: 'gluten', detail: 'barley' }];
  await addItem(section, { name: 'Lager', allergens_known: 'listed', allergens: gluten });
  await set({ allergen_words: { gluten: 'Glutenhaltiges Getreide' } });
  const html = await page();
  expect(rowOf(html, 'Stout')).toContain('Allergens: ask us.');
  expect(rowOf(html, 'Stout')).not.toMatch(/none|free/i);
  expect(rowOf(html, 'Water')).toContain('none of the 14');
  expect(rowOf(html, 'Lager')).toContain('Glutenhaltiges Getreide (barley).');
  const paper = (await page('/menu/print')).replace(/<[^>]*>/g, ' ');
  expect(paper).toMatch(/Stout\s+\?/);
  expect(paper).toMatch(/Lager\s+A barley/);
  expect(paper).toMatch(/Water\s+\n/);
  expect(paper).toContain('A Glutenhaltiges Getreide, ? ask us');
  // The same letters are at the names on phones, with their words below the list.
  expect(rowOf(html, 'Lager')).toMatch(/^ Lager Allergens: A barley /);
  expect(rowOf(html, 'Stout')).toMatch(/^ Stout Allergens: \? /);
  expect(rowOf(html, 'Water')).toMatch(/^ Water Allergens: none of/);
  expect(html).toMatch(/<h2>Allergens<\/h2><p>A Glutenhaltiges Getreide, \? ask us<\/p>/);
});

test('a printed list of which no allergens are known has one sentence about them', async () => {
  const section = await addSection();
  await addItem(section);
  const paper = (await page('/menu/print')).replace(/<[^>]*>/g, ' ');
  expect(paper).not.toMatch(/Stout\s+\?|ask us(?! about allergens)/);
  expect(paper).toContain('Ask us about allergens.');
  const html = await page();
  expect(rowOf(html, 'Stout')).toMatch(/^ Stout Allergens: ask us\. $/);
  expect(html).not.toContain('menu-legend');
});

test('links lead to the sections of a long list', async () => {
  for (const title of ['Bottles', 'Wine']) await addItem(await addSection({ title }));
  expect(await page()).not.toContain('menu-jump');
  const kitchen = await addSection({ title: 'Kitchen', kind: 'food' });
  await addItem(kitchen);
  const html = await page();
  const links = html.match(/<nav class="menu-jump".*?<\/nav>/s)?.[0] ?? '';
  expect(links.replace(/<[^>]*>/g, ' ')).toMatch(/Bottles\s+Kitchen\s+Wine/);
  for (const [, id] of links.matchAll(/href="#([^"]+)"/g)) expect(html).toContain(`<h2 id="${id}">`);
  expect(links).toContain(`#s-${kitchen}`);
});

test('two drinks of one name are told apart where the list is read by others', async () => {
  const section = await addSection();
  await addItem(section, { name: 'Helles', maker: 'Abbey' });
  await addItem(section, { name: 'Helles', maker: 'Old Brewery' });
  const html = await page();
  expect(html).toContain('"@type":"MenuItem","name":"Helles, Abbey"');
  expect(html).toContain('"@type":"MenuItem","name":"Helles, Old Brewery"');
  const taps = await addSection({ title: 'Draught', on_tap: true });
  for (const [index, [name, maker]] of [
    ['Pale', 'Abbey'],
    ['Pale', 'Old Brewery'],
    ['Stout', 'Abbey'],
  ].entries()) {
    const item_id = await addItem(taps, { name, maker });
    const tapped = await service.post(`/api/admin/taps/${index + 1}`, { item_id }, owner);
    expect(tapped.json()).toMatchObject({ ok: true });
  }
  expect(await page()).toContain('content="On tap: Pale, Abbey, Pale, Old Brewery, Stout."');
});

test('prices of members have a column only where the club has two; what nobody priced says ask', async () => {
  const section = await addSection();
  await addItem(section, {
    sizes: [
      { label: '0,5 l', volume_ml: 500, price: 480, member_price: 420 },
      { label: 'Flasche', volume_ml: 330, price: null },
    ],
  });
  await set({ volume_unit: 'l' });
  expect(rowOf(await page(), 'Stout')).toContain('0,5 l €4,80 Flasche 0,33 l ask');
  const german = await service.get('/menu', { accept: 'text/html', 'accept-language': 'de' });
  expect(rowOf(german.body, 'Stout')).toContain('0,5 l 4,80 € Flasche 0,33 l bitte fragen');
  await set({ price_columns: 2 });
  expect(rowOf(await page(), 'Stout')).toContain('0,5 l Members: €4,20 Guests: €4,80');
  // One of two prices is enough; a guest has to ask where neither is known.
  await addItem(section, { name: 'Cider', sizes: [{ label: 'Glas', price: 390 }] });
  await addItem(section, { name: 'Mead', sizes: [{ label: 'Glas', price: null, member_price: 350 }] });
  const html = await page();
  expect(rowOf(html, 'Cider')).toMatch(/Glas Guests: €3,90 Allergens/);
  expect(rowOf(html, 'Mead')).toMatch(/Glas Members: €3,50 Allergens/);
  expect(rowOf(html, 'Stout')).toMatch(/Flasche 0,33 l Guests: ask/);
  const { sections } = (await service.get('/api/menu')).json();
  expect(JSON.stringify(sections).match(/"ask"/g)).toHaveLength(1);
});

test('a guest reads volumes as prices, in their own way; on paper the list is in the language of the club', async () => {
  await using irish = await testApp({ TIME_ZONE: 'Europe/Dublin', LOCALE: 'en-IE' });
  const { publish } = await editorAt(irish);
  const section = await publish('menu_section', { title: 'Bottles' });
  const sizes = [
    { label: '0.5 l', volume_ml: 500, price: 480 },
    { label: 'Bottle', volume_ml: 330, price: 390 },
  ];
  await publish('menu_item', { section, name: 'Stout', sizes });
  const settings = { volume_unit: 'l' };
  const headers = await appoint(irish, 'olga@club.example', 'owner');
  await irish.request({ method: 'PUT', url: '/api/admin/settings', payload: settings, headers });
  const read = async (address: string, language: string) =>
    (await irish.get(address, { accept: 'text/html', 'accept-language': language })).body;
  expect(rowOf(await read('/menu', 'en'), 'Stout')).toContain('0.5 l €4.80 Bottle 0.33 l €3.90');
  expect(rowOf(await read('/menu', 'de'), 'Stout')).toContain('0,5 l 4,80 € Bottle 0,33 l 3,90 €');
  const paper = await read('/menu/print', 'de');
  expect(paper).toBe(await read('/menu/print', 'en'));
  expect(paper).toContain('<html lang="en"');
  expect(paper).not.toContain('action="/language"');
});

test('a size needs no word, and a volume is spelled in one way; a dish shows no strength and no maker', async () => {
  await set({ volume_unit: 'l', offers_allowed: true, country_checks: 'none' });
  const section = await addSection();
  const price = 490;
  await addItem(section, {
    sizes: [
      { label: '0,5l', price },
      { label: '', volume_ml: 250, price: 300 },
    ],
  });
  await addItem(section, { name: 'Helles', sizes: [{ label: '0,25', volume_ml: 250, price }] });
  const kitchen = await addSection({ title: 'Kitchen', kind: 'food' });
  const dish = { name: 'Strudel', maker: 'Hofer', abv: 3, ibu: 5, sizes: [{ label: '', price: 590 }] };
  const strudel = await addItem(kitchen, dish);
  const html = await page();
  expect(rowOf(html, 'Stout')).toMatch(/Stout 0,5 l €4,90 0,25 l €3,00 /);
  expect(rowOf(html, 'Helles')).toMatch(/Helles 0,25 l €4,90 /);
  expect(rowOf(html, 'Strudel')).toMatch(/^ Strudel €5,90 Allergens: ask us. $/);
  expect(html).toContain('"name":"Strudel","offers":[{"@type":"Offer","price":"5.90"');
  const paper = (await page('/menu/print')).replace(/<[^>]*>/g, '');
  expect(paper).toMatch(/Strudel\s+€5,90/);
  const { sections } = (await service.get('/api/menu')).json();
  expect(sections[1]).toMatchObject({
    kind: 'food',
    items: [{ maker: '', abv: null, ibu: null, sizes: [{ label: '', volumeMl: null, price: 590 }] }],
  });

  // Officers see no word either, and the form keeps what a dish does not show.
  const asOfficer = async (address: string) =>
    (await service.get(address, { ...editor.headers, accept: 'text/html' })).body;
  expect((await asOfficer('/admin/content/menu_item')).replace(/<[^>]*>/g, ' ')).toMatch(
    /Strudel\s+Hofer\s+Kitchen\s+€5,90/,
  );
  expect(await asOfficer('/admin/content/prices')).toMatch(
    /<span class="visually-hidden">Strudel, <\/span>Price/,
  );
  const form = await asOfficer(`/admin/content/menu_item/${strudel}`);
  expect(form).toContain('<input type="hidden" name="maker" value="Hofer">');
  expect(form).not.toContain('id="abv"');

  const twice = {
    section,
    name: 'Radler',
    sizes: [
      { label: '0,5l', price },
      { label: '', volume_ml: 500 },
    ],
  };
  expect((await editor.post('menu_item', { body: twice })).json().errors[0].path).toBe('body.sizes');

  // An offer and the table of prices find such sizes.
  await editor.publish('offer', {
    title: 'Early',
    between: { from: '12:00', to: '18:00' },
    items: [strudel],
    sections: [section],
    prices: [
      { label: '0,25 l', price: 200 },
      { label: '', price: 500 },
    ],
  });
  const put = (items: object[]) =>
    service.request({
      method: 'PUT',
      url: '/api/admin/menu/prices',
      payload: { items },
      headers: { accept: 'application/json', ...editor.headers },
    });
  const answer = await put([{ id: strudel, version: 1, sizes: [{ label: '', price: 600 }] }]);
  expect(answer.json()).toMatchObject({ ok: true, changed: 1 });
  const lower = (await service.get('/api/menu'))
    .json()
    .sections.flatMap(
      ({
        items,
      }: {
        items: { sizes: { price: number; offer: { price: number }; laterOffers?: { price: number }[] }[] }[];
      }) =>
        items.flatMap(({ sizes }) =>
          sizes.map(({ price: normal, offer, laterOffers }) => [normal, (offer ?? laterOffers?.[0])?.price]),
        ),
    );
  expect(lower).toEqual([
    [490, 200],
    [490, undefined],
    [300, 200],
    [600, 500],
  ]);
});

test('parts and words limit the list; a section is only where it is to be shown', async () => {
  const bottles = await addSection();
  const food = await addSection({
    title: 'Kitchen',
    kind: 'food',
    order: 5,
    show_on: { screens: false, print: false },
  });
  await addItem(bottles, { name: 'Märzen', maker: 'Abbey', abv: 5.6 });
  await addItem(bottles, { name: 'Helles ohne', abv: 0.4, marks: ['alcohol_free', 'vegan'] });
  await addItem(food, { name: 'Chips', marks: ['vegan'] });
  const shown = async (address: string) => {
    const html = await page(address);
    return ['Märzen', 'Helles ohne', 'Chips'].filter((name) => rowOf(html, name) !== undefined);
  };
  expect(await shown('/menu')).toEqual(['Märzen', 'Helles ohne', 'Chips']);
  expect(await shown('/menu?only=vegan')).toEqual(['Helles ohne', 'Chips']);
  expect(await shown('/menu?only=food')).toEqual(['Chips']);
  expect(await shown('/menu?q=marzen+abb')).toEqual(['Märzen']);
  expect(await page('/menu?q=porter')).not.toContain('data-menu-none hidden');
  expect(await page()).not.toContain('Without gluten');
  expect(await page('/menu/print')).not.toContain('Chips');
});

test('a section outside its hours is announced; a list with nothing right now says so', async () => {
  const kitchen = await addSection({ title: 'Kitchen', between: { from: '22:00', to: '23:00' } });
  await addItem(kitchen);
  const text = async () => (await page()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(await text()).toMatch(/There is nothing right now .* Later: Kitchen from 22:00\./);
  await addItem(await addSection(), { name: 'Pils' });
  expect(await text()).toMatch(/^(?!.*nothing right now).*Pils.* Later: Kitchen from 22:00\./);
  service.clock.now += 4.5 * HOUR;
  expect(await text()).toMatch(/^(?!.*Later:).*Stout/);
});

test('a wide window shows the sections in two columns of about the same length', async () => {
  const halves = async () => {
    const html = await page();
    const [, ...columns] = html
      .slice(html.indexOf('menu-halves'), html.indexOf('data-menu-none'))
      .split('<div><section');
    const titles = columns.map((half) =>
      [...half.matchAll(/<h2 id="[^"]*">([^<]+)/g)].map(([, title]) => title),
    );
    return { titles, isWide: html.includes('class="area-voter wide"') };
  };
  const bottles = await addSection();
  await addItem(bottles);
  expect(await halves()).toEqual({ titles: [['Bottles']], isWide: false });

  await addItem(bottles, { name: 'Porter' });
  for (const title of ['Kitchen', 'Wine']) await addItem(await addSection({ title }), { name: title });
  expect(await halves()).toEqual({ titles: [['Bottles'], ['Kitchen', 'Wine']], isWide: true });
});

test('search engines read the list with prices and whether there is any', async () => {
  const section = await addSection({ title: 'Beer </script>' });
  await addItem(section, { sizes: [{ label: 'Glass', price: 520 }], marks: ['vegan'] });
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await page()) ?? [];
  expect(JSON.parse(json)).toMatchObject({
    '@type': 'Menu',
    url: 'https://pub.example/menu',
    hasMenuSection: [
      {
        name: 'Beer </script>',
        hasMenuItem: [
          {
            name: 'Stout',
            suitableForDiet: ['https://schema.org/VeganDiet'],
            offers: [{ price: '5.20', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' }],
          },
        ],
      },
    ],
  });
});

test('paper has the sections of all days', async () => {
  await addItem(await addSection({ title: 'Roast', days: ['thu'], between: { from: '12:00', to: '15:00' } }));
  await addItem(await addSection(), { name: 'Pils' });
  expect(await page('/menu/print')).toMatch(/Roast.*Stout/s);
  expect(await page()).not.toContain('Roast');
});

test('the sixteen items beside an entrance are drinks with prices', async () => {
  const section = await addSection();
  const food = await addSection({ title: 'Kitchen', kind: 'food' });
  for (let index = 0; index < 18; index++)
    await addItem(section, {
      name: `Drink ${index}`,
      order: index,
      sizes: [{ label: 'Glass', price: 300 + index }],
    });
  await addItem(food, { name: 'Chips', sizes: [{ label: 'Plate', price: 500 }] });
  const drinks = async (form: string) =>
    (await page(`/menu/print?form=${form}`)).match(/<strong>(Drink \d+|Chips)<\/strong>/g)?.length;
  expect([await drinks('a4'), await drinks('a5'), await drinks('16')]).toEqual([19, 19, 16]);
});
