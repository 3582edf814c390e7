// Sends the ballot until the service answers. Sending it again is safe: a second request with the same submission_id
// casts no second ballot.
import { countDown } from '../base/count-down.js';
import { moveFocus, parsePage, replaceMain } from '../base/replace-main.js';
import { timeout } from '../base/request.js';
import { fill, t } from '../base/texts.js';

const LONGEST_WAIT_S = 30;
const ANSWER_WITHIN_MS = 20_000;
const RETRY = new Set([408, 425, 429]);

const found = document.querySelector('form[data-cast]');
if (found instanceof HTMLFormElement) prepare(found);

/** @param {HTMLFormElement} form */
function prepare(form) {
  let sending = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (sending) return;
    sending = true;
    hold(form);
    void cast(form);
  });
}

/**
 * Disables the buttons while the ballot is sent, and warns before the page is left.
 * @param {HTMLFormElement} form
 */
function hold(form) {
  for (const button of document.querySelectorAll('main button')) {
    if (button instanceof HTMLButtonElement) button.disabled = true;
  }
  const button = form.querySelector('button');
  if (button) button.textContent = t('voting.cast.button_sending');
  // eslint-disable-next-line browsers/features -- Safari on iOS leaves without asking.
  addEventListener('beforeunload', warn);
}

/** @param {Event} event */
function warn(event) {
  event.preventDefault();
}

/** @param {HTMLFormElement} form */
async function cast(form) {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  for (let attempt = 0; ; attempt++) {
    const answer = await send(form.action, new URLSearchParams(fields));
    if (answer?.page !== undefined) return show(answer.page, answer.address ?? form.dataset.after);
    const wait = answer?.retryAfter ?? Math.min(2 ** attempt, LONGEST_WAIT_S);
    const stop = countDown(wait, sayWait(answer?.retryAfter === undefined));
    await pause(wait * 1000);
    stop();
  }
}

/**
 * Sends once: a page to show, a time to wait, or undefined if neither is known.
 * @param {string} action
 * @param {URLSearchParams} body
 * @returns {Promise<{ page?: string, address?: string, retryAfter?: number } | undefined>}
 */
async function send(action, body) {
  try {
    const response = await fetch(action, {
      method: 'POST',
      body,
      headers: { Accept: 'text/html' },
      signal: timeout(ANSWER_WITHIN_MS),
    });
    if (response.status >= 500 || RETRY.has(response.status)) {
      const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
      return Number.isNaN(seconds) ? undefined : { retryAfter: Math.max(1, seconds) };
    }
    const page = await response.text();
    return response.redirected ? { page, address: response.url } : { page };
  } catch {
    return undefined;
  }
}

/**
 * Shows when the ballot is sent again. The seconds left are hidden from screen readers.
 * @param {boolean} isUnanswered else the service asked to wait
 * @returns {(left: number) => void}
 */
function sayWait(isUnanswered) {
  const status = document.querySelector('[data-cast-status]');
  if (!status) return () => {};
  status.className = 'cast-status notice notice-attention';
  const when = document.createElement('span');
  when.setAttribute('aria-hidden', 'true');
  status.replaceChildren();
  return (left) =>
    fill(status, { when }, isUnanswered ? 'voting.cast.still_sending' : 'voting.cast.busy', {
      seconds: Math.max(1, left),
    });
}

/**
 * Replaces this page's content with the response's.
 * @param {string} page
 * @param {string | undefined} address
 */
function show(page, address) {
  removeEventListener('beforeunload', warn);
  const main = replaceMain(parsePage(page));
  if (!main) return location.assign(address ?? '/');
  // Not the address of the review page: reloading that would ask to post again.
  if (address) history.replaceState(null, '', address);
  scrollTo(0, 0);
  moveFocus(main.querySelector('h1'));
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    addEventListener('online', resolve, { once: true });
  });
}
