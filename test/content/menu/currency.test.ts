import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { announceSettings, storePriceUnit } from '#kernel/db/settings.ts';
import { inDigits } from '#kernel/money.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { expectBadField } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

const HTML = { accept: 'text/html' };

let service: TestApp;
let owner: Record<string, string>;
let eve: Awaited<ReturnType<typeof editorAt>>;
beforeEach(() => start());
afterEach(() => service[Symbol.asyncDispose]());

async function start(env: Record<string, string> = {}) {
  service = await testApp(env);
  if (service.ctx.db.first(build.selectFrom('persons').select('id'))) return;
  owner = await appoint(service, 'olga@club.example', 'owner');
  eve = await editorAt(service);
}

const put = (settings: object, headers = owner) =>
  service.request({ method: 'PUT', url: '/api/admin/settings', payload: settings, headers });
const settings = async () => (await service.get('/api/admin/settings', owner)).json().settings;
const pricesOf = async () => {
  const { items } = (await service.get('/api/admin/content/menu_item', owner)).json();
  return Object.fromEntries(
    items.map(({ body }: { body: { name: string; sizes: { price: number; member_price: number }[] } }) => [
      body.name,
      body.sizes.map(({ price, member_price }) => [price, member_price]),
    ]),
  );
};

/** A section with a published beer, a draft, and an offer. */
async function list() {
  await put({ offers_allowed: true });
  const section = await eve.publish('menu_section', { title: 'Beer' });
  const beer = await eve.publish('menu_item', {
    name: 'Lager',
    section,
    sizes: [{ label: 'Pint', price: 520, member_price: 400 }],
  });
  const draft = await eve.create('menu_item', {
    name: 'Stout',
    section,
    sizes: [{ label: 'Pint', price: 650 }],
  });
  const offer = await eve.publish('offer', {
    title: 'Early',
    between: { from: '17:00', to: '18:00' },
    items: [beer],
    prices: [{ label: 'Pint', price: 450 }],
  });
  return { beer, draft, offer, section };
}

test.each([
  [520, 2, 0, 5],
  [550, 2, 0, 6],
  [5, 0, 2, 500],
  [520, 2, 3, 5200],
  [5205, 3, 2, 521],
  [0, 2, 0, 0],
])('%i with %i digits is kept with %i as it reads: %i', (minor, from, to, after) => {
  expect(inDigits(minor, from, to)).toBe(after);
});

test('another currency is asked about while there are prices, and changes nothing until it is confirmed', async () => {
  await list();
  const before = await pricesOf();
  const asked = await put({ currency: 'JPY' });

  expect(asked.statusCode).toBe(409);
  expect(asked.json()).toMatchObject({ confirm: ['currency'], errors: [{ path: 'currency' }] });
  expect(asked.json().prices).toEqual([
    { name: 'Early', before: '$4.50', after: '¥5' },
    { name: 'Lager', before: '$5.20', after: '¥5' },
    { name: 'Stout', before: '$6.50', after: '¥7' },
  ]);
  expect(await pricesOf()).toEqual(before);
  expect((await settings()).currency).toBe('USD');
});

test('confirmed, every figure is kept as it reads: members’ prices, drafts, offers, earlier versions, the least price', async () => {
  const { beer, offer } = await list();
  await put({ min_price_per_unit: 65 });
  await eve.patch(`menu_item/${beer}`, {
    version: 1,
    body: { sizes: [{ label: 'Pint', price: 530, member_price: 400 }] },
    publish: true,
  });
  expect((await put({ currency: 'JPY', confirm: ['currency'] })).statusCode).toBe(200);

  expect(await pricesOf()).toEqual({ Lager: [[5, 4]], Stout: [[7, null]] });
  expect((await eve.read(`offer/${offer}`)).body.prices).toEqual([{ label: 'Pint', price: 5 }]);
  expect(await settings()).toMatchObject({ currency: 'JPY', min_price_per_unit: 1 });
  const menu = (await service.get('/api/menu')).json();
  expect(menu).toMatchObject({ currency: 'JPY' });
  expect(JSON.stringify(menu)).toContain('¥5');
  await service.post(`/api/admin/content/menu_item/${beer}/restore`, { version: 1 }, eve.headers);
  expect((await pricesOf()).Lager).toEqual([[5, 4]]);

  expect((await put({ currency: 'EUR', confirm: ['currency'] })).statusCode).toBe(200);
  expect(await pricesOf()).toEqual({ Lager: [[500, 400]], Stout: [[700, null]] });
});

test('a currency with as many digits is asked about too, and names no price', async () => {
  await list();
  const asked = (await put({ currency: 'GBP' })).json();

  expect(asked).toMatchObject({ confirm: ['currency'], prices: [] });
  expect((await put({ currency: 'USD' })).statusCode).toBe(200);
});

test('without a price nothing is asked', async () => {
  expect((await put({ currency: 'JPY' })).statusCode).toBe(200);
  const section = await eve.publish('menu_section', { title: 'Beer' });
  await eve.publish('menu_item', { name: 'Ask us', section, sizes: [{ label: 'Pint' }] });
  expect((await put({ currency: 'EUR' })).statusCode).toBe(200);
});

test('a language of another country asks likewise, unless the currency is chosen', async () => {
  await list();
  expect((await put({ locale: 'ja-JP' })).json()).toMatchObject({
    confirm: ['currency'],
    errors: [{ path: 'locale' }],
  });
  expect((await put({ locale: 'en-US' })).statusCode).toBe(200);
  expect((await put({ currency: 'USD', locale: 'ja-JP' })).statusCode).toBe(200);
  expect(await settings()).toMatchObject({ currency: 'USD', locale: 'ja-JP' });
  expect((await put({ currency: null })).json()).toMatchObject({ confirm: ['currency'] });
  expect((await put({ currency: null, confirm: ['currency'] })).statusCode).toBe(200);
  expect(await pricesOf()).toMatchObject({ Lager: [[5, 4]] });
});

test('a language without a country takes no currency away from prices', async () => {
  await list();
  expect((await put({ locale: 'de' })).statusCode).toBe(200);
  expect(await settings()).toMatchObject({ currency: 'USD' });
  expect((await pricesOf()).Lager).toEqual([[520, 400]]);
});

test.each(['de', 'es-419', 'en'])(
  'a club with the language %s has no currency until the first price asks for one',
  async (locale) => {
    await put({ locale });
    expect(await settings()).toMatchObject({ currency: null });
    const page = (await service.get('/admin/settings/menu', { ...HTML, ...owner })).body;
    expect(page).toMatch(/<option value="" selected>/);
    const section = await eve.publish('menu_section', { title: 'Beer' });
    const beer = { name: 'Lager', section, sizes: [{ label: 'Pint', price: 520 }] };

    expectBadField(await eve.post('menu_item', { body: beer }), 'sizes', 'currency_needed');
    expectBadField(await put({ min_price_per_unit: 50 }), 'min_price_per_unit', 'currency_needed');
    await eve.publish('menu_item', { ...beer, sizes: [{ label: 'Pint' }] });
    expect((await put({ currency: 'CHF' })).statusCode).toBe(200);
    expect((await eve.post('menu_item', { body: { ...beer, name: 'Ale' } })).statusCode).toBe(200);
  },
);

test('the form asks with a tick, and keeps what was entered', async () => {
  await list();
  const form = { currency: 'JPY', price_columns: '2' };
  const asked = await service.submit('/admin/settings', form, { ...HTML, ...owner });
  expect(asked.statusCode).toBe(409);
  expect(asked.body).toMatch(/name="confirm"[^>]*value="currency"|value="currency"[^>]*name="confirm"/);
  expect(asked.body).toMatch(/<option value="JPY" selected>/);

  const done = await service.submit(
    '/admin/settings',
    { ...form, confirm: 'currency' },
    { ...HTML, ...owner },
  );
  expect(done.statusCode).toBe(303);
  expect(await settings()).toMatchObject({ currency: 'JPY', price_columns: 2 });
});

test('a price that the new currency could not write stops the change', async () => {
  await put({ currency: 'JPY' });
  const section = await eve.publish('menu_section', { title: 'Wine' });
  await eve.publish('menu_item', { name: 'Old wine', section, sizes: [{ label: '', price: 50_000_000 }] });

  expectBadField(await put({ currency: 'EUR', confirm: ['currency'] }), 'currency', 'prices_too_high', {
    names: ['Old wine'],
  });
});

test('the number of digits is stored: another runtime changes no price', async () => {
  await list();
  await service.ctx.write((tx) => storePriceUnit(tx, { currency: 'USD', digits: 3 }, 1));
  announceSettings(service.ctx);

  expect(JSON.stringify((await service.get('/api/menu')).json())).toContain('$0.520');
});

test('an environment with another country leaves prices as they are, and the page of the service’s health says so', async () => {
  await using folder = await fs.promises.mkdtempDisposable(path.join(os.tmpdir(), 'currency-'));
  const file = { DATABASE_URL: `file:${path.join(folder.path, 'club.db')}` };
  const again = async (env: Record<string, string>) => {
    await service[Symbol.asyncDispose]();
    await start({ ...file, ...env });
  };
  await again({});
  await list();
  await again({ LOCALE: 'ja-JP' });

  expect((await pricesOf()).Lager).toEqual([[520, 400]]);
  expect(await settings()).toMatchObject({ currency: 'USD' });
  const health = async () => (await service.get('/admin/health', { ...HTML, ...owner })).body;
  expect(await health()).toContain('a country with JPY');
  expect((await put({ currency: 'USD' })).statusCode).toBe(200);
  expect(await health()).not.toContain('a country with JPY');

  // As the migration leaves the database of an earlier version, whose prices had the likely currency of the language.
  await service.ctx.write((tx) => {
    tx.run(build.deleteFrom('settings').where('name', '=', 'currency'));
    tx.run(build.updateTable('settings').set({ value: 'null' }).where('name', '=', 'price_unit'));
  });
  await again({ LOCALE: 'de' });
  expect(await settings()).toMatchObject({ currency: 'EUR' });
  expect((await pricesOf()).Lager).toEqual([[520, 400]]);
});
