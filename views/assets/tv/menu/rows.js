// Rows of the list on a screen: elements that are made once and filled again and again.
import { setText } from '../../playing/clock.js';
import { chipOf } from './model.js';

const PRICES = 5;
/** A line ends after it. */
const SEPARATOR = '\u00a0· ';
const PARTS = /** @type {const} */ (['size', 'member', 'price', 'was', 'until']);

/** @import { MenuRow, Price } from './model.js' */
/** @typedef {{ node: HTMLElement, tap: HTMLElement, first: HTMLElement, name: HTMLElement, abv: HTMLElement, chip: HTMLElement, about: HTMLElement, prices: PriceNode[] }} RowNode */
/** @typedef {{ node: HTMLElement, parts: Record<keyof Price, HTMLElement> }} PriceNode */
/** How a row is written: `sizes` are named by the heading of its section, in words of at most `label` em; prices have `price` em of their own type. @typedef {{ lines: 1 | 2, priced: boolean, sizes: readonly string[], label: number, price: number }} How */

/** @param {string} tag @param {string} name of its class @param {(Node | string)[]} children */
function element(tag, name, ...children) {
  const made = document.createElement(tag);
  made.className = `tv-drink${name}`;
  made.append(...children);
  return made;
}

/** An empty row. @param {string} [tag] @returns {RowNode} */
export function rowNode(tag = 'div') {
  const tap = element('span', '-tap');
  const name = element('span', '-name');
  const abv = element('span', '-abv');
  const chip = element('span', '-chip');
  const about = element('span', '-about');
  const prices = Array.from({ length: PRICES }, priceNode);
  // A line may end at the spaces.
  const first = element('span', '-first', name);
  const second = element('span', '-second', chip, ' ', abv, ' ', about);
  const words = element('p', '-words', first, ' ', second);
  const node = element(tag, '', tap, words, element('p', '-prices', ...prices.map((price) => price.node)));
  return { node, tap, first, name, abv, chip, about, prices };
}

/** A size with its prices, which stay together, and what an offer says below. @returns {PriceNode} */
function priceNode() {
  const [size, member, price] = [
    element('span', '-size'),
    element('span', '-member'),
    element('span', '-price'),
  ];
  const [was, until] = [element('span', '-was'), element('span', '-until')];
  const node = element(
    'span',
    '-size-prices',
    element('span', '-price-line', size, element('span', '-pair', member, price)),
    element('span', '-price-line', was, until),
  );
  return { node, parts: { size, member, price, was, until } };
}

/**
 * Fills a row.
 * @param {RowNode} places
 * @param {MenuRow} row
 * @param {How} how
 * @param {boolean} [isTight] whether the name of a row of one line is written as small as all else
 */
export function fillRow(
  { node, tap, name, abv, chip, about, prices },
  row,
  { lines, priced, sizes, label, price: priceEm },
  isTight = false,
) {
  const isLow = isLowRow(row, lines);
  node.dataset.state = row.state;
  node.toggleAttribute('data-low', isLow);
  node.toggleAttribute('data-tight', isLow && isTight);
  node.toggleAttribute('data-table', sizes.length > 0);
  node.toggleAttribute('data-coloured', row.ebc !== null && !isLow);
  node.style.setProperty('--longest', String(longestWord(row.name)));
  node.style.setProperty('--label', String(label));
  node.style.setProperty('--price', String(priceEm));
  node.style.setProperty('--beer', row.ebc === null ? 'transparent' : colourOf(row.ebc));
  put(tap, row.tap);
  put(name, row.name);
  put(chip, row.chip);
  putWords({ abv, about }, row.abv, wordsOf(row, lines));
  const shown = sizes.length > 0 ? inTable(row.prices, sizes) : row.prices;
  const isFlat = sizes.length > 0 || shown.length < 2;
  node.toggleAttribute('data-flat', isFlat && shown.every(({ was }) => was === ''));
  for (const [index, place] of prices.entries()) {
    const price = priced ? shown[index] : undefined;
    place.node.hidden = price === undefined;
    for (const part of PARTS) put(place.parts[part], price?.[part] ?? '');
    // An empty place keeps the others in their columns.
    place.parts.price.hidden = price === undefined;
  }
}

/** The prices in the columns that the heading names. @param {Price[]} prices @param {readonly string[]} sizes @returns {Price[]} */
const inTable = (prices, sizes) =>
  sizes.map((name) => ({
    ...(prices.find(({ size }) => size === name) ?? { price: '', member: '', was: '', until: '' }),
    size: '',
  }));

/**
 * Leaves out words about the drink while its row is too high: a chip takes their place, and no row moves.
 * @param {RowNode} places
 * @param {MenuRow} row
 * @param {{ height: number, lines: 1 | 2 }} place `height` in pixels
 */
export function fitRow({ node, abv, about, prices }, row, { height, lines }) {
  const isHigh = () => node.offsetHeight > height + 1;
  const words = wordsOf(row, lines);
  for (let count = words.length; count > 0 && isHigh(); count--)
    putWords({ abv, about }, row.abv, words.slice(0, count - 1));
  if (isHigh()) putWords({ abv, about }, '', []);
  if (!isLowRow(row, lines)) return;
  if (isHigh() && prices[1]?.node.hidden && prices[0]) put(prices[0].parts.size, '');
  node.toggleAttribute('data-tight', isHigh());
}

/** Whether a row has no second line: what there is besides its name stands beside it. @param {MenuRow} row @param {1 | 2} lines */
const isLowRow = ({ about }, lines) => lines === 1 || about.length === 0;

/** @param {MenuRow} row @param {1 | 2} lines */
const wordsOf = ({ about, marks }, lines) => (lines === 1 ? marks : [...about, ...marks]).filter(Boolean);

/** @param {Pick<RowNode, 'abv' | 'about'>} places @param {string} strength @param {string[]} words */
function putWords({ abv, about }, strength, words) {
  put(abv, strength && words.length > 0 ? `${strength}${SEPARATOR.trimEnd()}` : strength);
  put(about, words.join(SEPARATOR));
}

/**
 * The forms in which a row is measured, so that none moves when its state changes: whole without a chip, and with one in
 * place of all that `fitRow` leaves out, and with its name as small as that writes it.
 * @param {MenuRow} row
 * @returns {MenuRow[]}
 */
export const formsOf = (row) => [
  { ...row, state: 'on', chip: '' },
  ...(row.state === 'next' ? [] : [withChip(row)]),
];

/** @type {string | undefined} */
let longest;

/** The longest word about a state, for measuring. */
function longestChip() {
  longest ??= /** @type {const} */ (['out', 'last', 'cleaning', 'new'])
    .map(chipOf)
    .reduce((most, chip) => (chip.length > most.length ? chip : most));
  return longest;
}

/** @param {MenuRow} row @returns {MenuRow} */
const withChip = (row) => ({
  ...row,
  chip: longestChip(),
  marks: [],
  abv: '',
  about: row.about.map(() => ''),
  prices: row.prices.length === 1 && row.about.length === 0 ? row.prices.map(withoutSize) : row.prices,
});

/** @param {Price} price @returns {Price} */
const withoutSize = (price) => ({ ...price, size: '' });

/**
 * The width that the prices of a section need, in em of their own type: they stand in one column.
 * @param {readonly MenuRow[]} rows
 */
export const priceWidth = (rows) =>
  Math.max(
    0,
    ...rows.flatMap(({ prices }) => prices.flatMap(({ price, member }) => [emOf(price), emOf(member)])),
  );

/** The width that the names of columns need, in em; one alone needs none. @param {readonly string[]} labels */
export const labelWidth = (labels) => (labels.length > 1 ? Math.max(...labels.map(emOf)) : 0);

/** The space for numbers of taps before the names, in em of them. @param {readonly { rows: MenuRow[] }[]} sections */
export function gutterOf(sections) {
  const taps = sections.flatMap(({ rows }) => rows.flatMap(({ tap }) => tap.split(' ')));
  const digits = Math.max(0, ...taps.map((one) => one.length));
  return digits > 0 ? 0.62 * digits + 0.45 : 0;
}

/** The width of the longest word of a name, in its own type: prices leave it whole. @param {string} name */
const longestWord = (name) => Math.max(...name.split(/[\s-]+/).map((word) => 0.3 + 0.6 * word.length));

/** The width of a short text in em. @param {string} text */
const emOf = (text) => [...text].reduce((sum, letter) => sum + (/[\s.,]/.test(letter) ? 0.3 : 0.66), 0);

/** @param {HTMLElement} place @param {string} text */
function put(place, text) {
  setText(place, text);
  place.hidden = text === '';
}

/** Colours of beer by EBC, the palest first. @type {[ebc: number, colour: string][]} */
const BEERS = [
  [6, '#f8e08e'],
  [10, '#f3c64b'],
  [16, '#e3a22f'],
  [24, '#c97a23'],
  [34, '#a3551d'],
  [48, '#7a3a17'],
  [70, '#4c2413'],
  [140, '#2b1a12'],
];

/** @param {number} ebc */
const colourOf = (ebc) => BEERS.find(([most]) => ebc <= most)?.[1] ?? '#2b1a12';
