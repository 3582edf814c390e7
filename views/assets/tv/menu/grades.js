// How large the list is written and in how many columns: the largest type that fills the screen. All rows are written
// into a hidden column, which is measured once for each grade and number of columns that is tried.

import { fillHeading, fillPictures, headingNode, PICTURES_IN_ROW, pictureNode } from './blocks.js';
import { columnsNeeded, menuPages } from './grid.js';
import { fillRow, formsOf, gutterOf, labelWidth, priceWidth, rowNode } from './rows.js';

/**
 * Sizes of type, the largest first, as parts of the usual one: a thirtieth of the height for the least words, and more
 * for names and headings. At the last one the least words have a fortieth, and names a thirtieth.
 */
const GRADES = [2.2, 2, 1.8, 1.64, 1.5, 1.38, 1.28, 1.19, 1.12, 1.06, 1, 0.93, 0.87, 0.81, 0.75];
const LEAST = GRADES.length - 1;
const USUAL = GRADES.indexOf(1);
/** So much smaller if that saves a page: the least words have 1/34 of the height. */
const SAVING = GRADES.indexOf(0.87);
/** A list that needs more pages is written as small as may be. */
const PAGES_AT_MOST = 4;
/** The space between two sections, in em of a name. */
const GAP = 0.75;
/** The least part of the size of type that is left when pictures take their space. */
const WITH_PICTURES = 0.72;
/** How much less a layout is worth with one further line for each row. */
const BROKEN = 1;
/** A word that has to be torn counts as so many lines. */
const TORN = 3;
/** How many grades are compared. */
const TRIED = 4;
const upright = matchMedia('(max-aspect-ratio: 1 / 1)');

/**
 * @import { MenuRow, MenuSection } from './model.js'
 * @typedef {{ row: MenuRow, how: { lines: 1 | 2, sizes: readonly string[], label: number, price: number } }} RowItem
 * @typedef {{ pictures: MenuRow[] }} PictureItem
 * @typedef {import('./grid.js').Block<RowItem | PictureItem>} Block
 * @typedef {import('./grid.js').GridSection<RowItem | PictureItem>} GridSection
 * @typedef {{ pages: Block[][][], columns: number, height: number, em: number }} Layout `height` of a column and `em` of a name in pixels
 */

/**
 * @param {HTMLElement} area the columns of the board
 * @returns {(menu: { sections: readonly MenuSection[], columns: readonly string[] }, whole: boolean) => Layout}
 * lays a list out; `whole`: on one page if it fits in the smallest type
 */
export function menuGrades(area) {
  const probe = document.createElement('div');
  probe.className = 'tv-menu-column tv-menu-probe';
  area.append(probe);
  return (menu, whole) => {
    const { sections } = menu;
    area.style.setProperty('--gutter', String(gutterOf(sections)));
    const tried = measures(area, probe, writeProbe(probe, menu), sections);
    const counts = upright.matches ? [1, 2] : [1, 2, 3];
    /** @param {number} grade @param {boolean} pictures */
    const least = (grade, pictures) =>
      Math.min(...counts.map((count) => tried(count, grade, pictures).pagesNeeded));
    const lowest = lowestGrade((grade) => least(grade, false), whole);
    const pages = least(lowest, false);
    /** @param {boolean} pictures */
    const best = (pictures) => {
      const found = counts
        .map((count) => bestGrade((grade) => tried(count, grade, pictures), lowest, pages))
        .filter((one) => one !== undefined);
      return found.sort((a, b) => b.worth - a.worth)[0];
    };
    const plain = best(false) ?? tried(counts[counts.length - 1] ?? 1, lowest, false);
    const pictured = sections.some(({ rows }) => rows.some(({ picture }) => picture))
      ? best(true)
      : undefined;
    const isRoom =
      pictured !== undefined && pictured.scale >= 1 && pictured.scale >= WITH_PICTURES * plain.scale;
    const chosen = isRoom ? pictured : plain;
    apply(area, chosen.count, chosen.scale);
    probe.replaceChildren();
    return {
      pages: menuPages(chosen.parts, { ...chosen.grid, columns: chosen.count, pages: chosen.pagesNeeded }),
      columns: chosen.count,
      height: chosen.grid.height,
      em: chosen.em,
    };
  };
}

/**
 * The smallest grade that is tried.
 * @param {(grade: number) => number} least the number of pages that a grade needs
 * @param {boolean} whole
 */
function lowestGrade(least, whole) {
  const usual = least(USUAL);
  if (usual > (whole ? 1 : PAGES_AT_MOST)) return LEAST;
  return usual > least(SAVING) ? SAVING : USUAL;
}

/**
 * The best of the grades with which the list needs no more pages: the largest, unless it breaks many lines.
 * @template {{ pagesNeeded: number, worth: number }} Tried
 * @param {(grade: number) => Tried} tried
 * @param {number} lowest
 * @param {number} pages
 */
function bestGrade(tried, lowest, pages) {
  if (tried(lowest).pagesNeeded > pages) return undefined;
  let [over, fitting] = [-1, lowest];
  while (fitting - over > 1) {
    const middle = (over + fitting) >> 1;
    if (tried(middle).pagesNeeded > pages) over = middle;
    else fitting = middle;
  }
  const fittings = Array.from({ length: Math.min(TRIED, lowest - fitting + 1) }, (_, index) =>
    tried(fitting + index),
  );
  return fittings.sort((a, b) => b.worth - a.worth)[0];
}

/** @param {HTMLElement} area @param {number} count of columns @param {number} scale */
function apply(area, count, scale) {
  area.style.setProperty('--scale', String(scale));
  area.style.setProperty('--columns', String(count));
}

/**
 * @param {HTMLElement} probe
 * @param {{ sections: readonly MenuSection[], columns: readonly string[] }} menu
 */
function writeProbe(probe, { sections, columns }) {
  const written = sections.map(({ id, title, lines, sizes, rows }) => {
    const labels = id === 'next' ? [] : [...(sizes.length > 0 ? sizes : columns)];
    const how = { lines, sizes, label: labelWidth(labels), price: priceWidth(rows) };
    const headings = [false, true].map((continued) => {
      const heading = headingNode();
      fillHeading(heading, { title, continued, labels, price: how.price });
      return heading.node;
    });
    const pictured = rows.filter(({ picture }) => picture);
    const pictures = pictured.length > 0 ? [pictureNode()] : [];
    for (const strip of pictures) fillPictures(strip, pictured.slice(0, PICTURES_IN_ROW));
    return {
      headings,
      pictures: pictures.map(({ node }) => node),
      rows: rows.map((row) => ({
        row,
        how,
        forms: formsOf(row).map((form, index) => {
          const place = rowNode();
          fillRow(place, form, { ...how, priced: true }, index > 0);
          return place;
        }),
      })),
    };
  });
  probe.replaceChildren(
    ...written.flatMap(({ headings, rows, pictures }) => [
      ...headings,
      ...rows.flatMap(({ forms }) => forms.map(({ node }) => node)),
      ...pictures,
    ]),
  );
  return written;
}

/**
 * @param {HTMLElement} area
 * @param {HTMLElement} probe
 * @param {ReturnType<typeof writeProbe>} written
 * @param {readonly MenuSection[]} sections
 */
function measures(area, probe, written, sections) {
  const known = new Map();
  const height = area.clientHeight;
  /** @param {number} count @param {number} grade */
  const measured = (count, grade) => {
    const key = `${count} ${grade}`;
    const found = known.get(key);
    if (found) return found;
    const scale = GRADES[grade] ?? 1;
    apply(area, count, scale);
    const name = written[0]?.rows[0]?.forms[0]?.name;
    const em = name ? Number.parseFloat(getComputedStyle(name).fontSize) : 0;
    probe.toggleAttribute('data-untorn', true);
    const torn = written.flatMap(({ rows }) =>
      rows.filter(({ forms: [form] }) => form && form.first.scrollWidth > form.first.clientWidth + 1),
    );
    probe.toggleAttribute('data-untorn', false);
    let further = TORN * torn.length;
    const parts = written.map(({ headings, rows, pictures }, index) => {
      const [head = 0, again = 0] = headings.map(heightOf);
      const items = rows.map(({ row, how, forms }) => {
        const height = Math.max(...forms.map(({ node }) => heightOf(node)));
        further += Math.max(0, Math.round(height / em - linesOf(row, how)));
        return { item: { row, how }, height };
      });
      const pictured = sections[index]?.rows.filter(({ picture }) => picture) ?? [];
      const strip = pictures.map((node) => ({
        item: { pictures: pictured },
        height: heightOf(node),
        stuck: true,
      }));
      return { head, again, items, strip };
    });
    const rows = parts.reduce((sum, { items }) => sum + items.length, 0);
    const result = { parts, em, scale, worth: scale / (1 + BROKEN * (further / Math.max(1, rows))) };
    known.set(key, result);
    return result;
  };
  /** @param {number} count @param {number} grade @param {boolean} pictures */
  return (count, grade, pictures) => {
    const { parts, em, scale, worth } = /** @type {Measured} */ (measured(count, grade));
    const grid = { height, gap: GAP * em };
    /** @type {GridSection[]} */
    const all = parts.map(({ head, again, items, strip }) => ({
      head,
      again,
      items: pictures ? [...items, ...strip] : items,
    }));
    const pagesNeeded = Math.ceil(columnsNeeded(all, grid) / count);
    return { count, scale, worth, em, grid, parts: all, pagesNeeded };
  };
}

/** @typedef {{ parts: { head: number, again: number, items: GridSection['items'], strip: GridSection['items'] }[], em: number, scale: number, worth: number }} Measured */

/** The height of a row in which nothing is broken, in em of its name. @param {MenuRow} row @param {RowItem['how']} how */
function linesOf({ about, prices }, { lines, sizes }) {
  const words = lines === 2 && about.length > 0 ? 2.05 : 1.12;
  return 0.28 + Math.max(words, 1.12 * (sizes.length > 0 ? 1 : prices.length));
}

/** Exact, and the same on a screen that is turned. @param {HTMLElement} node */
const heightOf = (node) => Number.parseFloat(getComputedStyle(node).height) || 0;
