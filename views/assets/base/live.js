// Keeps the data-live parts of a page up to date, and sends data-quiet forms without leaving the page. Polls the whole
// page, so that only one template renders it, every so many seconds as <meta name="live-every"> says.
import { complain, parsePage, released, replaceMain } from './replace-main.js';
import { formFields, markupOf, timeout } from './request.js';
import { keepingPlace, rememberPlaces } from './tap-guard.js';
import { NO_ANSWER, tapQueue } from './taps.js';
import { t } from './texts.js';

const EVERY_MS = 1000 * Number(document.querySelector('meta[name="live-every"]')?.getAttribute('content'));
const PATIENCE_MS = 10_000;
const away = () => t('common.live.away');

/** Grows with every request: a response to an earlier one is ignored. */
let round = 0;
let timer = 0;
/** The URL to poll: that of a form's response cannot be requested, so pages name it. */
const own = document.querySelector('meta[name="live-at"]')?.getAttribute('content') ?? location.pathname;
/** The HTML last received for each part: other scripts may change it on the page. @type {Map<string, string>} */
const drawn = new Map();
const queue = tapQueue(own, deliver);

function remember() {
  for (const part of document.querySelectorAll('[data-live]')) drawn.set(part.id, markupOf(part));
}

function again() {
  clearTimeout(timer);
  if (EVERY_MS > 0) timer = window.setTimeout(refresh, EVERY_MS);
}

async function refresh() {
  again();
  if (document.hidden || queue.busy()) return;
  const asked = ++round;
  try {
    const response = await fetch(own + searchToPoll(), request());
    // No longer allowed: show the refusal once instead of polling on.
    if (response.status === 401 || response.status === 403) return location.reload();
    const page = await response.text();
    if (!response.ok) throw new Error();
    await released();
    // The last message stays until the next action.
    if (asked === round && !queue.busy()) show(page, (part) => part.id !== 'said');
    complain();
  } catch {
    complain(away());
  }
}

/** The query of this page without the message of the last action. */
function searchToPoll() {
  const query = new URLSearchParams(location.search);
  query.delete('done');
  const rest = query.toString();
  return rest && `?${rest}`;
}

/** @param {RequestInit} [more] */
function request(more = {}) {
  return { ...more, headers: { Accept: 'text/html' }, signal: timeout(PATIENCE_MS) };
}

/**
 * Replaces the parts that differ in a response. Typed text, opened details and the focus are kept; a part with a
 * focused field is skipped.
 * @param {string} text
 * @param {(part: Element) => boolean} wanted
 */
function show(text, wanted = () => true) {
  rememberPlaces();
  keepingPlace(() => showParts(parsePage(text), wanted));
}

/** @param {Document} next @param {(part: Element) => boolean} wanted */
function showParts(next, wanted) {
  if (!next.getElementById('said'))
    return complain(next.querySelector('main [data-what-to-do]')?.textContent ?? away());
  complain();
  if (partsOf(next) !== partsOf(document)) {
    const typed = fieldsOf(document.body).some(
      (field) => field === document.activeElement || isChanged(field),
    );
    return typed ? undefined : showMain(next);
  }
  for (const part of document.querySelectorAll('[data-live]')) {
    const fresh = next.getElementById(part.id);
    if (!fresh || !wanted(part) || markupOf(fresh) === drawn.get(part.id) || isTypedIn(part)) continue;
    const { activeElement } = document;
    const focused = part.contains(activeElement) ? activeElement?.id : undefined;
    const opened = [...part.querySelectorAll('details[open][id]')].map(({ id }) => id);
    /** @type {Map<string, string>} */
    const typed = new Map();
    for (const field of fieldsOf(part)) if (isChanged(field)) typed.set(field.id, field.value);
    drawn.set(part.id, markupOf(fresh));
    part.replaceChildren(...document.adoptNode(fresh).childNodes);
    for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
    for (const field of fieldsOf(part)) field.value = typed.get(field.id) ?? field.value;
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
  queue.redraw();
  document.dispatchEvent(new Event('live-shown'));
}

/** @param {Document} page */
const partsOf = (page) => [...page.querySelectorAll('[data-live]')].map(({ id }) => id).join();

/**
 * The fields of a part, except hidden inputs.
 * @param {Element} part
 * @returns {(HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement)[]}
 */
function fieldsOf(part) {
  return [...part.querySelectorAll('input:not([type=hidden]), textarea, select')].filter(
    (field) =>
      field instanceof HTMLInputElement ||
      field instanceof HTMLTextAreaElement ||
      field instanceof HTMLSelectElement,
  );
}

/** @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((one) => one.selected !== one.defaultSelected);
  return field.value !== field.defaultValue;
}

/** @param {Element} part */
function isTypedIn(part) {
  return fieldsOf(part).some((field) => field === document.activeElement);
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute('data-quiet') || event.defaultPrevented)
    return;
  event.preventDefault();
  const { submitter } = event;
  const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? own;
  send(action, { form, submitter });
});

/**
 * Sends a form after those that are waiting.
 * @param {string} action
 * @param {{ form: HTMLFormElement, submitter: HTMLElement | null }} from
 */
export function send(action, { form, submitter }) {
  const spot = submitter ?? form;
  const heading = form.closest('section')?.querySelector('h2[tabindex]')?.id;
  round += 1;
  queue.add({
    action,
    spot: spot.id,
    ...(heading && { heading }),
    fields: [...formFields(form, submitter)],
    words: (spot.getAttribute('aria-label') ?? spot.textContent ?? '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 80),
  });
}

/**
 * Sends one tap, and shows the page that answers it.
 * @param {import('./taps.js').Tap} tap
 * @returns {Promise<import('./taps.js').Result>}
 */
async function deliver({ action, fields, spot, heading }) {
  round += 1;
  const { signal, ...rest } = request({ method: 'POST', body: new URLSearchParams(fields) });
  try {
    const response = await fetch(action, { ...rest, signal });
    const text = await response.text();
    await released();
    // Show the whole response, so that the user can correct what was entered.
    if (!response.ok && text.includes('id="errors"')) {
      showMain(parsePage(text));
      return { refused: t('common.live.correct_it') };
    }
    const button = document.getElementById(spot || '-');
    if (response.ok) {
      if (button instanceof HTMLButtonElement) button.form?.reset();
      // After Enter the focused field would keep its part unchanged.
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && activeElement !== button) activeElement.blur();
    }
    show(text);
    const said = document.getElementById('said');
    if (!response.ok) said?.scrollIntoView({ block: 'center' });
    if (document.activeElement === document.body) goOnFrom(spot, document.getElementById(heading ?? '-'));
    if (response.ok) return { done: true };
    if (response.status === 401) return { lost: t('common.live.sign_in_again') };
    return { refused: said?.querySelector('p:last-of-type')?.textContent ?? '' };
  } catch {
    complain(away());
    return { lost: signal?.aborted ? NO_ANSWER : '' };
  } finally {
    again();
  }
}

/**
 * Moves the focus to the button, else to the heading of its section, else to the message.
 * @param {string} spot the id of the button
 * @param {Element | null} heading
 */
function goOnFrom(spot, heading) {
  const there = document.getElementById(spot || '-') ?? heading ?? document.getElementById('said');
  if (there instanceof HTMLElement) there.focus({ preventScroll: there === heading });
}

/** @param {Document} page */
function showMain(page) {
  if (!replaceMain(page)) return;
  remember();
  queue.redraw();
  document.getElementById('errors')?.focus();
  document.dispatchEvent(new Event('live-shown'));
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh();
});
remember();
again();
