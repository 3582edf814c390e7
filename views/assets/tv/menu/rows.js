// Rows of the list on a screen: elements that are made once and filled again and again.
import { setText } from '../../playing/clock.js';

const PRICES = 5;
const LONGEST_CHIP = 'sold out';
const SEPARATOR = ' · ';
const PARTS = /** @type {const} */ (['size', 'member', 'price', 'was', 'until']);

/** @import { MenuRow, Price } from './model.js' */
/** @typedef {{ node: HTMLElement, tap: HTMLElement, name: HTMLElement, abv: HTMLElement, chip: HTMLElement, about: HTMLElement, prices: PriceNode[] }} RowNode */
/** @typedef {{ node: HTMLElement, parts: Record<keyof Price, HTMLElement> }} PriceNode */

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
  const first = element('span', '-first', name, ' ', abv);
  const second = element('span', '-second', chip, ' ', about);
  const words = element('p', '-words', first, ' ', second);
  const node = element(tag, '', tap, words, element('p', '-prices', ...prices.map((price) => price.node)));
  return { node, tap, name, abv, chip, about, prices };
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
 * @param {{ lines: 1 | 2, priced: boolean }} how
 */
export function fillRow({ node, tap, name, abv, chip, about, prices }, row, { lines, priced }) {
  node.dataset.state = row.state;
  node.dataset.lines = String(lines);
  node.toggleAttribute('data-coloured', row.ebc !== null && lines === 2);
  node.style.setProperty('--beer', row.ebc === null ? 'transparent' : colourOf(row.ebc));
  node.style.setProperty('--longest', String(longestWord(row.name)));
  put(tap, row.tap);
  put(name, row.name);
  put(abv, row.abv);
  put(chip, row.chip);
  put(about, wordsOf(row, lines).join(SEPARATOR));
  for (const [index, place] of prices.entries()) {
    const price = priced ? row.prices[index] : undefined;
    place.node.hidden = price === undefined;
    for (const part of PARTS) put(place.parts[part], price?.[part] ?? '');
  }
}

/**
 * Leaves out words about the drink while its row is too high: a chip takes their place, and no row moves.
 * @param {RowNode} places
 * @param {MenuRow} row
 * @param {number} height of its place, in pixels
 */
export function fitRow({ node, abv, about }, row, height) {
  const lines = node.dataset.lines === '1' ? 1 : 2;
  const words = wordsOf(row, lines);
  for (let count = words.length; count > 0 && node.offsetHeight > height + 1; count--)
    put(about, words.slice(0, count - 1).join(SEPARATOR));
  if (lines === 1 && node.offsetHeight > height + 1) put(abv, '');
}

/** A row of one line has space for the marks alone. @param {MenuRow} row @param {1 | 2} lines */
const wordsOf = ({ about, marks }, lines) => (lines === 1 ? marks : [...about, ...marks]);

/**
 * The forms in which a row is measured, so that none moves when its state changes: whole without a chip, and with one in
 * place of all that `fitRow` leaves out.
 * @param {MenuRow} row
 * @param {1 | 2} lines
 * @returns {MenuRow[]}
 */
export const formsOf = (row, lines) => [
  { ...row, state: 'on', chip: '' },
  ...(row.state === 'next'
    ? []
    : [{ ...row, chip: LONGEST_CHIP, about: [], marks: [], ...(lines === 1 && { abv: '' }) }]),
];

/**
 * The width that the prices need, in em: all of them stand in one column.
 * @param {readonly MenuRow[]} rows
 */
export const priceWidth = (rows) =>
  Math.max(
    0,
    ...rows.flatMap(({ prices }) => prices.flatMap(({ price, member }) => [emOf(price), emOf(member)])),
  );

/** The width of the longest word of a name, in its own type: prices leave it whole. @param {string} name */
const longestWord = (name) => Math.max(...name.split(/[\s-]+/).map((word) => 0.4 + 0.62 * word.length));

/** @param {string} text */
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
