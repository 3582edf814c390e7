// Follows a meeting: shows what the chair does without a page load, by the stream or, while that fails, by polling.
import { parsePage, replaceMain } from '../base/replace-main.js';
import { timeout } from '../base/request.js';

const POLL_MS = 3_000;
const PATIENCE_MS = 10_000;

const address = document.querySelector('[data-follow]')?.getAttribute('data-follow') ?? '';
let isFirst = true;
let busy = false;
let again = false;

async function refresh() {
  if (isTyping()) return;
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  try {
    const response = await fetch(location.href.split('#')[0] ?? '', {
      headers: { Accept: 'text/html' },
      signal: timeout(PATIENCE_MS),
    });
    if (response.ok) replaceMain(parsePage(await response.text()));
    openBallot();
  } catch {
    // The next event or poll tries again.
  }
  busy = false;
  if (again) {
    again = false;
    void refresh();
  }
}

/** Whoever types, or has opened a form, is not disturbed. */
function isTyping() {
  const { activeElement } = document;
  return (
    (activeElement instanceof HTMLInputElement && activeElement.value !== '') ||
    activeElement instanceof HTMLTextAreaElement ||
    document.querySelector('main details[open] form') !== null
  );
}

/** The ballot is shown as soon as voting opens. */
function openBallot() {
  const ballot = document.querySelector('a[data-ballot]');
  if (ballot instanceof HTMLAnchorElement) location.assign(ballot.href);
}

const source = new EventSource(address);
source.addEventListener('meeting', () => {
  if (!isFirst) void refresh();
  isFirst = false;
});
setInterval(() => {
  if (source.readyState !== EventSource.OPEN) void refresh();
}, POLL_MS);

let shownAt = Date.now();
document.addEventListener('main-replaced', () => {
  shownAt = Date.now();
});
// Counts down without asking the service.
setInterval(() => {
  for (const part of document.querySelectorAll('[data-left]')) {
    const seconds = Math.max(
      0,
      Math.ceil((Number(part.getAttribute('data-left')) - (Date.now() - shownAt)) / 1_000),
    );
    part.textContent = seconds <= 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  }
}, 1_000);
