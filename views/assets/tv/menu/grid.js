// Divides the list into columns and pages, by the heights of its rows alone: no DOM.

/**
 * @template Item
 * @typedef {object} GridSection
 * @property {number} head the height of its heading
 * @property {number} again the height of its heading where it goes on in another column
 * @property {{ item: Item, height: number, stuck?: boolean }[]} items one that is `stuck` begins no column
 */

/**
 * @template Item
 * @typedef {{ section: number, continued: boolean, height: number, before: number } | { item: Item, height: number }} Block
 */

/**
 * What a column costs. Space that is left at its end counts by its square, so that all columns become equally full, on
 * the last page less; a section should not be divided, least of all by the end of a page, and no row of it should stand
 * alone.
 */
const COST = { left: 2, last: 0.4, divided: 0.25, turned: 0.2, single: 0.3 };

/**
 * @template Item
 * @param {readonly GridSection<Item>[]} sections
 */
const rowsOf = (sections) =>
  sections.flatMap(({ items }, section) =>
    items.map((item, index) => ({ ...item, section, index, left: items.length - index })),
  );

/**
 * The height of a column for each row with which it may end.
 * @template Item
 * @param {readonly GridSection<Item>[]} sections
 * @param {ReturnType<typeof rowsOf<Item>>} rows
 * @param {number} from the row with which it begins
 * @param {{ height: number, gap: number }} grid
 * @returns {Generator<{ end: number, filled: number }>} `end`: the row after its last; it has at least one row
 */
function* columnsFrom(sections, rows, from, { height, gap }) {
  let filled = 0;
  for (let at = from; at < rows.length; at++) {
    const row = rows[at];
    const section = row && sections[row.section];
    if (!row || !section) return;
    if (at === from) filled += row.index === 0 ? section.head : section.again;
    else if (row.index === 0) filled += gap + section.head;
    filled += row.height;
    if (filled > height && at > from) return;
    if (!rows[at + 1]?.stuck) yield { end: at + 1, filled: Math.min(filled, height) };
  }
}

/**
 * The least number of columns that hold the list.
 * @template Item
 * @param {readonly GridSection<Item>[]} sections
 * @param {{ height: number, gap: number }} grid `height` of a column, `gap` between two sections
 */
export function columnsNeeded(sections, grid) {
  const rows = rowsOf(sections);
  let count = 0;
  for (let at = 0; at < rows.length; count++) {
    let end = at + 1;
    for (const column of columnsFrom(sections, rows, at, grid)) end = column.end;
    at = end;
  }
  return count;
}

/**
 * The pages of a list, filled as evenly as its sections allow, in its order.
 * @template Item
 * @param {readonly GridSection<Item>[]} sections
 * @param {{ columns: number, pages: number, height: number, gap: number }} grid as many `pages` as it may need
 * @returns {Block<Item>[][][]} pages of columns of blocks; fewer pages if that is enough; none if it does not fit
 */
export function menuPages(sections, { columns, pages, ...grid }) {
  const rows = rowsOf(sections);
  const most = columns * pages;
  /** The cheapest way to fill some columns with the rows before one. @type {({ cost: number, from: number } | undefined)[][]} */
  const best = Array.from({ length: most + 1 }, () => []);
  if (best[0]) best[0][0] = { cost: 0, from: 0 };
  for (let count = 0; count < most; count++) {
    for (const [from, way] of Object.entries(best[count] ?? [])) {
      if (!way) continue;
      for (const { end, filled } of columnsFrom(sections, rows, Number(from), grid)) {
        const isPageEnd = (count + 1) % columns === 0;
        const slack = (1 - filled / grid.height) ** 2 * (count < most - columns ? COST.left : COST.last);
        const cost = way.cost + slack + costOfCut(rows[end], isPageEnd);
        const next = best[count + 1];
        if (next && cost < (next[end]?.cost ?? Number.POSITIVE_INFINITY))
          next[end] = { cost, from: Number(from) };
      }
    }
  }
  // An empty column costs as much as one in which all is left.
  const totals = best.map(
    (ways, count) => (ways[rows.length]?.cost ?? Infinity) + COST.last * (most - count),
  );
  let count = totals.indexOf(Math.min(...totals));
  if (rows.length === 0 || totals[count] === Infinity) return [];
  /** @type {Block<Item>[][]} */
  const filled = [];
  for (let end = rows.length; end > 0; count--) {
    const from = best[count]?.[end]?.from ?? 0;
    filled.unshift(blocksOf(sections, rows.slice(from, end), grid.gap));
    end = from;
  }
  return Array.from({ length: Math.ceil(filled.length / columns) }, (_, page) =>
    filled.slice(page * columns, (page + 1) * columns),
  );
}

/** @param {{ index: number, left: number } | undefined} next the row after a column @param {boolean} isPageEnd */
function costOfCut(next, isPageEnd) {
  if (!next || next.index === 0) return 0;
  const isSingle = next.index + next.left > 2 && (next.index === 1 || next.left === 1);
  return COST.divided + (isPageEnd ? COST.turned : 0) + (isSingle ? COST.single : 0);
}

/**
 * @template Item
 * @param {readonly GridSection<Item>[]} sections
 * @param {ReturnType<typeof rowsOf<Item>>} rows of one column
 * @param {number} gap
 * @returns {Block<Item>[]}
 */
const blocksOf = (sections, rows, gap) =>
  rows.flatMap(({ item, height, section, index }, at) => {
    const block = { item, height };
    if (at > 0 && index > 0) return [block];
    const { head = 0, again = 0 } = sections[section] ?? {};
    const heading = {
      section,
      continued: index > 0,
      height: index > 0 ? again : head,
      before: at > 0 ? gap : 0,
    };
    return [heading, block];
  });

/**
 * The space between two rows of a page, so that its fullest column reaches the end.
 * @template Item
 * @param {readonly Block<Item>[][]} page
 * @param {{ height: number, most: number }} grid `most`: more would tear the rows apart
 */
export function airOf(page, { height, most }) {
  const air = page.map((blocks) => {
    const filled = blocks.reduce(
      (sum, block) => sum + block.height + ('before' in block ? block.before : 0),
      0,
    );
    return (height - filled) / Math.max(1, blocks.length - 1);
  });
  return Math.max(0, Math.min(most, ...air));
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
