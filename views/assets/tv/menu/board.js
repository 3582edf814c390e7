// The list over the whole screen: pages of columns, which take turns. It is laid out once for each content and size of
// the screen; a state that changes moves no row while a round of the pages lasts.
import { t } from '../../base/texts.js';
import { setText } from '../../playing/clock.js';
import { onLayout } from '../fit.js';
import { fillHeading, fillPictures, headingNode, PICTURES_IN_ROW, pictureNode } from './blocks.js';
import { menuGrades } from './grades.js';
import { airOf, pageAt, pageTimes } from './grid.js';
import { fillRow, fitRow, priceWidth, rowNode } from './rows.js';

const COLUMNS = 3;
const HOUR_MS = 3_600_000;
/** Where there is space, rows stand apart by so much, in em of a name. */
const AIR = 0.6;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** @import { MenuRow, MenuSection } from './model.js' */
/** @import { Block, Layout } from './grades.js' */
/** @typedef {ReturnType<typeof import('./model.js').menuAt>} Menu */
/** `whole`: the list is on one page, if need be in small type. @typedef {{ at: number, asOf: string, hidesSoldOut: boolean, whole: boolean }} Moment */

/**
 * The board in its place on the page.
 * @param {HTMLElement} place
 * @returns {(menu: Menu, moment: Moment) => void} to be called each second; it writes only what has changed
 */
export function menuBoard(place) {
  const area = part(place, 'columns');
  const layOut = menuGrades(area);
  const columns = Array.from({ length: COLUMNS }, () => columnOf(area));
  /** @type {Menu | undefined} */
  let menu;
  /** @type {Moment} */
  let moment = { at: 0, asOf: '', hidesSoldOut: false, whole: false };
  let laidOut = '';
  let drawn = '';
  /** @type {number | undefined} */
  let turn;
  /** @type {Layout} */
  let layout = { pages: [], columns: 1, height: 0, em: 0 };
  /** Rows that were sold out and hidden when this round of the pages began: the others stand without gaps. @type {string[]} */
  let gone = [];

  onLayout(area, () => {
    laidOut = '';
    if (menu) show(menu, moment);
  });
  return show;

  /** @param {Menu} next @param {Moment} when */
  function show(next, when) {
    menu = next;
    moment = when;
    const out = when.hidesSoldOut ? soldOutIn(next) : [];
    // What is on again is shown again at once.
    gone = turn === undefined ? out : gone.filter((key) => out.includes(key));
    let now = placeAt(next, when);
    if (now.turn !== turn && now.index === 0 && gone.length < out.length) {
      gone = out;
      now = placeAt(next, when);
    }
    const { pages } = layout;
    const page = rowsNow(pages[now.index] ?? [], next);
    const another = turn !== undefined && turn !== now.turn && pages.length > 1;
    turn = now.turn;
    area.toggleAttribute('data-swap', Math.floor(when.at / HOUR_MS) % 2 === 1 && !pages.some(isDivided));
    put('allergens', next.allergenLine);
    put('prices', next.priced ? '' : t('tv.menu.prices_at_bar'));
    put('as-of', when.asOf);
    put('page', pages.length > 1 ? t('tv.menu.page', { page: now.index + 1, of: pages.length }) : '');
    const key = JSON.stringify([now.index, page, next.priced, next.columns]);
    if (key === drawn) return;
    drawn = key;
    draw(page, without(next, gone));
    if (another && !still.matches) area.animate({ opacity: [0.2, 1] }, { duration: 900, easing: 'ease-out' });
  }

  /** Which page is shown at a moment; the list is laid out again if it is another one. @param {Menu} next @param {Moment} when */
  function placeAt(next, { at, whole }) {
    const shown = without(next, gone);
    const { look } = document.body.dataset;
    const content = JSON.stringify([shown.sections.map(lasting), shown.columns, whole, look]);
    if (content !== laidOut) {
      laidOut = content;
      drawn = '';
      layout = layOut(shown, whole);
    }
    return pageAt(pageTimes(layout.pages.map((page) => rowsOf(page).length)), at);
  }

  /** @param {Block[][]} page @param {Menu} now */
  function draw(page, now) {
    const air = airOf(page, { height: layout.height, most: AIR * layout.em });
    for (const [index, { list, blocks }] of columns.entries()) {
      const shown = page[index] ?? [];
      list.hidden = index >= layout.columns;
      while (blocks.length < shown.length) blocks.push(blockOf(list));
      for (const [line, node] of blocks.entries()) drawBlock(node, shown[line], { ...now, air });
    }
  }

  /** @param {BlockNode} node @param {Block | undefined} block @param {Menu & { air: number }} now */
  function drawBlock({ item, heading, row, strip }, block, { sections, priced, columns: names, air }) {
    item.hidden = block === undefined;
    if (!block) return;
    const isHeading = 'section' in block;
    const isRow = !isHeading && 'row' in block.item;
    item.style.height = `${block.height}px`;
    item.style.setProperty('margin-top', `${isHeading ? block.before : 0}px`);
    // A heading stays with its rows.
    item.style.setProperty('margin-bottom', `${isHeading ? 0.3 * air : air}px`);
    heading.node.hidden = !isHeading;
    row.node.hidden = !isRow;
    strip.node.hidden = isHeading || isRow;
    if (isHeading) {
      const { id = '', title = '', sizes = [], rows = [] } = sections[block.section] ?? {};
      const labels = !priced || id === 'next' ? [] : sizes.length > 0 ? sizes : names;
      fillHeading(heading, { title, continued: block.continued, labels, price: priceWidth(rows) });
    } else if ('row' in block.item) {
      const { how } = block.item;
      fillRow(row, block.item.row, { ...how, priced });
      fitRow(row, block.item.row, { ...how, height: item.clientHeight });
    } else fillPictures(strip, picturesOf(block.item.pictures));
  }

  /** @param {string} name @param {string} text */
  function put(name, text) {
    const line = part(place, name);
    line.hidden = text === '';
    setText(line, text);
  }
}

/** The dishes to be had first. @param {MenuRow[]} rows */
const picturesOf = (rows) => {
  const left = rows.filter(({ state }) => state !== 'out');
  return (left.length > 0 ? left : rows).slice(0, PICTURES_IN_ROW);
};

/** What of a section the places of its rows depend on: not the states. @param {MenuSection} section */
const lasting = ({ rows, ...section }) => ({
  ...section,
  rows: rows.map(({ state, chip, ...row }) => row),
});

/**
 * The page with the states of now: it was laid out with earlier ones.
 * @param {Block[][]} page
 * @param {Menu} menu
 * @returns {Block[][]}
 */
function rowsNow(page, { sections }) {
  const rows = new Map(sections.flatMap((section) => section.rows.map((row) => [row.key, row])));
  /** @param {MenuRow} row */
  const nowOf = (row) => rows.get(row.key) ?? row;
  return page.map((column) =>
    column.map((block) => {
      if (!('item' in block)) return block;
      const { item } = block;
      const now = 'row' in item ? { ...item, row: nowOf(item.row) } : { pictures: item.pictures.map(nowOf) };
      return { ...block, item: now };
    }),
  );
}

/** @param {Block[][]} page */
const rowsOf = (page) => page.flat().filter((block) => 'item' in block && 'row' in block.item);

/** Whether a section goes on in a column of the page, which is then read after the one before. @param {Block[][]} page */
const isDivided = (page) => page.flat().some((block) => 'section' in block && block.continued);

/** @param {Menu} menu */
const soldOutIn = ({ sections }) =>
  sections.flatMap(({ rows }) => rows.flatMap(({ key, state }) => (state === 'out' ? [key] : [])));

/** @param {Menu} menu @param {readonly string[]} keys @returns {Menu} */
const without = ({ sections, ...menu }, keys) => ({
  ...menu,
  sections: sections
    .map((section) => ({ ...section, rows: section.rows.filter(({ key }) => !keys.includes(key)) }))
    .filter(({ rows }) => rows.length > 0),
});

/** @param {HTMLElement} area */
function columnOf(area) {
  const list = document.createElement('ol');
  list.className = 'tv-menu-column';
  area.append(list);
  /** @type {BlockNode[]} */
  const blocks = [];
  return { list, blocks };
}

/** @typedef {ReturnType<typeof blockOf>} BlockNode */

/** @param {HTMLElement} list */
function blockOf(list) {
  const item = document.createElement('li');
  const [heading, row, strip] = [headingNode(), rowNode(), pictureNode()];
  item.append(heading.node, row.node, strip.node);
  list.append(item);
  return { item, heading, row, strip };
}

/** @param {HTMLElement} place @param {string} name */
function part(place, name) {
  const found = place.querySelector(`[data-part=${name}]`);
  if (found instanceof HTMLElement) return found;
  throw new Error(`no part ${name}`);
}
