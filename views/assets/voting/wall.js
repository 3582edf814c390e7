// Keeps the page on the wall up to date. While the service is down the page stays, and says that it is old.
import { parsePage, replaceMain } from '../base/replace-main.js';
import { timeout } from '../base/request.js';

const EVERY_MS = 5_000;
const PATIENCE_MS = 10_000;
/** After this time the page is called old. */
const OLD_MS = 60_000;

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
    if (main !== drawn) replaceMain(next);
    drawn = main;
  } catch {
    // The next poll tries again.
  }
  document.querySelector('[data-wall-old]')?.toggleAttribute('hidden', Date.now() - fresh < OLD_MS);
  setTimeout(refresh, EVERY_MS);
}

setTimeout(refresh, EVERY_MS);
