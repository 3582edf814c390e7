// Keeps the page on the wall up to date. While the service is down the page stays, and says that it is old.
import { parsePage, replaceMain } from '../base/replace-main.js';
import { timeout } from '../base/request.js';
import { t } from '../base/texts.js';
import { fits, onLayout, shrink } from '../tv/fit.js';

const EVERY_MS = Number(document.body.dataset.every ?? 5_000);
const PATIENCE_MS = 10_000;
/** After this time the page is called old. */
const OLD_MS = 60_000;

/** More lines than a wall can show. */
const LINES = 16;

/** Parts of the full size that a long title or outcome and its bars may be shown at. */
const SIZES = [1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58, 0.52];

/** The same of a wall of a meeting, on which little may stand: the last row is read from the whole hall. */
const MEETING_SIZES = [1.7, 1.55, 1.4, 1.25, 1.1, 1];

let fresh = Date.now();
/** The HTML last received, without the note that it is old. */
let drawn = document.querySelector('main')?.innerHTML ?? '';

async function refresh() {
  try {
    const response = await fetch(location.href, {
      headers: { Accept: 'text/html' },
      signal: timeout(PATIENCE_MS),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const next = parsePage(await response.text());
    fresh = Date.now();
    const main = next.querySelector('main')?.innerHTML ?? drawn;
    if (main !== drawn) {
      replaceMain(next);
      fit();
    }
    drawn = main;
  } catch {
    // The next poll tries again.
  }
  document.querySelector('[data-wall-old]')?.toggleAttribute('hidden', Date.now() - fresh < OLD_MS);
  setTimeout(refresh, EVERY_MS);
}

setTimeout(refresh, EVERY_MS);
onLayout(document.documentElement, fit);

function fit() {
  const body = document.querySelector('.wall-body');
  if (!(body instanceof HTMLElement)) return;
  if (document.body.dataset.every === undefined) shrink(body, SIZES);
  else shorten(body);
}

/**
 * The wall of a meeting is as large as what it says allows. It is never smaller than its usual size and shows less
 * instead: less of what follows, fewer lines of the wording, then fewer bars, then no notes, and only then less of the
 * outcome. All of it is on the phones.
 * @param {HTMLElement} body
 */
function shorten(body) {
  const wordings = [...body.querySelectorAll('.wall-wording')];
  const sentences = [...body.querySelectorAll('.wall-outcome, .wall-facts')];
  const more = body.querySelector('[data-wall-more]');
  const bars = [...body.querySelectorAll('.wall-bars li')];
  const beyond = body.querySelector('[data-bars]');
  const rest = [...body.querySelectorAll('.wall-bars, .wall-facts')].filter((part) => part !== beyond);
  const then = [...body.querySelectorAll('.wall-then li, .wall-then')];
  for (const part of [...bars, ...rest, ...then]) part.removeAttribute('hidden');
  more?.setAttribute('hidden', '');
  const show = (/** @type {string} */ lines, parts = wordings) => {
    for (const part of parts) if (part instanceof HTMLElement) part.style.setProperty('--lines', lines);
  };
  show('none');
  // A cut sentence would fit at any size.
  show('none', sentences);
  countBars(beyond, bars);
  shrink(body, MEETING_SIZES);
  for (const part of then.reverse()) if (!fits(body)) part.setAttribute('hidden', '');
  const clamp = () => {
    for (let lines = LINES; wordings.length > 0 && lines > 0 && !fits(body); lines--) {
      more?.removeAttribute('hidden');
      show(String(lines));
    }
  };
  clamp();
  for (const part of [...bars.reverse(), ...rest]) {
    if (fits(body)) break;
    part.setAttribute('hidden', '');
    countBars(beyond, bars);
  }
  for (let lines = LINES; lines > 0 && !fits(body); lines--) show(String(lines), sentences);
  // What is hidden now may have made room for more lines.
  if (more?.hasAttribute('hidden')) return;
  show('none');
  clamp();
}

/**
 * Says how many bars there are beyond those that are shown.
 * @param {Element | null} said
 * @param {readonly Element[]} bars
 */
function countBars(said, bars) {
  if (!(said instanceof HTMLElement)) return;
  const shown = bars.filter((bar) => !bar.hasAttribute('hidden')).length;
  const n = Number(said.dataset.bars) - shown;
  said.hidden = n === 0 || shown === 0;
  said.textContent = t('meetings.wall.and_more', { n });
}
