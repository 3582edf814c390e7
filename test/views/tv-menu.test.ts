import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY, HOUR, SECOND } from '#kernel/clock.ts';
import { sizeWords, strengthWords } from '#kernel/shared/menu-words.js';
import type { Menu, MenuItem, MenuSection, MenuSize } from '#pub/menu/list.ts';
import { airOf, columnsNeeded, menuPages, pageAt, pageTimes } from '#views/assets/tv/menu/grid.js';
import { menuAt } from '#views/assets/tv/menu/model.js';
import { menuHoldMs, menuSlides } from '#views/assets/tv/menu/slide.js';

const AT = Date.parse('2026-11-21T17:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString();

const item = (name: string, more: Partial<MenuItem> = {}): MenuItem => ({
  id: name,
  name,
  maker: '',
  style: '',
  abv: null,
  ibu: null,
  colorEbc: null,
  description: '',
  tap: null,
  state: 'on',
  stateUntil: null,
  isNew: false,
  sizes: [],
  allergens: null,
  marks: [],
  url: '',
  ...more,
});
const size = (label: string, priceText: string, more: Partial<MenuSize> = {}): MenuSize => ({
  label,
  volumeMl: null,
  volumeText: '',
  price: null,
  priceText,
  memberPrice: null,
  memberPriceText: '',
  units: null,
  offer: null,
  ...more,
});
const section = (title: string, items: MenuItem[], more: Partial<MenuSection> = {}): MenuSection => ({
  id: title,
  title,
  note: '',
  order: 5,
  kind: 'drinks',
  onTap: false,
  rows: 2,
  showOn: { screens: true, phones: true, print: true },
  items,
  ...more,
});
const taps = (...items: MenuItem[]) => section('On tap', items, { order: 0, onTap: true });
const menu = (sections: MenuSection[], more: Partial<Menu> = {}): Menu => ({
  currency: 'EUR',
  columns: 1,
  columnNames: { members: 'Members', guests: 'Guests' },
  validUntil: iso(AT + DAY),
  updatedAt: iso(AT),
  allergenLine: 'Ask us about allergens.',
  sections,
  next: [],
  ...more,
});
const moment = (more: object = {}) => ({
  at: AT,
  known: true,
  locale: 'de-DE',
  time: (at: number) => iso(at).slice(11, 16),
  sections: undefined,
  ...more,
});

test.each([
  ['Glass', '125 ml', 'Glass 125 ml'],
  ['0,5 l', '0,5 l', '0,5 l'],
  ['Half pint', '½ pint', 'Half pint'],
  ['Plate', '', 'Plate'],
  ['Half', '½ pint', 'Half'],
  ['Half', '284 ml', 'Half 284 ml'],
  ['Half carafe', '0,25 l', 'Half carafe 0,25 l'],
  ['Glass No. 2', '125 ml', 'Glass No. 2 125 ml'],
  ['Glass 125', '125 ml', 'Glass 125'],
  ['0.5l', '500 ml', '0.5l'],
  ['Pint', '568 ml', 'Pint'],
])('the size %s of %s is %s', (label, volumeText, words) => {
  expect(sizeWords({ label, volumeText })).toBe(words);
});

const part = (title: string, count: number, height = 12) => ({
  title,
  head: 7,
  again: 7,
  items: Array.from({ length: count }, (_, index) => ({ item: `${title}${index}`, height })),
});
type Part = ReturnType<typeof part> & { items: { stuck?: boolean }[] };
const divided = (sections: Part[], grid: { columns?: number; pages?: number } = {}) =>
  menuPages(sections, { columns: 2, pages: 1, height: 84, gap: 5, ...grid }).map((page) =>
    page.map((column) =>
      column
        .map((block) =>
          'item' in block
            ? block.item
            : `${sections[block.section]?.title}${block.continued ? ', continued' : ''}:`,
        )
        .join(' '),
    ),
  );

test('columns are equally full, and a section goes on below its heading', () => {
  expect(divided([part('A', 8)])).toEqual([['A: A0 A1 A2 A3', 'A, continued: A4 A5 A6 A7']]);
  expect(divided([part('A', 4), part('B', 4)])).toEqual([['A: A0 A1 A2 A3', 'B: B0 B1 B2 B3']]);
  expect(divided([part('A', 11, 7)], { columns: 1 })).toEqual([['A: A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10']]);
  expect(divided([part('A', 6), part('B', 6), part('C', 1)], { pages: 2 })).toEqual([
    ['A: A0 A1 A2 A3 A4 A5', 'B: B0 B1 B2 B3 B4 B5'],
    ['C: C0'],
  ]);
  // A section stays whole, and no row of it stands alone, where there is space.
  expect(divided([part('A', 2), part('B', 3), part('C', 3)])).toEqual([
    ['A: A0 A1 B: B0 B1 B2', 'C: C0 C1 C2'],
  ]);
  // However high a row is, it is shown.
  expect(divided([part('A', 2, 500)])).toEqual([['A: A0', 'A, continued: A1']]);
  expect(divided([])).toEqual([]);
  expect(divided([part('A', 14)])).toEqual([]);
});

test('a column holds its headings and the gaps between sections, and begins with nothing that hangs on a row', () => {
  const grid = { height: 84, gap: 5 };
  expect(columnsNeeded([part('A', 6)], grid)).toBe(1);
  expect(columnsNeeded([part('A', 5), part('B', 1)], grid)).toBe(2);
  expect(columnsNeeded([{ ...part('A', 6), head: 13 }], grid)).toBe(2);
  const picture = { item: 'picture', height: 20, stuck: true };
  const pictured = { ...part('A', 6), items: [...part('A', 6).items, picture] };
  expect(columnsNeeded([pictured], grid)).toBe(2);
  expect(divided([pictured])[0]?.at(-1)).toMatch(/^A, continued: A\d.* picture$/);
});

test('rows stand apart until the fullest column of a page is full, but not further than can be read together', () => {
  const page = menuPages([part('A', 3), part('B', 2)], { columns: 2, pages: 1, height: 84, gap: 5 })[0] ?? [];
  // A heading and three rows are 43 high.
  expect(airOf(page, { height: 84, most: 99 })).toBeCloseTo(41 / 3);
  expect(airOf(page, { height: 84, most: 6 })).toBe(6);
  expect(airOf(page, { height: 40, most: 6 })).toBe(0);
});

test('any list is divided into pages that show each row once, in order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 3, max: 30 }), { minLength: 1, maxLength: 12 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 3 }),
      (lists, columns) => {
        const sections = lists.map((heights, index) => ({
          ...part(`S${index}`, 0),
          items: heights.map((height, at) => ({ item: `S${index}.${at}`, height })),
        }));
        const grid = { height: 84, gap: 5 };
        const pages = Math.ceil(columnsNeeded(sections, grid) / columns);
        const found = menuPages(sections, { ...grid, columns, pages });
        const rows = found.flat(2).flatMap((block) => ('item' in block ? [block.item] : []));
        expect(rows).toEqual(sections.flatMap(({ items }) => items.map(({ item }) => item)));
        expect(found.length).toBeLessThanOrEqual(pages);
        for (const column of found.flat())
          expect(
            column.reduce((sum, block) => sum + block.height + ('item' in block ? 0 : block.before), 0),
          ).toBeLessThanOrEqual(84);
      },
    ),
  );
});

test('pages take turns, the fuller the longer, and a list of a hundred is seen within three minutes', () => {
  expect(pageTimes([4, 12, 40])).toEqual([12_000, 16_000, 20_000]);
  const many = pageTimes(Array.from({ length: 13 }, () => 9));
  expect(many.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(170_000);
  expect(Math.min(...many)).toBeGreaterThan(9_000);
  expect(pageTimes([])).toEqual([]);
  const times = [12_000, 16_000];
  const at = (ms: number) => pageAt(times, 28_000_000 + ms);
  expect([at(0).index, at(11_999).index, at(12_000).index, at(28_000).index]).toEqual([0, 0, 1, 0]);
  expect(at(28_000).turn - at(0).turn).toBe(2);
  expect([menuHoldMs(3), menuHoldMs(6)]).toEqual([12_000, 14_000]);
});

test('states, strength, maker and sizes are words', () => {
  const { sections } = menuAt(
    menu([
      taps(
        item('Helles', {
          tap: 4,
          taps: [4, 9],
          maker: 'Abbey',
          style: 'Lager',
          abv: 5.1,
          marks: ['vegan', 'gluten_free'],
          sizes: [size('Glass', '3,20 €', { volumeText: '0,3 l' }), size('0,5 l', 'ask')],
        }),
        item('Stout', { tap: 5, state: 'last', isNew: true }),
        item('Cider', { tap: 6, state: 'out', stateUntil: iso(AT + 1) }),
        item('Bock', { tap: 7, state: 'out', stateUntil: iso(AT) }),
        item('Pale', { tap: 8, isNew: true }),
        item('Mild', { tap: 10, state: 'cleaning' }),
      ),
    ]),
    moment(),
  );
  const [helles, ...others] = sections[0]?.rows ?? [];
  const about = ['Abbey', 'Lager'];
  expect(helles).toMatchObject({ tap: '4, 9', about, marks: ['vegan', 'gluten-free'], chip: '' });
  expect(helles?.prices.map(({ size, price }) => `${size} ${price}`)).toEqual([
    'Glass 0,3 l 3,20 €',
    '0,5 l ask',
  ]);
  expect([strengthWords(5.1, 'de-DE'), strengthWords(5, 'en-US')]).toEqual(['5,1\u00a0%', '5%']);
  expect(others.map(({ name, chip }) => `${name}: ${chip}`)).toEqual([
    'Stout: last few',
    'Cider: sold out',
    'Bock: ',
    'Pale: new',
    'Mild: cleaning',
  ]);
});

test('sizes that nearly all rows of a section have are named by its heading', () => {
  const sizes = (...rows: string[][]) => {
    const items = rows.map((labels, index) =>
      item(`Row ${index}`, { sizes: labels.map((label) => size(label, '3 €')) }),
    );
    return menuAt(menu([section('Drinks', items)]), moment()).sections[0]?.sizes;
  };
  const two = ['0,3 l', '0,5 l'];
  expect(sizes(two, two)).toEqual(two);
  expect(sizes(two, two, ['0,5 l'])).toEqual(two);
  expect(sizes(['Bowl'], ['Plate'])).toEqual([]);
  expect(sizes(two)).toEqual([]);
  expect(sizes([''], [''])).toEqual([]);
  const many = ['A', 'B', 'C', 'D'];
  expect(sizes(many, many)).toEqual([]);
  // Beside two prices for each size there is no space for more columns.
  const items = ['Helles', 'Stout'].map((name) => item(name, { sizes: [size('0,5 l', '3 €')] }));
  expect(menuAt(menu([section('Drinks', items)], { columns: 2 }), moment()).sections[0]?.sizes).toEqual([]);
});

test('prices are shown while they are young and the time is known; names always', () => {
  const list = menu([taps(item('Helles', { sizes: [size('0,5 l', '4,80 €')] }))]);
  const shown = (more: object) => {
    const { priced, sections } = menuAt(list, moment(more));
    return [priced, sections.map(({ rows }) => rows.length)];
  };
  expect(shown({ at: AT + DAY - 1 })).toEqual([true, [1]]);
  expect(shown({ at: AT + DAY })).toEqual([false, [1]]);
  expect(shown({ known: false })).toEqual([false, [1]]);
});

test('a section has its hours by absolute times, also past midnight and without a network', () => {
  const late = section('Late', [item('Chips')], { windows: [[AT + 5 * HOUR, AT + 9 * HOUR]] });
  const hidden = section('Wine', [item('Red')], { showOn: { screens: false, phones: true, print: true } });
  const list = menu([taps(item('Helles')), hidden], { laterSections: [late] });
  const shown = (more: object) => menuAt(list, moment(more)).sections.map(({ id }) => id);
  expect(shown({ at: AT + 5 * HOUR - 1 })).toEqual(['On tap']);
  expect(shown({ at: AT + 8 * HOUR })).toEqual(['On tap', 'Late']);
  expect(shown({ at: AT + 9 * HOUR })).toEqual(['On tap']);
  expect(shown({ at: AT + 8 * HOUR, known: false })).toEqual(['On tap']);
  expect(shown({ at: AT + 8 * HOUR, sections: ['Late'] })).toEqual(['Late']);
});

test('an offer stands beside the normal price and begins and ends by the clock of the screen', () => {
  const terms = { priceText: '3,80 €', memberPriceText: '', until: iso(AT + 2 * HOUR) };
  const price = (more: object, offers: object) => {
    const list = menu([taps(item('Helles', { sizes: [size('0,5 l', '4,80 €', offers)] }))]);
    const [only] = menuAt(list, moment(more)).sections[0]?.rows[0]?.prices ?? [];
    return `${only?.was} ${only?.price} ${only?.until}`.trim();
  };
  const running = { offer: terms };
  const later = { laterOffers: [{ ...terms, windows: [[AT + HOUR, AT + 2 * HOUR]] }] };
  const lower = '4,80 € 3,80 € until 19:00';
  expect(price({}, running)).toBe(lower);
  expect(price({ at: AT + 2 * HOUR - SECOND }, running)).toBe(lower);
  expect(price({ at: AT + 2 * HOUR }, running)).toBe('4,80 €');
  expect(price({ known: false }, running)).toBe('4,80 €');
  expect(price({}, later)).toBe('4,80 €');
  expect(price({ at: AT + HOUR }, later)).toBe(lower);
  expect(price({ at: AT + 2 * HOUR }, later)).toBe('4,80 €');
});

test('members have a column of their own only where the club has two', () => {
  const sizes = [size('0,5 l', '4,80 €', { memberPriceText: '4,20 €' })];
  const members = (columns: 1 | 2) => {
    const shown = menuAt(menu([taps(item('Helles', { sizes }))], { columns }), moment());
    return [shown.columns, shown.sections[0]?.rows[0]?.prices.map(({ member }) => member)];
  };
  expect(members(1)).toEqual([[], ['']]);
  expect(members(2)).toEqual([['Members', 'Guests'], ['4,20 €']]);
  const prices = { price: 380, priceText: '3,80 €', memberPrice: 320, memberPriceText: '3,20 €' };
  const offer = { title: 'Happy hour', ...prices, until: iso(AT + HOUR) };
  const offered = [size('0,5 l', '4,80 €', { memberPriceText: '4,20 €', offer })];
  const shown = menuAt(menu([taps(item('Helles', { sizes: offered }))], { columns: 2 }), moment());
  expect(shown.sections[0]?.rows[0]?.prices).toMatchObject([
    { member: '3,20 €', price: '3,80 €', was: '4,20 € / 4,80 €' },
  ]);
});

test('what comes next is a section of its own, and the slides have all of the list in its order', () => {
  const list = menu(
    [taps(item('Helles'), item('Stout', { state: 'out' })), section('Food', [item('Chips')])],
    {
      next: [{ tap: 2, name: 'Winter Warmer' }],
    },
  );
  const titles = (more: object) => menuAt(list, moment(more)).sections.map(({ title }) => title);
  expect(titles({})).toEqual(['On tap', 'Food', 'Coming next']);
  expect(titles({ sections: ['Food'] })).toEqual(['Food']);
  const slide = (more: object) =>
    menuSlides({ ...list, ...more }, moment()).map(({ title, sections }) => [
      title,
      ...sections.map(({ title, rows }) => `${title}: ${rows.map(({ name }) => name).join(', ')}`),
    ]);
  // Taps are one of the sections: the others stay on the screen.
  expect(slide({})).toEqual([
    ['On tap', 'On tap: Helles, Stout', 'Food: Chips', 'Coming next: Winter Warmer'],
  ]);
  expect(slide({ soldOutShows: 'hidden', next: [] })).toEqual([['On tap', 'On tap: Helles', 'Food: Chips']]);
  const long = section(
    'Wine',
    ['Red', 'White', 'Rosé', 'Sparkling', 'Port'].map((name) => item(name)),
  );
  expect(slide({ next: [], sections: [...list.sections, long] }).map(([title]) => title)).toEqual([
    'On tap',
    'Wine',
  ]);
  expect(slide({ sections: [] })).toEqual([]);
  expect(menuSlides(undefined, moment())).toEqual([]);
});
