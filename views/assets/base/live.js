// Keeps the data-live parts of a page up to date, and sends data-quiet forms without leaving the page. Polls the whole
// page, so that only one template renders it, every so many seconds as <meta name="live-every"> says.
import { parsePage, replaceMain } from './replace-main.js';
import { formFields, timeout } from './request.js';

const EVERY_MS = 1000 * Number(document.querySelector('meta[name="live-every"]')?.getAttribute('content'));
const PATIENCE_MS = 10_000;
const AWAY = 'The house cannot be reached. What you see may be old; nothing you press is lost in silence.';

/** Grows with every request: a response to an earlier one is ignored. */
let round = 0;
let sending = false;
let timer = 0;
/** The URL to poll: that of a form's response cannot be requested, so pages name it. */
const own = document.querySelector('meta[name="live-at"]')?.getAttribute('content') ?? location.pathname;
/** The HTML last received for each part: other scripts may change it on the page. @type {Map<string, string>} */
const drawn = new Map();

function remember() {
  for (const part of document.querySelectorAll('[data-live]')) drawn.set(part.id, part.innerHTML);
}

function again() {
  clearTimeout(timer);
  if (EVERY_MS > 0) timer = window.setTimeout(refresh, EVERY_MS);
}

async function refresh() {
  again();
  if (document.hidden || sending) return;
  const asked = ++round;
  try {
    const response = await fetch(own + searchToPoll(), request());
    // No longer allowed: show the refusal once instead of polling on.
    if (response.status === 401 || response.status === 403) return location.reload();
    const page = await response.text();
    if (!response.ok) throw new Error();
    // The last message stays until the next action.
    if (asked === round && !sending) show(page, (part) => part.id !== 'said');
    complain();
  } catch {
    complain(AWAY);
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
  const next = parsePage(text);
  if (!next.getElementById('said'))
    return complain(next.querySelector('main [data-what-to-do]')?.textContent ?? AWAY);
  complain();
  if (partsOf(next) !== partsOf(document)) {
    const typed = fieldsOf(document.body).some(
      (field) => field === document.activeElement || isChanged(field),
    );
    return typed ? undefined : showMain(next);
  }
  for (const part of document.querySelectorAll('[data-live]')) {
    const fresh = next.getElementById(part.id);
    if (!fresh || !wanted(part) || fresh.innerHTML === drawn.get(part.id) || isTypedIn(part)) continue;
    const { activeElement } = document;
    const focused = part.contains(activeElement) ? activeElement?.id : undefined;
    const opened = [...part.querySelectorAll('details[open][id]')].map(({ id }) => id);
    /** @type {Map<string, string>} */
    const typed = new Map();
    for (const field of fieldsOf(part)) if (isChanged(field)) typed.set(field.id, field.value);
    drawn.set(part.id, fresh.innerHTML);
    part.replaceChildren(...document.adoptNode(fresh).childNodes);
    for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
    for (const field of fieldsOf(part)) field.value = typed.get(field.id) ?? field.value;
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
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
  if (!sending) void send(form, event.submitter);
});

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function send(form, submitter) {
  const action = (submitter?.hasAttribute('formaction') ? submitter : form).getAttribute(
    submitter?.hasAttribute('formaction') ? 'formaction' : 'action',
  );
  const heading = form.closest('section')?.querySelector('h2[tabindex]') ?? null;
  const body = formFields(form, submitter);
  sending = true;
  round += 1;
  submitter?.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch(action ?? own, request({ method: 'POST', body }));
    const text = await response.text();
    // Show the whole response, so that the user can correct what was entered.
    if (!response.ok && text.includes('id="errors"')) return showMain(parsePage(text));
    if (response.ok) {
      form.reset();
      // After Enter the focused field would keep its part unchanged.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    }
    show(text);
    const said = document.getElementById('said');
    if (!response.ok) said?.scrollIntoView({ block: 'center' });
    if (document.activeElement === document.body) goOnFrom(submitter, heading);
  } catch {
    complain(AWAY);
  } finally {
    sending = false;
    submitter?.removeAttribute('aria-busy');
    again();
  }
}

/**
 * Moves the focus to the button, else to the heading of its section, else to the message.
 * @param {HTMLElement | null} button
 * @param {Element | null} heading
 */
function goOnFrom(button, heading) {
  const there = document.getElementById(button?.id ?? '') ?? heading ?? document.getElementById('said');
  if (there instanceof HTMLElement) there.focus({ preventScroll: there === heading });
}

/** @param {Document} page */
function showMain(page) {
  if (!replaceMain(page)) return;
  remember();
  document.getElementById('errors')?.focus();
  document.dispatchEvent(new Event('live-shown'));
}

/**
 * Shows an error at any scroll position; without a sentence, removes it.
 * @param {string} [sentence]
 */
function complain(sentence) {
  const known = document.getElementById('away');
  if (!sentence) return known?.remove();
  if (known?.textContent === sentence) return;
  known?.remove();
  const words = document.createElement('p');
  words.id = 'away';
  words.className = 'notice notice-attention away';
  words.setAttribute('role', 'alert');
  words.textContent = sentence;
  document.querySelector('main .wrap')?.prepend(words);
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh();
});
remember();
again();
