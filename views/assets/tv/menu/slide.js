// The list in the round of slides, beside the programme of the day: section after section, some rows at a time.
import { t } from '../../base/texts.js';
import { fits } from '../fit.js';
import { fillHeading, headingNode } from './blocks.js';
import { menuAt } from './model.js';
import { fillRow, fitRow, formsOf, gutterOf, priceWidth, rowNode } from './rows.js';

/** @import { MenuRow } from './model.js' */
/** @typedef {{ title: string, lines: 1 | 2, rows: MenuRow[] }} Part */
/** @typedef {{ type: 'menu', id: string, title: string, sections: Part[], columns: string[], priced: boolean }} MenuSlide */

/** A heading between rows counts as one of them. */
const ROWS = 8;
/** Short sections share a slide while they have no more rows. */
const SHARED = 6;
/** How long a part is shown, and what each row beyond four adds. */
const SHOWN_MS = 12_000;
const ROW_MS = 1_000;
const READ_AT_ONCE = 4;

/** @param {number} rows */
export const menuHoldMs = (rows) => SHOWN_MS + ROW_MS * Math.max(0, rows - READ_AT_ONCE);

/**
 * The whole list, in its order: a slide for each long section, and one for short ones that follow each other.
 * @param {import('#pub/menu/list.ts').Menu | undefined} menu
 * @param {import('./model.js').Moment} moment
 * @returns {MenuSlide[]}
 */
export function menuSlides(menu, moment) {
  if (!menu) return [];
  const { sections, columns, priced } = menuAt(menu, moment);
  const hidden = menu.soldOutShows === 'hidden';
  const left = sections
    .map(({ id, title, lines, rows }) => ({
      id,
      part: { title, lines, rows: rows.filter(({ state }) => !(hidden && state === 'out')) },
    }))
    .filter(({ part }) => part.rows.length > 0);
  /** @type {MenuSlide[]} */
  const slides = [];
  for (const { id, part } of left) {
    const last = slides[slides.length - 1];
    if (last && lengthOf([...last.sections, part]) <= SHARED) last.sections.push(part);
    else
      slides.push({ type: 'menu', id: `menu ${id}`, title: part.title, sections: [part], columns, priced });
  }
  return slides;
}

/** The rows of some sections with the headings between them. @param {readonly Part[]} parts */
const lengthOf = (parts) => parts.reduce((sum, { rows }) => sum + rows.length, 0) + parts.length - 1;

/** @typedef {{ item: HTMLElement, heading: ReturnType<typeof headingNode>, row: ReturnType<typeof rowNode> }} Place */
/** @type {WeakMap<HTMLElement, Place[]>} */
const made = new WeakMap();

/** @returns {Place} */
function placeNode() {
  const item = document.createElement('li');
  const [heading, row] = [headingNode(), rowNode()];
  item.append(heading.node, row.node);
  return { item, heading, row };
}

/** @typedef {{ section: Part, index: number, row: MenuRow }} Line `index`: its place in the section */

/**
 * Fills the list of a slide with a part of its rows.
 * @param {HTMLElement} words the box that must not overflow
 * @param {HTMLElement} list
 * @param {Partial<Pick<MenuSlide, 'sections' | 'priced'>>} slide
 * @param {number} page from 0 on
 * @param {(title: string, pages: string) => void} say writes the title of the part, and which part it is
 * @returns {{ text: string, page: number, pages: number, rows: number }} what is shown, and how many parts there are
 */
export function fitMenu(words, list, { sections = [], priced = false }, page, say) {
  const places = made.get(list) ?? Array.from({ length: ROWS }, placeNode);
  if (!made.has(list)) list.append(...places.map(({ item }) => item));
  made.set(list, places);
  list.hidden = false;
  const price = priceWidth(sections.flatMap(({ rows }) => rows));
  list.style.setProperty('--gutter', String(gutterOf(sections)));
  /** @param {Line[]} some @param {string} pages */
  const write = (some, pages) => {
    const [first] = some;
    say(first ? titleOf(first) : '', pages);
    const blocks = blocksOf(some);
    for (const [index, { item, heading, row }] of places.entries()) {
      const block = blocks[index];
      item.hidden = block === undefined;
      heading.node.hidden = block === undefined || 'row' in block;
      row.node.hidden = !(block && 'row' in block);
      if (!block) continue;
      if ('row' in block)
        fillRow(row, block.row, { lines: block.section.lines, priced, sizes: [], label: 0, price });
      else fillHeading(heading, { title: block.title, continued: false, labels: [] });
    }
    return blocks.length <= places.length && fits(words);
  };
  /** @param {Line[]} some */
  const isFitting = (some) =>
    [0, 1].every((form) =>
      write(
        some.map((line) => ({ ...line, row: formsOf(line.row)[form] ?? line.row })),
        t('tv.menu.page', { page: 1, of: 9 }),
      ),
    );
  const lines = sections.flatMap((section) => section.rows.map((row, index) => ({ section, index, row })));
  const greedy = divide(lines, ROWS, isFitting);
  const even = divide(lines, Math.ceil(lines.length / greedy.length), isFitting);
  const pages = even.length === greedy.length ? even : greedy;
  const shown = Math.min(page, pages.length - 1);
  const part = pages[shown] ?? [];
  write(part, pages.length > 1 ? t('tv.menu.page', { page: shown + 1, of: pages.length }) : '');
  for (const [index, block] of blocksOf(part).entries()) {
    const place = places[index];
    if (place && 'row' in block && !fits(words))
      fitRow(place.row, block.row, { height: 0, lines: block.section.lines });
  }
  return { text: '', page: shown, pages: pages.length, rows: part.length };
}

/** @param {Line} line the first of a part */
const titleOf = ({ section, index }) =>
  index > 0 ? t('tv.menu.continued', { title: section.title }) : section.title;

/** The rows of a part with the headings between them; the first one is the title of the slide. @param {Line[]} lines */
const blocksOf = (lines) =>
  lines.flatMap((line, at) => (at > 0 && line.index === 0 ? [{ title: line.section.title }, line] : [line]));

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
