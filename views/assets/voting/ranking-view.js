// Positions of the rows of the ranked ballot, and their animation.

/** @import { Row } from './ranking-rows.js' */

/**
 * Returns where each row is seen, then ends its animation: the next measurement finds its final position.
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
 * Animates every row from its old position, except with reduced motion.
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
 * Focuses an element of a row, and scrolls until the whole row is visible. To be called before `slide`: while animated,
 * rows are not at their final position.
 * @param {HTMLElement} row
 * @param {HTMLElement} focus
 */
export function bringIntoView(row, focus) {
  focus.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}
