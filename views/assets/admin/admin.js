// For every officer page: typed confirmations, the print button, turnout updates, and pages opened by key.
import { followByKey } from './api-key.js';
import { watchTurnout } from './turnout.js';

const key = document.querySelector('meta[name="admin-api-key"]')?.getAttribute('content');
/** @type {Record<string, string>} */
const headers = key ? { Authorization: `Bearer ${key}` } : {};

function start() {
  for (const button of document.querySelectorAll('[data-print][hidden]')) button.removeAttribute('hidden');
}

document.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('[data-print]')) print();
});

// The server checks the word too; here a mistyped word is caught before anything is sent.
document.addEventListener('input', (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement)) return;
  const word = field.form?.dataset.confirm;
  if (word === undefined) return;
  field.setCustomValidity(field.value.trim() === word ? '' : `Type “${word}” exactly as shown.`);
});

document.addEventListener('main-replaced', start);
start();
document.getElementById('errors')?.focus();
watchTurnout(headers);
if (key) followByKey(headers);
