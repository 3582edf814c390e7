// Moves a record of a list up or down without a page load: the page keeps its place below the finger, and the focus its button.
import { complain, moveFocus, parsePage, released, replaceMain } from '../base/replace-main.js';
import { formFields, timeout } from '../base/request.js';
import { t } from '../base/texts.js';

const WAIT_MS = 15_000;

/** One after the other: each answer shows the order that the next press is about. */
let sending = Promise.resolve();

addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-move]')) return;
  event.preventDefault();
  const [action, button] = [form.action, submitter?.id ?? ''];
  const body = formFields(form, submitter);
  sending = sending.then(() => send(action, body, button));
});

/**
 * @param {string} action
 * @param {URLSearchParams} body
 * @param {string} button the id of the pressed one
 */
async function send(action, body, button) {
  try {
    const response = await fetch(action, {
      method: 'POST',
      body,
      headers: { Accept: 'text/html' },
      signal: timeout(WAIT_MS),
    });
    if (!response.ok) throw new Error(String(response.status));
    const next = parsePage(await response.text());
    await released();
    const before = document.getElementById(button)?.getBoundingClientRect().top ?? 0;
    if (!replaceMain(next)) return;
    history.replaceState(history.state, '', response.url);
    const pressed = document.getElementById(button);
    if (!(pressed instanceof HTMLButtonElement)) return;
    // At the end of the way the other button is left.
    moveFocus(pressed.disabled ? pressed.form?.querySelector('button:enabled') : pressed);
    scrollBy(0, pressed.getBoundingClientRect().top - before);
  } catch {
    complain(t('content-admin.list.not_moved'));
  }
}
