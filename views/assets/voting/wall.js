// Keeps the page on the wall as the service would draw it now. While the service is away the page stays, and says so.
import { parsePage, replaceMain } from '../base/replace-main.js';
import { timeout } from '../base/request.js';

const EVERY_MS = 5_000;
const PATIENCE_MS = 10_000;
/** From here on what stands on the wall is called old. */
const OLD_MS = 60_000;

let fresh = Date.now();
/** What the service last drew: the note that it is old is ours. */
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
    // The next round tries again.
  }
  document.querySelector('[data-wall-old]')?.toggleAttribute('hidden', Date.now() - fresh < OLD_MS);
  setTimeout(refresh, EVERY_MS);
}

setTimeout(refresh, EVERY_MS);
