// Lyrics on a page: the lines of a song one below the other, the one that is sung in the middle of its box.

/** For so long a reader who moved the lines is left alone. */
const READING_MS = 6_000;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Shows lines in a box that scrolls. @returns what puts a line into the middle; it may be called as often as one likes
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
  // Another size of the box is another middle.
  new ResizeObserver(() => centre('instant')).observe(box);

  /**
   * @param {import('./lyrics.js').Line[]} lines
   * @param {number} line The index of the one that is sung; -1 before the first
   */
  return (lines, line) => {
    if (lines !== shown) {
      shown = lines;
      current = -2;
      list.replaceChildren(...lines.map(itemOf));
    }
    if (line === current) return;
    // A line further is a step; anything else is a jump.
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
  // Nobody sings: the music has the line to itself.
  item.textContent = text || '· · ·';
  item.toggleAttribute('data-rest', !text);
  return item;
}
