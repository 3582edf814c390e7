import { expect, it } from 'vitest';
import { MENU_ITEM, type MenuItemBody } from '#content/kinds/menu-item.ts';
import { parseBody } from '#content/records/kind.ts';
import { checkCountry } from '#pub/menu/checks.ts';

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
  ['wine from 175 ml', 'GB-SCT', null, [drink('Merlot', { style: 'Red' }, [175, 400])], [/125 ml/]],
  ['one drink in Ireland', 'IE', null, [beer], [/16 drinks with prices; 1/]],
  ['nothing is checked without a country', 'none', null, [beer, cola(900)], []],
];
it.each(CASES)('%s', (_, country_checks, min_price_per_unit, items, found) => {
  const said = checkCountry(items, { country_checks, min_price_per_unit, alcohol_free_below: 0.5 });
  expect(said).toEqual(found.map((one) => expect.stringMatching(one)));
});
