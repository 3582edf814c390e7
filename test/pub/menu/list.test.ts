import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { menuAt as screenMenu } from '#views/assets/tv/menu/model.js';

let service: TestApp;
let editor: Awaited<ReturnType<typeof editorAt>>;

beforeEach(async () => {
  service = await testApp({ TIME_ZONE: 'Europe/Dublin', LOCALE: 'en-IE' });
  onTestFinished(() => service[Symbol.asyncDispose]());
  editor = await editorAt(service);
});

const menu = async () => (await service.get('/api/menu')).json();
const set = async (payload: object) => {
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const headers = { accept: 'application/json', ...owner };
  expect(
    (await service.request({ method: 'PUT', url: '/api/admin/settings', payload, headers })).json(),
  ).toMatchObject({ ok: true });
};
const items = async () =>
  (await menu()).sections.flatMap((section: { items: { name: string }[] }) => section.items);
const names = async () => (await items()).map(({ name }: { name: string }) => name);
const addSection = (body: object = {}) => editor.publish('menu_section', { title: 'Bottles', ...body });
const addItem = (section: string, body: object = {}) =>
  editor.publish('menu_item', { section, name: 'Stout', ...body });

describe('the published list', () => {
  it('is empty at a fresh club, and /api/events says nothing of it', async () => {
    expect(await menu()).toEqual({ sections: [], next: [] });
    expect((await service.get('/api/events')).json()).not.toHaveProperty('menu');
  });

  it('shows food at once, also where its section is ticked as on tap', async () => {
    await addItem(await addSection({ title: 'Draught', on_tap: true }), { name: 'Stout' });
    await addItem(await addSection({ title: 'Kitchen', kind: 'food', on_tap: true }), { name: 'Soup' });
    expect(await names()).toEqual(['Soup']);
  });

  it('shows an item that has nothing but a name, once its section is published too', async () => {
    const section = (await editor.create('menu_section', { title: 'Bottles' })).split('/')[1]!;
    const id = await addItem(section);
    expect(await menu()).toEqual({ sections: [], next: [] });

    await editor.post(`menu_section/${section}/publish`);
    const answer = await menu();
    expect(answer).toMatchObject({
      currency: 'EUR',
      columns: 1,
      validUntil: '2026-11-22T17:00:00.000Z',
      updatedAt: '2026-11-21T17:00:00.000Z',
      next: [],
    });
    expect(answer.sections).toEqual([
      {
        id: section,
        title: 'Bottles',
        note: '',
        order: 0,
        kind: 'drinks',
        onTap: false,
        rows: 2,
        showOn: { screens: true, phones: true, print: true },
        items: [
          {
            id,
            name: 'Stout',
            maker: '',
            style: '',
            abv: null,
            ibu: null,
            colorEbc: null,
            description: '',
            tap: null,
            state: 'on',
            stateUntil: null,
            isNew: true,
            sizes: [],
            allergens: null,
            marks: [],
            url: '',
          },
        ],
      },
    ]);
    expect((await service.get('/api/events')).json().menu).toEqual(answer);
  });

  it('writes prices and volumes as the club does, and members’ prices only in two columns', async () => {
    const sizes = [
      { label: 'Pint', volume_ml: 568, price: 520, member_price: 470 },
      { label: 'Half', volume_ml: 284, price: null },
      { label: 'Old', price: 1, shown: false },
    ];
    await addItem(await addSection(), { abv: 4.2, sizes });
    const shown = async () => (await items())[0].sizes;
    expect(await shown()).toEqual([
      expect.objectContaining({ price: 520, priceText: '€5.20', memberPrice: null, memberPriceText: '' }),
      expect.objectContaining({ label: 'Half', volumeText: '½ pint', price: null, priceText: 'ask' }),
    ]);

    await set({ price_columns: 2, volume_unit: 'pint', show_units: true });
    expect(await shown()).toEqual([
      expect.objectContaining({
        volumeText: '1 pint',
        memberPrice: 470,
        memberPriceText: '€4.70',
        units: 2.4,
      }),
      expect.objectContaining({ volumeText: '½ pint', memberPrice: null, memberPriceText: '' }),
    ]);
  });

  it('has its items new for a week, counted from when they were first published', async () => {
    const id = await addItem(await addSection());
    service.clock.now += 6 * DAY;
    await editor.patch(`menu_item/${id}`, { version: 1, body: { name: 'Porter' }, publish: true });
    expect(await items()).toMatchObject([{ name: 'Porter', isNew: true }]);
    service.clock.now += DAY;
    expect(await items()).toMatchObject([{ isNew: false }]);
  });

  it('shows a section within its hours, past midnight too, and announces it before', async () => {
    await addItem(await addSection({ title: 'Late kitchen', between: { from: '22:00', to: '02:00' } }));
    const titles = async (field: string) =>
      ((await menu())[field] ?? []).map(({ title }: { title: string }) => title);
    const at = async (time: string) => {
      service.clock.now = Temporal.Instant.from(time).epochMilliseconds;
      return [await titles('sections'), await titles('laterSections')];
    };
    expect(await at('2026-11-21T21:59:00Z')).toEqual([[], ['Late kitchen']]);
    expect(await at('2026-11-21T22:00:00Z')).toEqual([['Late kitchen'], []]);
    expect(await at('2026-11-22T01:00:00Z')).toEqual([['Late kitchen'], []]);
    expect(await at('2026-11-22T02:00:00Z')).toEqual([[], ['Late kitchen']]);
    const [later] = (await menu()).laterSections;
    expect(later.windows).toContainEqual([
      Date.parse('2026-11-22T22:00:00Z'),
      Date.parse('2026-11-23T02:00:00Z'),
    ]);
  });

  it('has a late section at its place at 01:00 of the next day on a screen that was offline since the evening', async () => {
    await addItem(await addSection({ title: 'Wine', order: 3 }), { name: 'Red' });
    await addItem(
      await addSection({ title: 'Late kitchen', order: 2, between: { from: '22:00', to: '02:00' } }),
    );
    await addItem(await addSection({ order: 1 }), { name: 'Cola' });
    const stored = (await service.get('/api/events')).json().menu;
    const shownAt = (time: string) => {
      const at = Temporal.Instant.from(time).epochMilliseconds;
      const moment = { at, known: true, locale: 'en-IE', time: String };
      return screenMenu(stored, moment).sections.map(({ title }) => title);
    };
    expect(shownAt('2026-11-21T21:59:00Z')).toEqual(['Bottles', 'Wine']);
    expect(shownAt('2026-11-22T01:00:00Z')).toEqual(['Bottles', 'Late kitchen', 'Wine']);
    expect(shownAt('2026-11-22T02:00:00Z')).toEqual(['Bottles', 'Wine']);
  });

  it('keeps the row of what is sold out until the day of the pub ends, for screens to hide at their turn', async () => {
    const section = await addSection();
    const id = await addItem(section);
    await addItem(section, { name: 'Cola' });
    await set({ sold_out_shows: 'hidden' });
    const barkeeper = await appoint(service, 'tom@club.example', 'tender');
    const act = { state: 'out', until: null };
    expect((await service.post(`/api/admin/menu/items/${id}/stock`, act, barkeeper)).json()).toMatchObject({
      ok: true,
    });
    expect(await menu()).toMatchObject({ soldOutShows: 'hidden' });
    expect(await items()).toMatchObject([
      { name: 'Cola', state: 'on' },
      { name: 'Stout', state: 'out' },
    ]);
    for (const address of ['/menu', '/menu/print']) {
      const { body } = await service.get(address, { accept: 'text/html' });
      expect([body.includes('Cola'), body.includes('Stout')]).toEqual([true, false]);
    }
    service.clock.now += DAY;
    expect(await names()).toEqual(['Cola']);
  });

  it('keeps its ETag until something changes, and its prices are valid for as long as the club says', async () => {
    await addItem(await addSection());
    const tag = async () => (await service.get('/api/menu')).headers.etag;
    const first = await tag();
    service.clock.now += 14 * MINUTE;
    expect(await tag()).toBe(first);
    await set({ prices_old_after_h: 2 });
    expect(Date.parse((await menu()).validUntil) - service.clock.now).toBeLessThanOrEqual(2 * HOUR);
    expect(await tag()).not.toBe(first);
  });

  it('shows no draft of a price', async () => {
    const id = await addItem(await addSection(), { sizes: [{ label: 'Pint', price: 500 }] });
    await editor.patch(`menu_item/${id}`, { version: 1, body: { sizes: [{ label: 'Pint', price: 600 }] } });
    expect((await items())[0].sizes[0].price).toBe(500);
    await editor.post(`menu_item/${id}/publish`);
    expect((await items())[0].sizes[0].price).toBe(600);
    expect(await names()).toEqual(['Stout']);
  });
});

describe('what is refused', () => {
  const cases: [what: string, body: object, path: string, text: RegExp][] = [
    ['no name', { name: '' }, 'body.name', /empty/],
    ['a section that does not exist', { section: 'f'.repeat(32) }, 'body.section', /no such section/],
    [
      'a fraction of a cent',
      { sizes: [{ label: 'Pint', price: 5.2 }] },
      'body.sizes.0.price',
      /smallest coin/,
    ],
    ['a typed price', { sizes: [{ label: 'Pint', price: '5.20' }] }, 'body.sizes.0.price', /smallest coin/],
    ['two sizes of one name', { sizes: [{ label: 'Pint' }, { label: 'pint' }] }, 'body.sizes', /twice/],
    ['two decimals of strength', { abv: 4.25 }, 'body.abv', /one decimal/],
    [
      'vegan with milk',
      { marks: ['vegan'], allergens: ['milk'] },
      'body.marks',
      /vegan does not go with Milk/,
    ],
    [
      'vegetarian with fish and molluscs',
      { marks: ['vegetarian'], allergens: ['fish', 'molluscs'] },
      'body.marks',
      /vegetarian does not go with Fish, Molluscs/,
    ],
    ['alcohol-free with 1.2 %', { marks: ['alcohol_free'], abv: 1.2 }, 'body.abv', /above 0.5%/],
    ['alcohol-free without a strength', { marks: ['alcohol_free'] }, 'body.abv', /needed/],
    [
      'allergens that are not listed',
      { allergens_known: 'none', allergens: ['milk'] },
      'body.allergens',
      /empty/,
    ],
    ['listed allergens without any', { allergens_known: 'listed' }, 'body.allergens', /Tick/],
  ];
  it.each(cases)('%s', async (_, body, path, text) => {
    const section = await addSection();
    const allergens = (body as { allergens?: string[] }).allergens?.map((code) => ({ code }));
    const known = allergens && { allergens_known: 'listed', ...body, allergens };
    const answer = await editor.post('menu_item', { body: { name: 'X', section, ...body, ...known } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([{ path, message: expect.stringMatching(text) }]);
  });

  const fitting: [what: string, body: object][] = [
    ['alcohol-free with 0.5 %', { marks: ['alcohol_free'], abv: 0.5 }],
    [
      'vegetarian with milk',
      { marks: ['vegetarian'], allergens_known: 'listed', allergens: [{ code: 'milk' }] },
    ],
    ['vegan, allergens unknown', { marks: ['vegan'] }],
  ];
  it.each(fitting)('but not %s', async (_, body) => {
    await addItem(await addSection(), body);
  });

  it('asks once whether something is gluten-free although gluten is in it', async () => {
    const body = {
      name: 'Pils',
      section: await addSection(),
      marks: ['gluten_free'],
      allergens_known: 'listed',
      allergens: [{ code: 'gluten', detail: 'barley' }],
    };
    const asked = await editor.post('menu_item', { body });
    expect([asked.statusCode, asked.json().confirm]).toEqual([409, ['gluten_free']]);
    const stored = await editor.post('menu_item', { body, confirm: ['gluten_free'] });
    expect(stored.json()).toMatchObject({ ok: true, version: 1 });
    const later = await editor.patch(`menu_item/${stored.json().id}`, {
      version: 1,
      body: { name: 'Lager' },
    });
    expect(later.json()).toMatchObject({ ok: true, version: 2 });
  });
});
