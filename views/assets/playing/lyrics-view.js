// Shows the lines of a song below each other, the current one in the middle of the box.

/** No automatic scrolling for so long after the user's input. */
const READING_MS = 6_000;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Shows lines in a box that scrolls. @returns a function that centres a line; it may be called often
 * @param {HTMLElement} box Holds one list
 */
export function lyricsView(box) {
  const list = /** @type {HTMLElement} */ (box.querySelector('ol'));
  /** @type {import('./lyrics.js').Line[] | undefined} */
  let shown;
  let current = -2;
  let readingUntil = 0;
  const reading = () => {
    readingUntil = performance.now() + READING_MS;
  };
  for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    box.addEventListener(name, reading, { passive: true });
  // The middle moves with the size of the box.
  new ResizeObserver(() => centre('instant')).observe(box);

  /**
   * @param {import('./lyrics.js').Line[]} lines
   * @param {number} line The index of the current one; -1 before the first
   */
  return (lines, line) => {
    if (lines !== shown) {
      shown = lines;
      current = -2;
      list.replaceChildren(...lines.map(itemOf));
    }
    if (line === current) return;
    // Only a move to the next line is smooth.
    const how = line === current + 1 ? 'smooth' : 'instant';
    current = line;
    for (const [index, item] of [...list.children].entries()) {
      const away = index - line;
      item.toggleAttribute('data-near', Math.abs(away) === 1);
      item.toggleAttribute('data-far', away === -2 || away === 2 || away === 3);
      if (away === 0) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
    }
    centre(how);
  };

  /** @param {'smooth' | 'instant'} how */
  function centre(how) {
    const item = list.children[Math.max(0, current)];
    if (!(item instanceof HTMLElement) || performance.now() < readingUntil) return;
    const top = item.offsetTop + item.offsetHeight / 2 - box.clientHeight / 2;
    box.scrollTo({ top, behavior: still.matches ? 'instant' : how });
  }
}

/** @param {import('./lyrics.js').Line} line */
function itemOf({ text }) {
  const item = document.createElement('li');
  // A line without words.
  item.textContent = text || '· · ·';
  item.toggleAttribute('data-rest', !text);
  return item;
}
