// The list over the whole screen: pages of columns of equal height, which take turns. Rows are measured once for each
// content and size of the screen; a state that changes moves none of them while a round of the pages lasts.
import { setText } from '../../playing/clock.js';
import { onLayout } from '../fit.js';
import { COST, menuPages, pageAt, pageTimes } from './grid.js';
import { fillRow, fitRow, formsOf, priceWidth, rowNode } from './rows.js';

/** More rows than fit a column of an upright screen. */
const BLOCKS = 30;
const HOUR_MS = 3_600_000;
/**
 * A short list is shown in larger type, in as few columns as hold it; a list with a row that is too high for half a
 * screen has one column. `pages`: how many may be needed; `plain`: only if no row needs more lines than its section has.
 * @typedef {{ columns: number, scale: number, pages?: number, plain?: boolean }} Layout
 */
/** @type {Layout[]} */
const LYING = [
  { columns: 1, scale: 1.5 },
  { columns: 2, scale: 1.5, plain: true },
  { columns: 1, scale: 1.25 },
  { columns: 2, scale: 1.25, plain: true },
  { columns: 1, scale: 1.1 },
  { columns: 2, scale: 1.15, plain: true },
  { columns: 2, scale: 1, pages: Infinity },
  { columns: 1, scale: 1 },
];
/** @type {Layout[]} */
const UPRIGHT = [
  { columns: 1, scale: 1.5 },
  { columns: 1, scale: 1.25 },
  { columns: 1, scale: 1 },
];
const upright = matchMedia('(max-aspect-ratio: 1 / 1)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** @import { MenuRow, MenuSection } from './model.js' */
/** @typedef {import('./grid.js').Block<{ row: MenuRow, lines: 1 | 2 }>} Block */
/** @typedef {ReturnType<typeof import('./model.js').menuAt>} Menu */

/**
 * The board in its place on the page.
 * @param {HTMLElement} place
 * @returns {(menu: Menu, moment: { at: number, asOf: string, hidesSoldOut: boolean }) => void} to be called each second; it writes only
 * what has changed
 */
export function menuBoard(place) {
  const area = part(place, 'columns');
  const probe = rowNode();
  const headingProbe = headingNode();
  for (const { node } of [probe, headingProbe]) node.classList.add('tv-menu-probe');
  area.append(probe.node, headingProbe.node);
  const columns = [0, 1].map(() => columnOf(area));
  /** @type {Menu | undefined} */
  let menu;
  let moment = { at: 0, asOf: '', hidesSoldOut: false };
  let measured = '';
  let drawn = '';
  /** @type {number | undefined} */
  let turn;
  /** @type {Block[][][]} */
  let pages = [];
  /** Rows that were sold out and hidden when this round of the pages began: the others stand without gaps. @type {string[]} */
  let gone = [];

  onLayout(area, () => {
    measured = '';
    if (menu) show(menu, moment);
  });
  return show;

  /** @param {Menu} next @param {typeof moment} when */
  function show(next, when) {
    menu = next;
    moment = when;
    const out = when.hidesSoldOut ? soldOutIn(next) : [];
    // What is on again is shown again at once.
    gone = turn === undefined ? out : gone.filter((key) => out.includes(key));
    let now = placeAt(next, when.at);
    if (now.turn !== turn && now.index === 0 && gone.length < out.length) {
      gone = out;
      now = placeAt(next, when.at);
    }
    const page = rowsNow(pages[now.index] ?? [], next);
    const another = turn !== undefined && turn !== now.turn && pages.length > 1;
    turn = now.turn;
    area.toggleAttribute('data-swap', Math.floor(when.at / HOUR_MS) % 2 === 1 && !pages.some(isDivided));
    put('allergens', next.allergenLine);
    put('prices', next.priced ? '' : 'Prices at the bar');
    put('as-of', when.asOf);
    put('page', pages.length > 1 ? `${now.index + 1} of ${pages.length}` : '');
    const key = JSON.stringify([now.index, page, next.priced, next.columns]);
    if (key === drawn) return;
    drawn = key;
    draw(page, next);
    if (another && !still.matches) area.animate({ opacity: [0.2, 1] }, { duration: 900, easing: 'ease-out' });
  }

  /** Which page is shown at a moment; the list is divided again if it is another one. @param {Menu} next @param {number} at */
  function placeAt(next, at) {
    const shown = without(next, gone);
    const content = JSON.stringify(shown.sections.map(lasting));
    if (content !== measured) {
      measured = content;
      drawn = '';
      measure(shown);
    }
    return pageAt(pageTimes(pages.map((page) => rowsOf(page).length)), at);
  }

  /** @param {Menu} next */
  function measure({ sections, columns: names }) {
    place.toggleAttribute('data-two-prices', names.length > 1);
    place.style.setProperty('--price', `${priceWidth(sections.flatMap(({ rows }) => rows))}em`);
    for (const { columns: count, scale, pages: most = 1, plain = false } of upright.matches
      ? UPRIGHT
      : LYING) {
      place.style.setProperty('--scale', String(scale));
      place.style.setProperty('--columns', String(count));
      for (const [index, { list }] of columns.entries()) list.hidden = index >= count;
      const unit = leastHeight() / COST.two;
      const height = Math.floor((area.clientHeight + 1) / unit);
      place.style.setProperty('--unit', `${area.clientHeight / height}px`);
      const parts = sections.map(({ id, title, lines, rows }) => ({
        title,
        isPriced: id !== 'next',
        cost: headingCost({ heading: title, continued: true, isPriced: id !== 'next' }, names, unit),
        items: rows.map((row) => ({ item: { row, lines }, cost: costOf(row, lines, unit) })),
      }));
      pages = menuPages(parts, { columns: count, height });
      const highest = plain ? COST.two : height;
      const isWhole = parts.every(({ cost, items }) =>
        items.every((item) => item.cost <= highest && cost + item.cost <= height),
      );
      if (isWhole && pages.length <= most) return;
    }
  }

  /** @param {Heading} heading @param {string[]} names @param {number} unit in pixels */
  function headingCost(heading, names, unit) {
    fillHeading(headingProbe, heading, names);
    return Math.max(COST.heading, Math.ceil((headingProbe.node.offsetHeight - 1) / unit));
  }

  /** The least height of a row of two lines, in pixels. */
  function leastHeight() {
    fillRow(probe, EMPTY, { lines: 2, priced: false });
    return probe.node.offsetHeight;
  }

  /** @param {MenuRow} row @param {1 | 2} lines @param {number} unit in pixels */
  function costOf(row, lines, unit) {
    const heights = formsOf(row, lines).map((form) => {
      fillRow(probe, form, { lines, priced: true });
      return probe.node.offsetHeight;
    });
    return Math.max(lines === 2 ? COST.two : COST.one, Math.ceil((Math.max(...heights) - 1) / unit));
  }

  /** @param {Block[][]} page @param {Menu} now */
  function draw(page, { priced, columns: names }) {
    for (const [index, { blocks }] of columns.entries()) {
      for (const [line, node] of blocks.entries()) drawBlock(node, page[index]?.[line], priced, names);
    }
  }

  /** @param {BlockNode} node @param {Block | undefined} block @param {boolean} priced @param {string[]} names */
  function drawBlock({ item, heading, row }, block, priced, names) {
    item.hidden = block === undefined;
    if (!block) return;
    item.style.setProperty('--cost', String(block.cost));
    const isHeading = 'heading' in block;
    heading.node.hidden = !isHeading;
    row.node.hidden = isHeading;
    if ('heading' in block) {
      fillHeading(heading, block, priced ? names : []);
      return;
    }
    const { lines } = block.item;
    fillRow(row, block.item.row, { lines, priced });
    fitRow(row, block.item.row, item.clientHeight);
  }

  /** @param {string} name @param {string} text */
  function put(name, text) {
    const line = part(place, name);
    line.hidden = text === '';
    setText(line, text);
  }
}

/** @type {MenuRow} */
const EMPTY = {
  key: '',
  tap: '',
  name: 'x',
  abv: '',
  about: ['x'],
  marks: [],
  chip: '',
  state: 'on',
  ebc: null,
  prices: [],
};

/** What of a section the places of its rows depend on: not the states. @param {MenuSection} section */
const lasting = ({ rows, ...section }) => ({
  ...section,
  rows: rows.map(({ state, chip, ...row }) => row),
});

/**
 * The page with the states of now: it was divided with earlier ones.
 * @param {Block[][]} page
 * @param {Menu} menu
 * @returns {Block[][]}
 */
function rowsNow(page, { sections }) {
  const rows = new Map(sections.flatMap((section) => section.rows.map((row) => [row.key, row])));
  return page.map((column) =>
    column.map((block) =>
      'item' in block
        ? { ...block, item: { ...block.item, row: rows.get(block.item.row.key) ?? block.item.row } }
        : block,
    ),
  );
}

/** @param {Block[][]} page */
const rowsOf = (page) => page.flat().flatMap((block) => ('item' in block ? [block.item.row] : []));

/** Whether a section goes on in a column of the page, which is then read after the one before. @param {Block[][]} page */
const isDivided = (page) => page.flat().some((block) => 'heading' in block && block.continued);

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

/** @typedef {{ item: HTMLElement, heading: ReturnType<typeof headingNode>, row: ReturnType<typeof rowNode> }} BlockNode */
/** @typedef {{ heading: string, continued: boolean, isPriced: boolean }} Heading */

/** @param {HTMLElement} area */
function columnOf(area) {
  const list = document.createElement('ol');
  list.className = 'tv-menu-column';
  const blocks = Array.from({ length: BLOCKS }, () => blockOf(list));
  area.append(list);
  return { list, blocks };
}

/** @param {HTMLElement} list @returns {BlockNode} */
function blockOf(list) {
  const item = document.createElement('li');
  const heading = headingNode();
  const row = rowNode();
  item.hidden = true;
  item.append(heading.node, row.node);
  list.append(item);
  return { item, heading, row };
}

/** A heading with the names of the columns of prices. */
function headingNode() {
  const node = document.createElement('div');
  const title = document.createElement('h2');
  const names = [document.createElement('span'), document.createElement('span')];
  node.className = 'tv-menu-heading';
  node.append(title, ...names);
  return { node, title, names };
}

/** @param {ReturnType<typeof headingNode>} places @param {Heading} what @param {string[]} names of the columns of prices */
function fillHeading({ title, names: places }, { heading, continued, isPriced }, names) {
  setText(title, continued ? `${heading}, continued` : heading);
  for (const [index, place] of places.entries()) {
    const name = (isPriced && names[index]) || '';
    setText(place, name);
    place.hidden = name === '';
  }
}

/** @param {HTMLElement} place @param {string} name */
function part(place, name) {
  const found = place.querySelector(`[data-part=${name}]`);
  if (found instanceof HTMLElement) return found;
  throw new Error(`no part ${name}`);
}
