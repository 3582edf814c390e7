// For every officer page: the print button, turnout updates, and pages opened by key.
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

document.addEventListener('main-replaced', start);
start();
document.getElementById('errors')?.focus();
watchTurnout(headers);
if (key) followByKey(headers);
