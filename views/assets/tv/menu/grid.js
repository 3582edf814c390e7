// Divides the list into pages of equal layout: columns of equal height, in which a heading costs as much as a row of one
// line. No DOM.

/** The parts of a column's height that one row takes: seven rows of two lines are as high as twelve of one. */
export const COST = { two: 12, one: 7, heading: 7 };

/**
 * @template Item
 * @typedef {object} GridSection
 * @property {string} title
 * @property {boolean} isPriced whether its rows have prices
 * @property {number} [cost] of its heading, if it is long
 * @property {{ item: Item, cost: number }[]} items
 */

/**
 * @template Item
 * @typedef {{ heading: string, continued: boolean, isPriced: boolean, cost: number } | { item: Item, cost: number }} Block
 */

/**
 * The pages of a list. What is left of a section at the end of a column goes on in the next one below its heading again.
 * A section stays whole where that takes no more pages.
 * @template Item
 * @param {readonly GridSection<Item>[]} sections
 * @param {{ columns: number, height: number }} grid `height` of a column, in the unit of `COST`
 * @returns {Block<Item>[][][]} pages of columns of blocks
 */
export function menuPages(sections, { columns, height }) {
  const split = fill(sections, height, false);
  const whole = fill(sections, height, true);
  const pages = (/** @type {unknown[]} */ filled) => Math.ceil(filled.length / columns);
  const filled = pages(whole) > pages(split) ? split : whole;
  return Array.from({ length: pages(filled) }, (_, page) =>
    filled.slice(page * columns, (page + 1) * columns),
  );
}

/**
 * @template Item
 * @param {readonly GridSection<Item>[]} sections
 * @param {number} height
 * @param {boolean} whole whether a section that fits a column begins a new one rather than be divided
 * @returns {Block<Item>[][]} columns
 */
function fill(sections, height, whole) {
  /** @type {Block<Item>[][]} */
  const filled = [];
  let left = 0;
  for (const { title, isPriced, items, cost: heading = COST.heading } of sections) {
    const most = height - heading;
    const costs = items.map(({ cost }) => Math.min(cost, most));
    const all = costs.reduce((sum, cost) => sum + cost, 0);
    for (const [index, { item }] of items.entries()) {
      const cost = costs[index] ?? 0;
      const needed = index > 0 ? cost : heading + (whole && all <= most ? all : cost);
      const isNext = needed > left;
      if (isNext) {
        filled.push([]);
        left = height;
      }
      const column = filled[filled.length - 1];
      if (index === 0 || isNext) {
        column?.push({ heading: title, continued: index > 0, isPriced, cost: heading });
        left -= heading;
      }
      column?.push({ item, cost });
      left -= cost;
    }
  }
  return filled;
}

/** A whole round takes no longer, unless a page would be gone before it is read. */
const ROUND_MS = 170_000;
const LEAST_MS = 9_000;

/**
 * How long each page is shown, in milliseconds: the longer the more rows it has.
 * @param {readonly number[]} rows of each page
 */
export function pageTimes(rows) {
  const times = rows.map((count) => Math.min(12_000 + 500 * Math.max(0, count - 4), 20_000));
  const share = ROUND_MS / times.reduce((sum, ms) => sum + ms, 0);
  return share >= 1 ? times : times.map((ms) => Math.max(LEAST_MS, Math.floor(ms * share)));
}

/**
 * Which of several pages is shown at a moment: screens that show the same list turn together.
 * @param {readonly number[]} times how long each page is shown
 * @param {number} at
 * @returns {{ index: number, turn: number }} `turn` counts the turns of all rounds
 */
export function pageAt(times, at) {
  const round = times.reduce((sum, ms) => sum + ms, 0);
  if (round === 0) return { index: 0, turn: 0 };
  let rest = at % round;
  const index = times.findIndex((ms) => {
    rest -= ms;
    return rest < 0;
  });
  return { index, turn: Math.floor(at / round) * times.length + index };
}
