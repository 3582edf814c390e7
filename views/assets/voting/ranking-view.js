// Where the rows of the ranked ballot are in the window, and how they get there.

/** @typedef {import('./ranking-rows.js').Row} Row */

/**
 * Where each row is seen on the page. Rows that still glide there stop: what is measured next is where they belong.
 * @param {Row[]} rows
 */
export function takeTops(rows) {
  const seen = tops(rows);
  for (const { element } of rows) for (const animation of element.getAnimations()) animation.cancel();
  return seen;
}

/** @param {Row[]} rows */
function tops(rows) {
  return rows.map((row) => row.element.getBoundingClientRect().top + scrollY);
}

/**
 * Lets every row glide from where it was, unless motion is unwelcome.
 * @param {Row[]} rows
 * @param {number[]} before
 */
export function slide(rows, before) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const after = tops(rows);
  rows.forEach((row, index) => {
    const offset = (before[index] ?? 0) - (after[index] ?? 0);
    if (Math.abs(offset) < 1) return;
    row.element.animate([{ transform: `translateY(${offset}px)` }, { transform: 'none' }], {
      duration: 160,
      easing: 'ease-out',
    });
  });
}

/**
 * Gives an element of a row the focus, and scrolls as far as the whole row needs. Before rows glide: where they are
 * drawn meanwhile is not where they belong.
 * @param {HTMLElement} row
 * @param {HTMLElement} focus
 */
export function bringIntoView(row, focus) {
  focus.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}
