// The door without a network: whoever is checked in meanwhile waits in this browser, and is sent when the network is
// back. The door of somebody else may have done otherwise with the same person: each such case is named, with the number
// of cards that were handed out too many.
import { moveFocus, parsePage, released, replaceMain } from '../base/replace-main.js';
import { formFields, randomId, timeout } from '../base/request.js';
import { t } from '../base/texts.js';

/**
 * A press that waits. `cards` are those that its button named, `at` is when it was pressed.
 * @typedef {{ name: string, press: string, at: number, cards: Record<string, number>, handed?: string, fields: [string, string][] }} Waiting
 */
/** @typedef {{ press: string, said: string, more: number }} Conflict */

const PATIENCE_MS = 8_000;
const RETRY_MS = 5_000;
const HEARD_MS = 20_000;
/** The address of the door, also where the answer of another form of its page stands at an address of its own. */
const PATH = location.pathname.replace(/^(\/admin\/meetings\/[^/]+)\/.*$/, '$1/door');
const KEY = `door ${PATH}`;
/** The answers after which a press is over: it happened, or it is refused for good. */
const SETTLED = [200, 400, 404, 409];

/** @type {{ waiting: Waiting[], conflicts: Conflict[] }} */
let kept = read();
/** The rows of those who were let in here last, the newest first: only there a check-in is taken back with one tap. */
/** @type {Map<string, Element>} */
let last = new Map();
const LAST = 3;
let isSending = false;
let isSignedOut = false;

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
  if (!(form instanceof HTMLFormElement)) return;
  if (form.matches('form[data-door]')) void pass(form, event.submitter);
  else if (form.matches('form.door-search')) void search(form);
  else return;
  event.preventDefault();
});

// The rows of this page follow each letter; the search itself looks at the whole roll.
document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.matches('.door-search input'))) return;
  note(showMatching(target.value) === 0 ? t('meetings-admin.door_page.nobody') : '');
});

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function pass(form, submitter) {
  const fields = formFields(form, submitter);
  const press = randomId();
  fields.append('press', press);
  const name = form.dataset.door || (fields.get('guest') ?? '');
  const one = {
    name,
    press,
    at: Date.now(),
    cards: JSON.parse(form.dataset.cards ?? '{}'),
    handed: form.dataset.handed ?? '',
    fields: [...fields],
  };
  // A check-in without network hands a card to people alone who have no other way to vote.
  const isAlone = form.dataset.alone !== undefined;
  // While others wait, the order is kept.
  if (kept.waiting.length > 0) {
    endSearch();
    return isAlone ? wait(one) : refuse(name);
  }
  const buttons = rowOf(form)?.querySelectorAll('button') ?? [];
  for (const button of buttons) button.disabled = true;
  try {
    const answer = await post(fields, 'text/html');
    if (!SETTLED.includes(answer.status) || answer.redirected) throw new Error(String(answer.status));
    const person = fields.get('person_id') ?? '';
    const row = rowOf(form);
    last.delete(person);
    if (answer.ok && fields.get('action') === 'in' && row) last = new Map([[person, row], ...last]);
    await showPage(await answer.text());
    endSearch();
    scrollTo({ top: 0 });
    // The next one is at the door.
    moveFocus(document.querySelector('.door-search input'));
    hear();
  } catch {
    for (const button of buttons) button.disabled = false;
    form.reset();
    endSearch();
    if (isAlone) wait(one);
    else refuse(name);
  }
}

/** After a press the next one is looked for, among everybody. */
function endSearch() {
  const field = document.querySelector('.door-search input');
  if (field instanceof HTMLInputElement) field.value = '';
  for (const row of document.querySelectorAll('.door-row[data-person]')) row.removeAttribute('hidden');
  note('');
  const here = new URL(location.href);
  for (const name of ['q', 'done', 'returned', 'unknown', 'replaced']) here.searchParams.delete(name);
  history.replaceState(null, '', here);
}

/** @param {Element} inside */
const rowOf = (inside) => inside.closest('.door-row');

/** Puts those who were let in last above the others, with their new rows where the page has them. */
function showLast() {
  const list = document.querySelector('[data-last]');
  if (!(list instanceof HTMLElement)) return;
  last = new Map([...last].slice(0, LAST));
  for (const [person, kept] of last) {
    const row = document.querySelector(`.door-row[data-person="${CSS.escape(person)}"]`);
    // What a search has found stays where it is.
    if (row && !row.closest('[data-last], [data-here]')) continue;
    const shown = row ?? kept;
    shown.querySelector('[data-undoing]')?.removeAttribute('hidden');
    last.set(person, shown);
    list.append(shown);
  }
  list.hidden = list.children.length === 0;
}

/** Says that somebody waits for the network. @param {string} name */
function refuse(name) {
  const note = document.querySelector('[data-refused]');
  if (!(note instanceof HTMLElement)) return;
  note.hidden = false;
  const place = note.querySelector('[data-name]');
  if (place) place.textContent = name;
  scrollTo({ top: 0 });
}

/** Shows another state of this page, once nothing is pressed. @param {string} text */
async function showPage(text) {
  const page = parsePage(text);
  // The page of somebody else, such as a proxy, is no answer.
  if (!page.querySelector('main .door-search, main [data-offline]')) throw new Error('another page');
  await released();
  replaceMain(page);
}

/** @param {Waiting} one */
const wait = (one) => keep({ waiting: [...kept.waiting, one] });

/**
 * Takes back the last press for somebody that waits. It may have arrived, so it is taken back after it.
 * @param {Waiting} one
 * @param {boolean} isBack whether the card that was handed out is back
 */
function undo({ name, press: undoes, fields }, isBack) {
  const press = randomId();
  const others = fields.filter(([field]) => !['action', 'press', 'gave_back'].includes(field));
  wait({
    name,
    press,
    at: Date.now(),
    cards: {},
    fields: [
      ...others,
      ['action', 'undo'],
      ['gave_back', String(isBack)],
      ['press', press],
      ['undoes', undoes],
    ],
  });
}

/**
 * @param {URLSearchParams} body
 * @param {string} accept
 */
const post = (body, accept) =>
  fetch(PATH, { method: 'POST', body, headers: { accept }, signal: timeout(PATIENCE_MS) });

/** Shows the page of a search; without network it looks in the people of this page. @param {HTMLFormElement} form */
async function search(form) {
  const fields = formFields(form, null);
  const address = `${form.action}?${fields}`;
  try {
    const page = await fetch(address, { headers: { accept: 'text/html' }, signal: timeout(PATIENCE_MS) });
    if (page.redirected && kept.waiting.length === 0) return location.assign(address);
    if (!page.ok || page.redirected) throw new Error(String(page.status));
    await showPage(await page.text());
    history.replaceState(null, '', address);
  } catch {
    document.querySelector('[data-here]')?.setAttribute('open', '');
    const found = showMatching(fields.get('q') ?? '');
    note(t('meetings-admin.door_page.no_connection', { n: found }));
  }
}

/** Says what a search has found; nothing hides the line. @param {string} text */
function note(text) {
  const line = document.querySelector('[data-searched]');
  if (!(line instanceof HTMLElement)) return;
  line.hidden = text === '';
  line.textContent = text;
}

/** Hides the people of this page who do not match. @param {string} typed @returns how many match */
function showMatching(typed) {
  const words = plain(typed).split(' ');
  let found = 0;
  for (const row of document.querySelectorAll('.door-row[data-person]')) {
    const text = row.getAttribute('data-find') ?? '';
    const fits = words.every((word) => text.includes(word));
    if (row instanceof HTMLElement) row.hidden = !fits;
    if (fits) found += 1;
  }
  return found;
}

/** As the rows have it: without accents, and the number of an invitation without its dash. @param {string} text */
const plain = (text) =>
  text
    .trim()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^(\d{4})[\s-]?(\d{4})$/, '$1$2')
    .replace(/\s+/g, ' ');

/** Sends what waits, one after the other; stops at the first that does not arrive. */
async function send() {
  if (isSending || kept.waiting.length === 0) return;
  isSending = true;
  try {
    for (let [first] = kept.waiting; first; [first] = kept.waiting) {
      const ago = String(Math.max(0, Math.round((Date.now() - (first.at ?? Date.now())) / 1_000)));
      const answer = await post(new URLSearchParams([...first.fields, ['ago', ago]]), 'application/json');
      if (answer.redirected) return;
      isSignedOut = answer.status === 401 || answer.status === 403;
      if (!SETTLED.includes(answer.status)) return;
      settle(first, answer.ok, await answer.json());
    }
    const page = await fetch(location.pathname === PATH ? location.href : PATH, {
      headers: { accept: 'text/html' },
      signal: timeout(PATIENCE_MS),
    });
    if (page.ok && !page.redirected) await showPage(await page.text());
  } catch {
    // It is tried again.
  } finally {
    isSending = false;
    show();
  }
}

/**
 * @param {Waiting} first
 * @param {boolean} isDone
 * @param {{ error?: string } & Partial<import('#meetings/door/press.ts').DoorAnswer>} answer
 */
function settle({ name, press, cards = {}, fields }, isDone, { error = '', cards: right = {}, repeated }) {
  const { action, undoes } = Object.fromEntries(fields);
  /** @type {Conflict[]} */
  const found = [];
  const add = (/** @type {string} */ said, /** @type {number} */ more) => found.push({ press, said, more });
  const given = sum(cards);
  // Nobody is in: that is what the undo wanted.
  if (!isDone && action !== 'undo') add(t('meetings-admin.door_page.refused', { name, error }), given);
  if (isDone && action === 'in' && !repeated)
    for (const own of new Set([...Object.keys(cards), ...Object.keys(right)])) {
      const [had, due] = [cards[own] ?? 0, right[own] ?? 0];
      if (had !== due)
        add(
          t('meetings-admin.door_page.other_cards', { name, had, class: own, due }),
          Math.max(0, had - due),
        );
    }
  const others = kept.conflicts.filter((one) => one.press !== undoes);
  keep({ waiting: kept.waiting.slice(1), conflicts: [...others, ...found] });
}

/** @param {Record<string, number>} cards */
const sum = (cards) => Object.values(cards).reduce((all, one) => all + one, 0);

/** @type {Record<string, (cards: string) => string>} */
const WAITS = {
  in: (cards) =>
    cards === '' ? t('meetings-admin.door_page.in_no_card') : t('meetings-admin.door_page.in', { cards }),
  out: () => t('meetings-admin.door_page.out'),
  card: () => t('meetings-admin.door_page.card'),
  undo: () => t('meetings-admin.door_page.undo'),
};

/** The last press for somebody that waits and was not taken back. @param {string | null} person */
function waitingOf(person) {
  const has = (/** @type {Waiting} */ one, /** @type {string} */ field) =>
    one.fields.find(([name]) => name === field)?.[1];
  const own = kept.waiting.filter((one) => has(one, 'person_id') === person);
  const taken = new Set(own.map((one) => has(one, 'undoes')));
  const [last] = own.filter((one) => has(one, 'undoes') === undefined && !taken.has(one.press)).slice(-1);
  return last && { last, action: has(last, 'action') ?? '' };
}

/** Marks the rows of those who wait, and says how many wait and what conflicts. */
function show() {
  for (const row of document.querySelectorAll('.door-row[data-person]')) {
    const waits = waitingOf(row.getAttribute('data-person'));
    const note = row.querySelector('[data-waits]');
    if (note instanceof HTMLElement) {
      note.hidden = waits === undefined;
      note.textContent = waits === undefined ? '' : (WAITS[waits.action]?.(waits.last.handed ?? '') ?? '');
    }
    for (const form of row.querySelectorAll('form')) form.hidden = waits !== undefined;
    for (const back of row.querySelectorAll('[data-undo]'))
      if (back instanceof HTMLElement)
        back.hidden =
          waits === undefined ||
          waits.action === 'undo' ||
          (back.dataset.undo === 'back' && Object.keys(waits.last.cards).length === 0);
  }
  const offline = document.querySelector('[data-offline]');
  if (offline instanceof HTMLElement) {
    offline.hidden = kept.waiting.length === 0;
    const count = offline.querySelector('[data-count]');
    if (count) count.textContent = String(kept.waiting.length);
    const signed = offline.querySelector('[data-signed-out]');
    if (signed instanceof HTMLElement) signed.hidden = !isSignedOut;
  }
  const conflicts = document.querySelector('[data-conflicts]');
  if (!(conflicts instanceof HTMLElement)) return;
  conflicts.hidden = kept.conflicts.length === 0;
  const more = kept.conflicts.reduce((all, one) => all + one.more, 0);
  const title = conflicts.querySelector('[data-more]');
  if (title) title.textContent = t('meetings-admin.door_page.too_many', { n: more });
  conflicts.querySelector('ul')?.replaceChildren(
    ...kept.conflicts.map(({ said }) => {
      const item = document.createElement('li');
      item.textContent = said;
      return item;
    }),
  );
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  if (target.closest('[data-settled]')) keep({ conflicts: [] });
  const button = target.closest('[data-undo]');
  const row = button && rowOf(button);
  const waits = row && waitingOf(row.getAttribute('data-person'));
  if (waits) undo(waits.last, button?.getAttribute('data-undo') === 'back');
});
document.addEventListener('main-replaced', () => {
  showLast();
  show();
});
addEventListener('online', () => void send());
// eslint-disable-next-line browsers/features -- Safari on iOS leaves without asking.
addEventListener('beforeunload', (event) => {
  if (kept.waiting.length > 0) event.preventDefault();
});
/** This page, as the chair's page knows it: a door that is not heard may have presses that it has not sent. */
const DOOR = randomId();

let isHeard = false;

/** @param {boolean} isLeaving */
function hear(isLeaving = false) {
  isHeard = true;
  const letters = new URLSearchParams(location.search);
  void fetch(`${PATH}/heard`, {
    method: 'POST',
    keepalive: true,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({
      door: DOOR,
      from: letters.get('from') || null,
      to: letters.get('to') || null,
      waiting: kept.waiting.length,
      ...(isLeaving && { left: true }),
    }),
  }).catch(() => undefined);
}
addEventListener('pagehide', () => {
  if (isHeard) hear(true);
});
setInterval(() => hear(), HEARD_MS);
setInterval(() => void send(), RETRY_MS);
show();
// A page that is only looked at is no door.
setTimeout(() => hear(), HEARD_MS / 4);
void send();
