// The slide “On tap”: up to six rows of the list at a time, beside the programme of the day.
import { fits } from '../fit.js';
import { menuAt } from './model.js';
import { fillRow, fitRow, formsOf, priceWidth, rowNode } from './rows.js';

/** @typedef {{ type: 'menu', id: string, title: string, rows: import('./model.js').MenuRow[], columns: string[], priced: boolean }} MenuSlide */

const ROWS = 6;
/** How long a part is shown, and what each row beyond four adds. */
const SHOWN_MS = 12_000;
const ROW_MS = 1_000;
const READ_AT_ONCE = 4;

/** @param {number} rows */
export const menuHoldMs = (rows) => SHOWN_MS + ROW_MS * Math.max(0, rows - READ_AT_ONCE);

/**
 * What is on tap; what there is, where the club has no taps.
 * @param {import('#pub/menu/list.ts').Menu | undefined} menu
 * @param {import('./model.js').Moment} moment
 * @returns {MenuSlide[]} at most one slide
 */
export function menuSlides(menu, moment) {
  if (!menu) return [];
  const { sections, columns, priced } = menuAt(menu, moment);
  const taps = sections.filter(({ onTap }) => onTap);
  const rows = (taps.length > 0 ? taps : sections).flatMap((section) => section.rows);
  const hidden = menu.soldOutShows === 'hidden';
  const left = rows.filter(({ state }) => state !== 'next' && !(hidden && state === 'out'));
  const title = taps.length > 0 ? 'On tap' : 'At the bar';
  return left.length > 0 ? [{ type: 'menu', id: 'menu', title, rows: left, columns, priced }] : [];
}

/** @type {WeakMap<HTMLElement, import('./rows.js').RowNode[]>} */
const made = new WeakMap();

/**
 * Fills the list of a slide with a part of its rows.
 * @param {HTMLElement} words the box that must not overflow
 * @param {HTMLElement} list
 * @param {Partial<Pick<MenuSlide, 'rows' | 'priced'>>} slide
 * @param {number} page from 0 on
 * @param {(pages: string) => void} sayPages
 * @returns {{ text: string, page: number, pages: number, rows: number }} what is shown, and how many parts there are
 */
export function fitMenu(words, list, { rows = [], priced = false }, page, sayPages) {
  const nodes = made.get(list) ?? Array.from({ length: ROWS }, () => rowNode('li'));
  if (!made.has(list)) list.append(...nodes.map(({ node }) => node));
  made.set(list, nodes);
  list.hidden = false;
  list.style.setProperty('--price', `${priceWidth(rows)}em`);
  /** @param {import('./model.js').MenuRow[]} some */
  const write = (some) => {
    for (const [index, node] of nodes.entries()) {
      const row = some[index];
      node.node.hidden = row === undefined;
      if (row) fillRow(node, row, { lines: 2, priced });
    }
    return fits(words);
  };
  /** @param {import('./model.js').MenuRow[]} some */
  const isFitting = (some) => [0, 1].every((form) => write(some.map((row) => formsOf(row, 2)[form] ?? row)));
  sayPages(rows.length > ROWS ? '1 of 9' : '');
  const greedy = divide(rows, ROWS, isFitting);
  const even = divide(rows, Math.ceil(rows.length / greedy.length), isFitting);
  const pages = even.length === greedy.length ? even : greedy;
  const shown = Math.min(page, pages.length - 1);
  sayPages(pages.length > 1 ? `${shown + 1} of ${pages.length}` : '');
  const part = pages[shown] ?? [];
  write(part);
  for (const [index, node] of nodes.entries()) {
    const row = part[index];
    if (row && !fits(words)) fitRow(node, row, 0);
  }
  return { text: '', page: shown, pages: pages.length, rows: pages[shown]?.length ?? 0 };
}

/**
 * @template Row
 * @param {Row[]} rows
 * @param {number} most
 * @param {(some: Row[]) => boolean} isFitting
 */
function divide(rows, most, isFitting) {
  const pages = [];
  for (let from = 0; from < rows.length; ) {
    let count = Math.min(most, rows.length - from);
    while (count > 1 && !isFitting(rows.slice(from, from + count))) count--;
    pages.push(rows.slice(from, from + count));
    from += count;
  }
  return pages;
}
