// On every page of officers and staff, and on others with a form that carries an id.
import { t } from './texts.js';

// A page that is opened with Back is requested again, since no cache may keep it, and its forms then have another id.
// Those that were sent from it get back the id that they were sent with: sent again unchanged, they make nothing twice.

const FIELD = 'input[type="hidden"][name="once"]';

/** The ids of the forms that were sent from this page of the history, by address. @returns {Record<string, string>} */
const sent = () => history.state?.once ?? {};

// Scripts that send a form themselves have said so by now.
addEventListener('submit', (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
  const action = form.getAttribute('action');
  const field = form.querySelector(FIELD);
  if (action === null || !(field instanceof HTMLInputElement)) return;
  history.replaceState({ ...history.state, once: { ...sent(), [action]: field.value } }, '');
});

const [navigation] = performance.getEntriesByType('navigation');
if (navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward')
  for (const [action, id] of Object.entries(sent()))
    for (const form of document.forms) {
      const field = form.getAttribute('action') === action && form.querySelector(FIELD);
      if (field instanceof HTMLInputElement) field.value = id;
    }

// The key `/` opens the search of officers, unless somebody is typing.
addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (key !== '/' || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
  if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]')) return;
  const search = document.querySelector('a.nav-search');
  if (!(search instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  const field = document.querySelector('.search-form input');
  if (field instanceof HTMLInputElement) field.focus();
  else search.click();
});

// Escape folds what the focus is in; in these fields it is the browser's.
addEventListener('keydown', ({ key, target }) => {
  if (key !== 'Escape' || !(target instanceof Element) || target.matches('select, [type=search]')) return;
  const fold = target.closest('details[open]');
  fold?.removeAttribute('open');
  fold?.querySelector('summary')?.focus();
});

// An address may name what is now on another page about the same thing: the link to that page holds its id.
const followAnchor = () => {
  const named = document.getElementById(location.hash.slice(1));
  const link = named?.parentElement;
  if (named instanceof HTMLSpanElement && link instanceof HTMLAnchorElement)
    location.replace(new URL(location.hash, link.href).href);
};
addEventListener('hashchange', followAnchor);
followAnchor();

// The service checks forms, in its own words. What the browser could not read, such as half a date, would be sent as
// nothing: it stops the form, before any other script sends it.
const takeOver = () => {
  for (const form of document.forms) form.noValidate = true;
};
document.addEventListener('main-replaced', takeOver);
takeOver();

addEventListener(
  'submit',
  (event) => {
    const { target, submitter } = event;
    if (!(target instanceof HTMLFormElement)) return;
    // A preview, or taking something back.
    if (submitter instanceof HTMLButtonElement && submitter.formNoValidate) return;
    for (const old of target.querySelectorAll('[data-unread]')) old.remove();
    const unread = [...target.elements].find(
      (field) => field instanceof HTMLInputElement && field.validity.badInput,
    );
    if (!(unread instanceof HTMLInputElement)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const said = document.createElement('p');
    said.className = 'error-text';
    said.setAttribute('role', 'alert');
    said.dataset.unread = '';
    said.textContent = t(UNREAD[unread.type] ?? 'common.unread.number');
    unread.before(said);
    unread.focus();
  },
  true,
);

/** @type {Record<string, 'common.unread.date' | 'common.unread.time' | 'common.unread.date_and_time' | 'common.unread.month'>} */
const UNREAD = {
  date: 'common.unread.date',
  time: 'common.unread.time',
  'datetime-local': 'common.unread.date_and_time',
  month: 'common.unread.month',
};
