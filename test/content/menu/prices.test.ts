import { afterEach, describe, expect, it, test } from 'vitest';
import { formatVolume, readVolume } from '#content/volumes.ts';
import { setClubReader } from '#kernel/locale.ts';
import { currency, formatPrice, isCurrency, readPrice, typedPrice } from '#kernel/money.ts';
import { listCountries } from '#kernel/places.ts';
import { countryChecks, type VolumeUnit, volumeUnit } from '#kernel/settings/menu.ts';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { message, onPage } from '#test/support/messages.ts';

afterEach(() => setClubReader({ language: 'en', locale: 'en-US' }));

const READ: [typed: string, currency: string, read: number | null | string][] = [
  ['5', 'EUR', 500],
  ['5.2', 'EUR', 520],
  ['5,20', 'EUR', 520],
  ['€5.20', 'EUR', 520],
  ['5,20 €', 'EUR', 520],
  ['€ 5,–', 'EUR', 500],
  ['12.-', 'CHF', 1200],
  ['5,--', 'EUR', 500],
  ['5,20\u00a0€', 'EUR', 520],
  ['EUR 5', 'EUR', 500],
  ['£5.20', 'GBP', 520],
  ['$5', 'USD', 500],
  ['US$5', 'USD', 500],
  ['500', 'JPY', 500],
  ['¥500', 'JPY', 500],
  ['1.234', 'KWD', 1234],
  ['1.234,50', 'EUR', 123_450],
  ['1,234.50', 'EUR', 123_450],
  ["1'234.50", 'CHF', 123_450],
  ['1’234', 'CHF', 123_400],
  ['1 234,50', 'EUR', 123_450],
  ['1\u202f234,50 €', 'EUR', 123_450],
  ['5€50', 'EUR', 550],
  ['5⁵⁰', 'EUR', 550],
  ['4⁹⁰ €', 'EUR', 490],
  ['£4.60', 'GBP', 460],
  ['50p', 'GBP', 50],
  ['280 p', 'GBP', 280],
  ['90 ct', 'EUR', 90],
  ['75¢', 'USD', 75],
  ['80 Rp.', 'CHF', 80],
  ['65:-', 'SEK', 6500],
  ['65 kr', 'SEK', 6500],
  ['Fr. 5.50', 'CHF', 550],
  ['5.50 SFr.', 'CHF', 550],
  ['¥1,200', 'JPY', 1200],
  ['850円', 'JPY', 850],
  ['1.200', 'JPY', 1200],
  ['1,234,567', 'KRW', 1_234_567],
  ['12 zł', 'PLN', 1200],
  ['Rs. 250', 'INR', 25_000],
  ['0', 'EUR', 0],
  ['', 'EUR', null],
  ['  ', 'EUR', null],
  ['5.205', 'EUR', 'price_unclear'],
  ['1,234', 'EUR', 'price_unclear'],
  ['0.205', 'EUR', 'price_decimals'],
  ['5.5', 'JPY', 'price_decimals'],
  ['ab 5', 'EUR', 'price_with_words'],
  ['from 5', 'EUR', 'price_with_words'],
  ['ca. 5', 'EUR', 'price_with_words'],
  ['five', 'EUR', 'price_with_words'],
  ['£5', 'EUR', 'not_price'],
  ['50p', 'EUR', 'price_with_words'],
  ['5⁵', 'EUR', 'not_price'],
  ['5₅₀', 'EUR', 'not_price'],
  ['⁵⁰', 'EUR', 'not_price'],
  ['5€5', 'EUR', 'not_price'],
  ['5€505', 'EUR', 'not_price'],
  ['12 34', 'EUR', 'not_price'],
  ['1,20', 'JPY', 'price_decimals'],
  ['-5', 'EUR', 'not_price'],
  ['5-6', 'EUR', 'not_price'],
  ['5.', 'EUR', 'not_price'],
  ['99999999999', 'EUR', 'not_price'],
];
it.each(READ)('the price “%s” in %s is %s', (text, currency, expected) => {
  const read = readPrice(text, currency);
  expect(typeof read === 'string' ? read : read.price).toBe(expected);
});

it.each([
  ['en-SG', 'SGD'],
  ['ar-SA', 'SAR'],
  ['ms-MY', 'MYR'],
  ['en-KE', 'KES'],
  ['es-CL', 'CLP'],
  ['bg-BG', 'EUR'],
  ['de-CH', 'CHF'],
  // A language of several countries has no currency.
  ['en', 'XXX'],
  ['de', 'XXX'],
  ['es-419', 'XXX'],
])('the currency of %s is %s', (locale, code) => {
  setClubReader({ language: 'en', locale: locale });
  expect(currency()).toBe(code);
});

test('every country has a currency of its own that can be written', () => {
  const all = listCountries().map(({ code }) => code);
  const currencies = all.map((code) => {
    setClubReader({ language: 'en', locale: `en-${code}` });
    return currency();
  });
  expect(currencies.filter((code) => !isCurrency(code))).toEqual([]);
  expect(new Set(currencies).size).toBeGreaterThan(140);
});

const WRITTEN: [locale: string, currency: string, written: string, typed: string][] = [
  ['de-DE', 'EUR', '5,20 €', '5,20'],
  ['en-GB', 'GBP', '£5.20', '5.20'],
  ['en-US', 'USD', '$5.20', '5.20'],
  ['ja-JP', 'JPY', '￥520', '520'],
  ['de-DE', 'JPY', '520 ¥', '520'],
  // English in a country with another decimal mark, which is that of volumes and strengths on the same list.
  ['en-DE', 'EUR', '€5,20', '5,20'],
  ['en-AT', 'EUR', '€ 5,20', '5,20'],
  ['en-IE', 'EUR', '€5.20', '5.20'],
];
it.each(WRITTEN)('%s writes 520 of %s as %s, and a field has %s', (locale, currency, written, typed) => {
  setClubReader({ language: 'en', locale: locale });
  expect([formatPrice(520, currency), typedPrice(520, currency)]).toEqual([written, typed]);
  const read = readPrice(typed, currency);
  expect(read).toEqual({ price: 520 });
});

test('a price has the marks of other numbers in English, whatever the country', () => {
  setClubReader({ language: 'en', locale: 'en-DE' });
  expect([formatPrice(1_234_50, 'EUR'), formatVolume(330, 'l')]).toEqual(['€1.234,50', '0,33 l']);
});

const VOLUMES: [typed: string, ml: number | null | string][] = [
  ['500', 500],
  ['0.5 l', 500],
  ['0,33l', 330],
  ['33 cl', 330],
  ['1 pint', 568],
  ['pint', 568],
  ['half pint', 284],
  ['1/3 pint', 189],
  ['½ pint', 284],
  ['12 oz', 355],
  ['25 ml', 25],
  ['0,5', 500],
  ['0.75', 750],
  ['1,5', 1500],
  ['0.568', 568],
  ['1/8', 125],
  ['½', 500],
  ['33', 'volume_without_unit'],
  ['25', 'volume_without_unit'],
  ['33,5', 'volume_without_unit'],
  ['12,5', 'volume_without_unit'],
  ['', null],
  ['flight', 'not_volume'],
  ['0', 'not_volume'],
  ['1/0 pint', 'not_volume'],
];
it.each(VOLUMES)('the volume “%s” is %s ml', (text, ml) => expect(readVolume(text, 'ml')).toBe(ml));

const UNITS: [ml: number, unit: VolumeUnit, written: string][] = [
  [500, 'ml', '500 ml'],
  [330, 'cl', '33 cl'],
  [500, 'l', '0.5 l'],
  [355, 'us_oz', '12 oz'],
  [568, 'pint', '1 pint'],
  [284, 'pint', '½ pint'],
  [379, 'pint', '⅔ pint'],
  [330, 'pint', '330 ml'],
];
const UNITS_OF_COUNTRIES: [locale: string, written: string, rules: string][] = [
  ['de-AT', '0,5 l', 'AT'],
  ['fr-FR', '50 cl', 'none'],
  ['en-GB', '500 ml', 'GB'],
  ['en-US', '16.9 oz', 'none'],
  ['ja-JP', '500 ml', 'none'],
];
it.each(UNITS_OF_COUNTRIES)(
  'a club of %s that has chosen nothing writes %s, and has the rules of %s',
  (tag, written, rules) => {
    setClubReader({ language: 'en', locale: tag });
    expect(formatVolume(500, volumeUnit({ volume_unit: null }))).toBe(written);
    expect(volumeUnit({ volume_unit: 'cl' })).toBe('cl');
    expect(countryChecks({ country_checks: null })).toBe(rules);
    expect(countryChecks({ country_checks: 'none' })).toBe('none');
  },
);

it.each(UNITS)('%s ml in %s is %s', (ml, unit, written) => expect(formatVolume(ml, unit)).toBe(written));

describe('the form of a drink', () => {
  it('keeps what was typed when a price is refused, and stores it once it is right', async () => {
    await using service = await testApp({ LOCALE: 'de-DE', CLUB_LANGUAGE: 'en' });
    const editor = await editorAt(service);
    const section = await editor.publish('menu_section', { title: 'Flaschen' });
    const form = await service.get('/admin/content/menu_item/new', {
      ...editor.headers,
      accept: 'text/html',
    });
    expect(form.body).toContain('Flaschen');
    const fields = {
      name: 'Helles',
      section,
      maker: 'Brauerei',
      abv: '4,9',
      'sizes.0.label': 'Halbe',
      'sizes.0.volume_ml': '0,5 l',
      'sizes.0.price': 'ab 5',
      'sizes.0.shown': 'true',
      allergens_known: 'listed',
      allergens: 'gluten',
      'detail.gluten': 'barley',
      marks: 'gluten_free',
      publish: 'true',
    };
    const refused = await service.submit('/admin/content/menu_item', fields, editor.headers);
    expect(refused.statusCode).toBe(400);
    for (const kept of ['Helles', 'Brauerei', '4,9', 'ab 5', '0,5 l'])
      expect(refused.body).toContain(`value="${kept}"`);
    expect(refused.body).toContain(message('price_with_words', { text: 'ab 5' }));

    const priced = { ...fields, 'sizes.0.price': '5,20 €' };
    const asked = await service.submit('/admin/content/menu_item', priced, editor.headers);
    expect(asked.statusCode).toBe(409);
    expect(asked.body).toContain('Yes, it is gluten-free');
    const stored = await service.submit(
      '/admin/content/menu_item',
      { ...priced, confirm: 'gluten_free' },
      editor.headers,
    );
    expect(stored.statusCode).toBe(303);
    const [item] = (await service.get('/api/menu')).json().sections[0].items;
    expect(item).toMatchObject({
      abv: 4.9,
      sizes: [{ label: 'Halbe', volumeMl: 500, price: 520, priceText: '€5,20' }],
      allergens: [{ code: 'gluten', detail: 'barley' }],
    });
    const page = await service.get(String(stored.headers.location), {
      ...editor.headers,
      accept: 'text/html',
    });
    expect(page.body).toContain('value="5,20"');
  });

  it('has the only section chosen, and asks for one where there are several', async () => {
    await using service = await testApp();
    const editor = await editorAt(service);
    const first = await editor.publish('menu_section', { title: 'Bottles' });
    const form = () =>
      service.get('/admin/content/menu_item/new', { ...editor.headers, accept: 'text/html' });
    expect((await form()).body).toMatch(new RegExp(`<option value="${first}" selected`));
    await editor.publish('menu_section', { title: 'Kitchen' });
    expect((await form()).body).toContain('Choose one');
    const fields = { name: 'Soup', section: '', publish: 'true' };
    const refused = await service.submit('/admin/content/menu_item', fields, editor.headers);
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain(`Section: ${onPage('required')}`);
    expect(refused.body).not.toContain('id of a record');
  });
});
