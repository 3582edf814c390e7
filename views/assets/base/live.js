// Keeps the parts of a page marked data-live as the service would draw them now, and sends forms marked data-quiet
// without leaving the page. The page is asked for as a whole, so there is one place that draws it. How often, in
// seconds, says <meta name="live-every">.
import { parsePage, replaceMain } from './replace-main.js';
import { formFields, timeout } from './request.js';

const EVERY_MS = 1000 * Number(document.querySelector('meta[name="live-every"]')?.getAttribute('content'));
const PATIENCE_MS = 10_000;
const AWAY = 'The house cannot be reached. What you see may be old; nothing you press is lost in silence.';

/** Grows with every form that is sent: an answer that was asked for before is old. */
let round = 0;
let sending = false;
let timer = 0;
/** Where the page is asked for again: the address of the answer to a form is none, so pages say it. */
const own = document.querySelector('meta[name="live-at"]')?.getAttribute('content') ?? location.pathname;
/** What the service last drew of each part: other scripts change what stands on the page. @type {Map<string, string>} */
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
    const response = await fetch(own + location.search.replace(/[?&]done=[^&]*/, ''), request());
    // Whoever may no longer see the page gets the refusal once, not every few seconds.
    if (response.status === 401 || response.status === 403) return location.reload();
    const page = await response.text();
    if (!response.ok) throw new Error();
    // What was just said stays until the next thing is done.
    if (asked === round && !sending) show(page, (part) => part.id !== 'said');
    complain();
  } catch {
    complain(AWAY);
  }
}

/** @param {RequestInit} [more] */
function request(more = {}) {
  return { ...more, headers: { Accept: 'text/html' }, signal: timeout(PATIENCE_MS) };
}

/**
 * Puts the parts of an answer in place of those that differ. What was typed, what was opened and the focus stay; a
 * part in which someone is typing at this moment is left alone.
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
 * What one can type in or choose from.
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
    // A person who typed must be able to put it right: then the page is what the service answers.
    if (!response.ok && text.includes('id="errors"')) return showMain(parsePage(text));
    if (response.ok) {
      form.reset();
      // Whoever pressed Enter still stands in the field that was sent.
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
 * The reader stays at the button, or where it was: at the head of its part, or at what was said.
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
 * Says what is wrong, wherever one has scrolled to; without words nothing is wrong any more.
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
