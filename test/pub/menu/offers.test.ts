import { beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';

let service: TestApp;
let editor: Awaited<ReturnType<typeof editorAt>>;
let owner: Record<string, string>;
let section: string;

beforeEach(async () => {
  service = await testApp({ TIME_ZONE: 'Europe/London', LOCALE: 'en-GB' });
  onTestFinished(() => service[Symbol.asyncDispose]());
  editor = await editorAt(service);
  owner = await appoint(service, 'olga@club.example', 'owner');
  section = await editor.publish('menu_section', { title: 'Bottles' });
});

const set = async (payload: object) => {
  const headers = { accept: 'application/json', ...owner };
  const answer = await service.request({ method: 'PUT', url: '/api/admin/settings', payload, headers });
  expect(answer.json()).toMatchObject({ ok: true });
};
const offer = (body: object = {}) => ({
  title: 'Early doors',
  between: { from: '17:00', to: '19:00' },
  sections: [section],
  percent: 10,
  ...body,
});
const at = (time: string) => {
  service.clock.now = Temporal.Instant.from(time).epochMilliseconds;
};
const sizes = async () => (await service.get('/api/menu')).json().sections[0].items[0].sizes;

describe('an offer', () => {
  const hours = (from: string, to: string) => ({ between: { from, to } });
  const refused: [what: string, settings: object, body: object, path: string, text: RegExp][] = [
    ['while no offers are allowed', {}, {}, 'title', /switched off/],
    ['in Scotland', { offers_allowed: true, country_checks: 'GB-SCT' }, {}, 'title', /Scotland/],
    ['in Ireland', { offers_allowed: true, country_checks: 'IE' }, {}, 'title', /Ireland/],
    ['over six hours', { offers_allowed: true }, hours('17:00', '23:01'), 'between', /at most 6 hours/],
    ['over six hours past midnight', { offers_allowed: true }, hours('20:00', '02:01'), 'between', /6 hours/],
    ['without hours', { offers_allowed: true }, { between: null }, 'between', /hours/],
    ['of nothing', { offers_allowed: true }, { sections: [] }, 'items', /what it is for/],
  ];
  it.each(refused)('is refused %s', async (_, settings, body, path, text) => {
    await set(settings);
    const answer = await editor.post('offer', { body: offer(body) });
    expect([answer.statusCode, answer.json().errors]).toMatchObject([
      400,
      [{ path: `body.${path}`, message: expect.stringMatching(text) }],
    ]);
  });

  it.each([
    ['17:00', '23:00'],
    ['20:00', '02:00'],
  ])('is taken from %s to %s', async (from, to) => {
    await set({ offers_allowed: true });
    await editor.publish('offer', offer(hours(from, to)));
  });
});

test('the list has the lower price beside the normal one and when it ends, until the rules forbid it', async () => {
  await set({ offers_allowed: true, price_columns: 2 });
  at('2026-11-27T12:00:00Z');
  const prices = { label: 'Pint', price: 500, member_price: 450 };
  await editor.publish('menu_item', { section, name: 'Stout', sizes: [prices] });
  await editor.publish('offer', offer());
  expect(await sizes()).toMatchObject([{ price: 500, offer: null }]);

  at('2026-11-27T17:00:00Z');
  expect(await sizes()).toMatchObject([
    {
      price: 500,
      memberPrice: 450,
      offer: {
        title: 'Early doors',
        price: 450,
        priceText: '£4.50',
        memberPrice: 405,
        until: '2026-11-27T19:00:00.000Z',
      },
    },
  ]);
  await set({ country_checks: 'GB-SCT' });
  expect(await sizes()).toMatchObject([{ price: 500, offer: null }]);
  await set({ country_checks: 'GB' });
  at('2026-11-27T19:00:00Z');
  expect(await sizes()).toMatchObject([{ price: 500, offer: null }]);
});

test('an offer that lowers no price is named', async () => {
  await set({ offers_allowed: true });
  await editor.publish('menu_item', { section, name: 'Stout', sizes: [{ label: 'Pint', price: 500 }] });
  const lower = (label: string, price: number) => offer({ percent: null, prices: [{ label, price }] });
  for (const [title, body] of Object.entries({
    'Of no size': lower('Jug', 100),
    'Not lower': lower('Pint', 500),
    Lower: lower('pint', 499),
  }))
    await editor.publish('offer', { ...body, title });
  const { body } = await service.get('/admin/content', { ...editor.headers, accept: 'text/html' });
  expect(body.match(/[\w ]+: nothing costs less/g)?.sort()).toEqual([
    'Not lower: nothing costs less',
    'Of no size: nothing costs less',
  ]);
});

test('an offer below the lowest price for its alcohol is named until its last day', async () => {
  await set({ offers_allowed: true, country_checks: 'GB-WLS', min_price_per_unit: 50 });
  // 0.50 x 5 x 0.568 l = 1.42, rounded up.
  const prices = [
    { label: 'Pint', volume_ml: 568, price: 150 },
    { label: 'Half', volume_ml: 284, price: 80 },
  ];
  await editor.publish('menu_item', { section, name: 'Stout', abv: 5, sizes: prices });
  const found = async () => {
    const { body } = await service.get('/admin/content', { ...editor.headers, accept: 'text/html' });
    return [...body.matchAll(/Stout, (\w+): below the lowest price/g)].map(([, size]) => size);
  };
  expect(await found()).toEqual([]);
  await editor.publish(
    'offer',
    offer({ percent: null, prices: [{ label: 'pint', price: 141 }], until: '2026-11-22' }),
  );
  expect(await found()).toEqual(['Pint']);
  at('2026-11-23T12:00:00Z');
  expect(await found()).toEqual([]);
});

test('prices of a percentage can be rounded to tenths, and guests on phones read what the offer is called', async () => {
  await set({ offers_allowed: true });
  at('2026-11-27T17:30:00Z');
  const priced = [390, 520, 12].map((price) => ({ label: `at ${price}`, price }));
  await editor.publish('menu_item', { section, name: 'Stout', sizes: priced });
  const id = await editor.publish('offer', offer({ percent: 20 }));
  const offered = async () => (await sizes()).map((size: { offer: { price: number } }) => size.offer.price);
  expect(await offered()).toEqual([312, 416, 10]);
  const body = offer({ percent: 20, rounded: true });
  expect((await editor.patch(`offer/${id}`, { version: 1, body, publish: true })).statusCode).toBe(200);
  expect(await offered()).toEqual([310, 420, 10]);
  const page = (await service.get('/menu', { accept: 'text/html' })).body;
  expect(page).toMatch(/Early doors, until /);
  const form = await service.get(`/admin/content/offer/${id}`, { ...editor.headers, accept: 'text/html' });
  expect(form.body).toMatch(/name="rounded"[^>]* checked/);
});
