// Keeps the page on the wall up to date. While the service is down the page stays, and says that it is old.
import { parsePage, replaceMain } from '../base/replace-main.js';
import { timeout } from '../base/request.js';
import { fits, onLayout, shrink } from '../tv/fit.js';

const EVERY_MS = Number(document.body.dataset.every ?? 5_000);
const PATIENCE_MS = 10_000;
/** After this time the page is called old. */
const OLD_MS = 60_000;

/** More lines than a wall can show. */
const LINES = 16;

/** Parts of the full size that a long title or outcome and its bars may be shown at. */
const SIZES = [1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58, 0.52];

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
 * The wall of a meeting keeps its size, and shows less: fewer lines of the wording, then fewer bars, then no notes. All
 * of it is on the phones.
 * @param {HTMLElement} body
 */
function shorten(body) {
  const wording = body.querySelector('.wall-wording');
  const more = body.querySelector('[data-wall-more]');
  const bars = [...body.querySelectorAll('.wall-bars li')];
  const rest = [...body.querySelectorAll('.wall-bars, .wall-facts')];
  for (const part of [...bars, ...rest]) part.removeAttribute('hidden');
  more?.setAttribute('hidden', '');
  if (wording instanceof HTMLElement) {
    wording.style.setProperty('--lines', 'none');
    for (let lines = LINES; lines > 0 && !fits(body); lines--) {
      more?.removeAttribute('hidden');
      wording.style.setProperty('--lines', String(lines));
    }
  }
  for (const part of [...bars.reverse(), ...rest]) if (!fits(body)) part.setAttribute('hidden', '');
}
