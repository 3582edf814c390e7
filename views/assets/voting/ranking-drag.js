// Dragging a row of the ranked ballot by its handle. The row follows the finger by a transform and stays where
// it is in the document; a gap opens where it would land; only letting go moves it. So a drag that is
// cancelled changes nothing, and touch events keep their target.

const EDGE = 72;
const FASTEST = 14;

/**
 * @typedef {object} Lists
 * @property {HTMLElement} placed the ranking
 * @property {HTMLElement} end what is below the ranking: past its top there is no rank
 * @property {(index: number | null) => void} drop takes the place in the ranking, or null for none
 */

/**
 * @param {HTMLElement} row
 * @param {Lists} lists
 */
export function makeDraggable(row, lists) {
  const handle = row.querySelector('.rank-handle');
  if (!(handle instanceof HTMLElement)) return;
  handle.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    drag(row, lists, event);
  });
}

/**
 * @param {HTMLElement} row
 * @param {Lists} lists
 * @param {PointerEvent} first
 */
function drag(row, { placed, end: below, drop }, first) {
  const gap = document.createElement('li');
  gap.className = 'rank-gap';
  gap.setAttribute('role', 'presentation');
  gap.style.height = `${row.offsetHeight}px`;
  const grip = first.clientY - row.getBoundingClientRect().top;
  const listening = new AbortController();
  const { signal } = listening;
  let y = first.clientY;
  let carried = 0;
  let frame = requestAnimationFrame(follow);
  /** @type {number | null | undefined} */
  let target;
  row.classList.add('rank-dragging');

  addEventListener('pointermove', onMove, { signal });
  addEventListener('pointerup', (event) => event.pointerId === first.pointerId && end(true), { signal });
  addEventListener('pointercancel', (event) => event.pointerId === first.pointerId && end(false), { signal });
  addEventListener('blur', () => end(false), { signal });
  addEventListener('keydown', (event) => event.key === 'Escape' && end(false), { signal });

  /** @param {PointerEvent} event */
  function onMove(event) {
    if (event.pointerId === first.pointerId) y = event.clientY;
  }

  /** Each frame: scroll near an edge, carry the row, show where it would land. */
  function follow() {
    if (y < EDGE) scrollBy(0, -FASTEST * (1 - Math.max(0, y) / EDGE));
    else if (y > innerHeight - EDGE) scrollBy(0, FASTEST * (1 - Math.max(0, innerHeight - y) / EDGE));
    aim();
    // From its current position: scrolling and the gap both move it.
    carried = y - grip - (row.getBoundingClientRect().top - carried);
    row.style.transform = `translateY(${carried}px)`;
    frame = requestAnimationFrame(follow);
  }

  function aim() {
    if (y > below.getBoundingClientRect().top) {
      target = null;
      gap.remove();
      return;
    }
    placed.hidden = false;
    const others = [...placed.children].filter((other) => other !== row && other !== gap);
    const index = others.findIndex((other) => {
      const { top, height } = other.getBoundingClientRect();
      return y < top + height / 2;
    });
    target = index === -1 ? others.length : index;
    if (target === place()) return gap.remove();
    const next = others[target] ?? null;
    if (gap.parentElement !== placed || gap.nextElementSibling !== next) placed.insertBefore(gap, next);
  }

  /** Where the row is in the ranking; null when it has no rank. */
  function place() {
    return placed.contains(row) ? [...placed.children].filter((other) => other !== gap).indexOf(row) : null;
  }

  /** @param {boolean} dropped */
  function end(dropped) {
    listening.abort();
    cancelAnimationFrame(frame);
    const carriedTo = row.getBoundingClientRect().top;
    gap.remove();
    row.style.transform = '';
    row.classList.remove('rank-dragging');
    placed.hidden = placed.children.length === 0;
    if (dropped && target !== undefined && target !== place()) drop(target);
    settle(row, carriedTo);
  }
}

/**
 * Animates a row from where it was dropped to its place, except with reduced motion.
 * @param {HTMLElement} row
 * @param {number} from
 */
function settle(row, from) {
  for (const animation of row.getAnimations()) animation.cancel();
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const offset = from - row.getBoundingClientRect().top;
  row.animate([{ transform: `translateY(${offset}px)` }, { transform: 'none' }], {
    duration: 160,
    easing: 'ease-out',
  });
}
