import { expect, it, test } from 'vitest';
import { MENU_ITEM, type MenuItemBody } from '#content/kinds/menu-item.ts';
import { parseBody } from '#content/records/kind.ts';
import { DAY } from '#kernel/clock.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { checkCountry } from '#pub/menu/checks.ts';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';

type Country = Parameters<typeof checkCountry>[1]['country_checks'];
const drink = (name: string, more: object, ...sizes: [ml: number, price: number][]) => ({
  ...(parseBody(MENU_ITEM, {
    name,
    section: 'a'.repeat(32),
    ...more,
    sizes: sizes.map(([ml, price]) => ({ label: `${ml} ml`, volume_ml: ml, price })),
  }) as MenuItemBody),
  kind: 'drinks' as const,
});
const cola = (price: number) => drink('Cola', { abv: 0, marks: ['alcohol_free'] }, [500, price]);
const water = (price: number) => drink('Water', { abv: 0, marks: ['alcohol_free'] }, [500, price]);
const beer = drink('Beer', { abv: 5 }, [500, 400]);

const CASES: [
  what: string,
  country: Country,
  least: number | null,
  items: ReturnType<typeof drink>[],
  found: (RegExp | string)[],
][] = [
  ['vodka at its lowest price', 'none', 65, [drink('Vodka', { abv: 37.5 }, [700, 1707])], []],
  ['vodka a penny below', 'none', 65, [drink('Vodka', { abv: 37.5 }, [700, 1706])], [/Vodka.*lowest price/]],
  ['wine at the penny above the product', 'none', 50, [drink('Wine', { abv: 12.5 }, [750, 469])], []],
  ['a drink without a strength', 'none', 65, [drink('Punch', {}, [500, 1])], []],
  ['a cheap cola in Germany', 'DE', null, [beer, cola(400)], []],
  ['a dear cola in Germany', 'DE', null, [beer, cola(401)], [/No alcohol-free drink/]],
  ['one cheap drink in Austria', 'AT', null, [beer, cola(400)], [/Fewer than two/]],
  ['two cheap drinks in Austria', 'AT', null, [beer, cola(400), water(300)], []],
  ['only cola in Germany', 'DE', null, [cola(900)], []],
  [
    'gin in 25 and rum in 35 ml',
    'GB',
    null,
    [drink('Gin', {}, [25, 400]), drink('Rum', {}, [35, 400])],
    [/25 ml and in 35/],
  ],
  ['pints without halves', 'GB-WLS', null, [drink('Bitter', {}, [568, 400])], [/half pint/]],
  ['pints with halves', 'GB', null, [drink('Bitter', {}, [568, 400], [284, 210])], []],
  ['a red ale', 'GB', null, [drink('Smithwick’s', { style: 'Irish Red', abv: 4.5 }, [440, 400])], []],
  ['wine from 175 ml', 'GB-SCT', null, [drink('Merlot', { style: 'Red' }, [175, 400])], [/125 ml/]],
  ['one drink in Ireland', 'IE', null, [beer], [/16 drinks with prices; 1/]],
  ['nothing is checked without a country', 'none', null, [beer, cola(900)], []],
];
it.each(CASES)('%s', (_, country_checks, min_price_per_unit, items, found) => {
  const said = checkCountry(items, {
    country_checks,
    min_price_per_unit,
    alcohol_free_below: 0.5,
    volume_unit: 'l',
  });
  expect(said.map((one) => one.for(ENGLISH))).toEqual(found.map((one) => expect.stringMatching(one)));
});

test('what a section has twice by hand is named; another maker or section is another one', async () => {
  await using service = await testApp();
  const { headers, publish } = await editorAt(service);
  const page = async (address: string) =>
    (await service.get(address, { ...headers, accept: 'text/html' })).body.replace(/<[^>]*>/g, ' ');
  const [wine, bottles] = [
    await publish('menu_section', { title: 'Wine' }),
    await publish('menu_section', { title: 'Bottles' }),
  ];
  await publish('menu_item', { section: wine, name: 'Sturm' });
  await publish('menu_item', { section: bottles, name: 'Sturm' });
  await publish('menu_item', { section: wine, name: 'Sturm', maker: 'Hof' });
  expect(await page('/admin/content')).not.toContain('twice');
  await publish('menu_item', { section: wine, name: ' STURM' });
  expect(await page('/admin/content')).toMatch(/sturm is in its section twice/i);
  expect((await page('/admin/content/menu_item')).match(/Twice in its section/g)).toHaveLength(1);
});

test('the content page says which tap is bare, what is sold out for long, and that nobody touched the list', async () => {
  await using service = await testApp();
  const editor = await editorAt(service);
  const tender = await appoint(service, 'tom@club.example', 'tender');
  const found = async () => {
    const { body } = await service.get('/admin/content', { ...editor.headers, accept: 'text/html' });
    return (body.match(/<ul class="action-list".*?<\/ul>/s)?.[0] ?? '').replace(/<[^>]*>/g, ' ');
  };
  const section = await editor.publish('menu_section', { title: 'Bottles' });
  const item = await editor.publish('menu_item', { section, name: 'Stout' });
  await service.post('/api/admin/taps/4', {}, tender);
  expect(await found()).not.toContain('Tap 4');
  const always = [{ opens: '00:00', closes: '23:59' }];
  const week = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, always]),
  );
  await editor.publish('hours', { from: '2026-01-01', week });
  expect(await found()).toContain('Tap 4 has no drink');
  await service.post('/api/admin/taps/4', { item_id: item }, tender);
  expect(await found()).not.toContain('Tap 4');

  await service.post(`/api/admin/menu/items/${item}/stock`, { state: 'out', until: null }, tender);
  service.clock.now += 14 * DAY - 1;
  expect(await found()).not.toContain('two weeks');
  service.clock.now += 1;
  expect(await found()).toContain('Stout has been sold out for two weeks');
  service.clock.now += 46 * DAY - 1;
  expect(await found()).not.toContain('two months');
  service.clock.now += 1;
  expect(await found()).toContain('Nobody has changed the list of drinks and food for two months');
  await service.post(`/api/admin/menu/items/${item}/stock`, { state: 'on' }, tender);
  expect(await found()).not.toMatch(/two weeks|two months/);
  await service.post('/api/admin/taps/4', { state: 'out' }, tender);
  service.clock.now += 14 * DAY;
  expect(await found()).toContain('Tap 4 has been empty for two weeks');

  await editor.post(`menu_section/${section}/remove`);
  expect(await found()).toContain('1 published on the list of drinks and food, in a section that is not');
});

test('a record of the list says what guests do not see because of it, when it is published and afterwards', async () => {
  await using service = await testApp();
  const editor = await editorAt(service);
  const tender = await appoint(service, 'tom@club.example', 'tender');
  const html = async (address: string) =>
    (await service.get(address, { ...editor.headers, accept: 'text/html' })).body;
  const effects = async (kind: string, id: string) =>
    (
      (await html(`/admin/content/${kind}/${id}?done=published`)).match(
        /<p class="record-effect">.*?<\/p>/gs,
      ) ?? []
    ).map((line) => line.replace(/<[^>]*>/g, ''));
  const todo = async () =>
    ((await html('/admin/content')).match(/<ul class="action-list".*?<\/ul>/s)?.[0] ?? '').replace(
      /<[^>]*>/g,
      ' ',
    );
  const section = await editor.publish('menu_section', { title: 'Draught' });
  const [stout, lager] = [
    await editor.publish('menu_item', { section, name: 'Stout' }),
    await editor.publish('menu_item', { section, name: 'Lager' }),
  ];
  let version = 1;
  const change = async (body: object) => {
    const patch = { version, body: { title: 'Draught', ...body }, publish: true };
    expect((await editor.patch(`menu_section/${section}`, patch)).statusCode).toBe(200);
    version += 1;
  };
  expect(await effects('menu_section', section)).toEqual([]);

  await change({ on_tap: true });
  expect(await effects('menu_section', section)).toEqual([
    '2 drinks are not shown until a tap has them. Set up taps',
  ]);
  expect(await effects('menu_item', stout)).toEqual(['It is not shown until a tap has it. Set up taps']);
  expect(await todo()).toContain('Draught: 2 drinks are not shown until a tap has them.');
  await service.post('/api/admin/taps/3', { item_id: stout }, tender);
  expect(await effects('menu_section', section)).toEqual([
    '1 drink is not shown until a tap has it. Set up taps',
  ]);
  // Drinks that wait for their turn are usual.
  expect(await todo()).not.toContain('not shown until');

  await change({ on_tap: true, days: ['fri'], show_on: { screens: false, phones: true, print: false } });
  expect((await effects('menu_section', section)).slice(1)).toEqual([
    'Guests see its 2 entries only at the times below.',
    'Its 2 entries are not on screens or paper.',
  ]);

  await editor.post(`menu_item/${stout}/remove`);
  expect(await effects('menu_item', stout)).toEqual([
    'Tap 3 still has it, and shows nothing. Choose another drink',
  ]);
  expect(await todo()).toContain('Tap 3 has a drink that is not published');
  await editor.post(`menu_section/${section}/remove`);
  expect(await effects('menu_section', section)).toEqual([
    'Guests do not see its 1 entry: the section is not published.',
  ]);
  expect(await effects('menu_item', lager)).toEqual(['Guests do not see it: its section is not published.']);
});
