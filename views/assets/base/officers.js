// On every page of officers and staff, and on others with a form that carries an id.

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
