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
