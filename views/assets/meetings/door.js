// The door without a network: whoever is checked in meanwhile waits in this browser, and is sent when the network is
// back. The door of somebody else may have checked in the same person: such a conflict is named.
import { parsePage, released, replaceMain } from '../base/replace-main.js';
import { formFields, timeout } from '../base/request.js';

/** @typedef {{ name: string, fields: [string, string][] }} Waiting */
/** @typedef {{ name: string, error: string }} Conflict */

const PATIENCE_MS = 8_000;
const RETRY_MS = 5_000;
const KEY = `door ${location.pathname}`;

/** @type {{ waiting: Waiting[], conflicts: Conflict[] }} */
let kept = read();
let isSending = false;

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '') ?? { waiting: [], conflicts: [] };
  } catch {
    return { waiting: [], conflicts: [] };
  }
}

/** @param {Partial<typeof kept>} changed */
function keep(changed) {
  kept = { ...kept, ...changed };
  try {
    if (kept.waiting.length + kept.conflicts.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage it is kept as long as the page is open.
  }
  show();
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches('.door-row form[data-door]')) return;
  event.preventDefault();
  void pass(form, event.submitter);
});

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function pass(form, submitter) {
  const fields = formFields(form, submitter);
  const name = form.dataset.door ?? '';
  // While others wait, the order is kept.
  if (kept.waiting.length > 0) return wait(name, fields);
  try {
    const answer = await post(fields, 'text/html');
    if (answer.status >= 500) throw new Error(String(answer.status));
    const text = await answer.text();
    await released();
    replaceMain(parsePage(text));
    scrollTo({ top: 0 });
  } catch {
    wait(name, fields);
  }
}

/**
 * @param {string} name
 * @param {URLSearchParams} fields
 */
function wait(name, fields) {
  keep({ waiting: [...kept.waiting, { name, fields: [...fields] }] });
}

/**
 * @param {URLSearchParams} body
 * @param {string} accept
 */
const post = (body, accept) =>
  fetch(location.pathname, { method: 'POST', body, headers: { accept }, signal: timeout(PATIENCE_MS) });

/** Sends what waits, one after the other; stops at the first that does not arrive. */
async function send() {
  if (isSending || kept.waiting.length === 0) return;
  isSending = true;
  try {
    for (let [first] = kept.waiting; first; [first] = kept.waiting) {
      const answer = await post(new URLSearchParams(first.fields), 'application/json');
      if (answer.status >= 500) return;
      const { error = '' } = answer.ok ? {} : await answer.json();
      const conflict = answer.ok ? [] : [{ name: first.name, error }];
      keep({ waiting: kept.waiting.slice(1), conflicts: [...kept.conflicts, ...conflict] });
    }
    const page = await fetch(location.href, { signal: timeout(PATIENCE_MS) });
    const text = await page.text();
    await released();
    if (page.ok) replaceMain(parsePage(text));
  } catch {
    // It is tried again.
  } finally {
    isSending = false;
  }
}

/** Marks the rows of those who wait, and says how many wait and what conflicts. */
function show() {
  for (const row of document.querySelectorAll('.door-row[data-person]')) {
    const own = kept.waiting.filter(({ fields }) =>
      fields.some(([name, value]) => name === 'person_id' && value === row.getAttribute('data-person')),
    );
    const note = row.querySelector('[data-waits]');
    const [action = ''] = own.flatMap(({ fields }) =>
      fields.flatMap(([name, value]) => (name === 'action' ? value : [])),
    );
    if (note instanceof HTMLElement) note.hidden = own.length === 0;
    if (note)
      note.textContent = { in: 'In, not sent yet', out: 'Has left, not sent yet' }[action] ?? 'Not sent yet';
    for (const button of row.querySelectorAll('button')) button.disabled = own.length > 0;
  }
  const offline = document.querySelector('[data-offline]');
  if (offline instanceof HTMLElement) {
    offline.hidden = kept.waiting.length === 0;
    const count = offline.querySelector('[data-count]');
    if (count) count.textContent = String(kept.waiting.length);
  }
  const conflicts = document.querySelector('[data-conflicts]');
  if (!(conflicts instanceof HTMLElement)) return;
  conflicts.hidden = kept.conflicts.length === 0;
  const list = conflicts.querySelector('ul');
  list?.replaceChildren(
    ...kept.conflicts.map(({ name, error }) => {
      const item = document.createElement('li');
      item.textContent = `${name}: ${error}`;
      return item;
    }),
  );
}

document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-settled]')) keep({ conflicts: [] });
});
document.addEventListener('main-replaced', show);
addEventListener('online', () => void send());
setInterval(() => void send(), RETRY_MS);
show();
void send();
