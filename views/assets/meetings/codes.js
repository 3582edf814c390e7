// Keeps the inclusion codes of an evening: those of one card in the storage of this phone, if its holder wants that, and
// those of any other card until the tab is closed or another card is used. They are never sent.
import { moveFocus } from '../base/replace-main.js';

const KEY = 'house_codes';
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** @typedef {{ code: string, votes: string[] }} Code of one cast, and the titles of what was voted on */
/** @typedef {{ at: number, card?: string, no: string[], codes: Code[] }} Evening `no`: cards whose holders said no */
/** @typedef {{ meeting: string, card: string, codes: Code[] }} Held */

/** What cannot be stored stays until the page is left. @type {Held | undefined} */
let held = readHeld();
/** The card that this page had last: whoever loses it while the page is open still reads its codes. */
let lastCard = '';
let isFull = false;
// Also where that cannot be stored.
let isRefused = false;
let isLeft = false;

/** @param {'localStorage' | 'sessionStorage'} storage @returns {unknown} */
function read(storage) {
  try {
    return JSON.parse(window[storage].getItem(KEY) ?? 'null');
  } catch {
    return undefined;
  }
}

/** @param {'localStorage' | 'sessionStorage'} storage @param {object | undefined} value @returns {boolean} */
function write(storage, value) {
  try {
    if (value === undefined) window[storage].removeItem(KEY);
    else window[storage].setItem(KEY, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @param {unknown} value */
const codesIn = (value) =>
  Array.isArray(value)
    ? value.filter((one) => typeof one?.code === 'string' && Array.isArray(one.votes))
    : [];

/** @returns {Held | undefined} */
function readHeld() {
  const found = /** @type {Held | null | undefined} */ (read('sessionStorage'));
  return typeof found?.card === 'string' ? { ...found, codes: codesIn(found.codes) } : undefined;
}

/** What this phone keeps, by the meeting; what is older than 90 days is forgotten. @returns {Record<string, Evening>} */
function readKept() {
  const found = read('localStorage');
  const all = typeof found === 'object' && found !== null ? Object.entries(found) : [];
  const young = all.filter(([, one]) => Date.now() - one?.at < KEPT_MS);
  const kept = Object.fromEntries(
    young.map(([id, one]) => [
      id,
      { ...one, no: Array.isArray(one.no) ? one.no : [], codes: codesIn(one.codes) },
    ]),
  );
  if (young.length < all.length) writeKept(kept);
  return kept;
}

/** @param {Record<string, Evening>} kept */
const writeKept = (kept) => write('localStorage', Object.keys(kept).length === 0 ? undefined : kept);

function section() {
  const found = document.querySelector('[data-codes]');
  return found instanceof HTMLElement ? found : undefined;
}

function state() {
  const { codes: meeting = '', codesOf = '', codesOver } = section()?.dataset ?? {};
  const card = codesOf || lastCard;
  lastCard = card;
  const kept = readKept();
  const evening = kept[meeting];
  const isOwn =
    evening?.card !== undefined && (evening.card === card || (card === '' && codesOver !== undefined));
  // Another card is used.
  if (held && card !== '' && (held.card !== card || held.meeting !== meeting)) hold(undefined);
  const own = held && held.card === card && held.meeting === meeting ? held.codes : [];
  return { meeting, card, kept, evening, isOwn, held: own, codes: isOwn ? evening.codes : [] };
}

/** @param {Held | undefined} next @returns {boolean} whether it outlives the page */
function hold(next) {
  held = next;
  return write('sessionStorage', next);
}

/** @param {Code[]} codes */
function keep(codes) {
  const { meeting, card, kept, evening } = state();
  const known = new Set(codes.map(({ code }) => code));
  const before = (evening?.codes ?? []).filter(({ code }) => !known.has(code));
  const own = { at: Date.now(), card, no: evening?.no ?? [], codes: [...before, ...codes] };
  return writeKept({ ...kept, [meeting]: own });
}

/** Takes the code of a cast off its page, which shows it only now, if it can be kept. */
function take() {
  const place = document.querySelector('[data-new-code]');
  if (!(place instanceof HTMLElement) || place.hidden || !section()) return;
  const { newCode: code = '', votes = '[]', keeps } = place.dataset;
  // A code that covers the choice is only shown.
  if (keeps === undefined) return;
  const own = { code, votes: JSON.parse(votes) };
  const { meeting, card, isOwn, held: before } = state();
  const isStored =
    (isOwn && keep([own])) ||
    hold({ meeting, card, codes: [...before.filter((one) => one.code !== code), own] });
  if (!isStored) {
    held = before.length > 0 ? { meeting, card, codes: before } : undefined;
    return;
  }
  place.hidden = true;
  // Nothing is lost when the page goes on to the next vote.
  document.querySelector('[data-recorded]')?.setAttribute('data-safe', '');
}

function show() {
  const part = section();
  if (!part) return;
  take();
  const { card, evening, isOwn, held: own, codes } = state();
  const back = document.querySelector('[data-codes-back]');
  const isKept = isOwn && codes.length > 0;
  const when = {
    kept: isKept,
    held: own.length > 0,
    apart: own.length > 0 && back === null,
    ask: own.length > 0 && !isRefused && evening?.card === undefined && evening?.no.includes(card) !== true,
    other: own.length > 0 && evening?.card !== undefined && !isOwn,
    full: own.length > 0 && isFull,
    left: own.length > 0 && isLeft,
  };
  part.hidden = !isKept && own.length === 0;
  for (const place of part.querySelectorAll('[data-codes-when]')) {
    const name = /** @type {keyof typeof when} */ (place.getAttribute('data-codes-when'));
    place.toggleAttribute('hidden', !when[name]);
  }
  const list = part.querySelector('ul');
  const rows = [...codes, ...own].map((one) => rowOf(one, list?.getAttribute('data-colon') ?? ':'));
  if (list && list.textContent !== rows.map((row) => row.textContent).join('')) list.replaceChildren(...rows);
  if (back && isKept && own.length === 0) back.textContent = back.getAttribute('data-codes-back');
}

/** Each on a line of its own, also where all of them are copied. @param {Code} code @param {string} colon */
function rowOf({ code, votes }, colon) {
  const [row, shown] = [document.createElement('li'), document.createElement('code')];
  shown.className = 'hash';
  shown.textContent = code;
  row.append(`${votes.join(', ')}${colon} `, shown, '\n');
  return row;
}

/** @type {Record<string, () => void>} */
const ACTS = {
  keep() {
    const { held: own } = state();
    isFull = !keep(own);
    if (!isFull) hold(undefined);
  },
  no() {
    isRefused = true;
    const { meeting, card, kept, evening } = state();
    writeKept({
      ...kept,
      [meeting]: { codes: [], ...evening, at: Date.now(), no: [...(evening?.no ?? []), card] },
    });
  },
  taken: () => void hold(undefined),
  // Whoever takes them off is not asked again.
  forget() {
    const { meeting, kept, evening } = state();
    const no = [...(evening?.no ?? []), ...(evening?.card === undefined ? [] : [evening.card])];
    writeKept({ ...kept, [meeting]: { at: Date.now(), no, codes: [] } });
  },
  print() {
    const part = section();
    const others = [...(part?.closest('.wrap')?.querySelectorAll('*') ?? [])].filter(
      (one) => part && !one.contains(part) && !part.contains(one) && !one.classList.contains('screen-only'),
    );
    for (const one of others) one.classList.add('screen-only');
    const restore = () => {
      for (const one of others) one.classList.remove('screen-only');
    };
    addEventListener('afterprint', restore, { once: true });
    print();
  },
};

document.addEventListener('click', (event) => {
  const { target } = event;
  if (!(target instanceof Element)) return;
  const act = target.closest('[data-codes-act]')?.getAttribute('data-codes-act');
  if (act) {
    ACTS[act]?.();
    show();
    if (!target.checkVisibility?.())
      moveFocus(section()?.hidden ? document.querySelector('h1') : section()?.querySelector('h2'));
  } else if (target.closest('[data-codes-back]')) ACTS.taken?.();
  else if (target.closest('[href$="card=other"]') && !isLeft && state().held.length > 0) {
    event.preventDefault();
    isLeft = true;
    show();
    section()?.scrollIntoView({ block: 'nearest' });
    moveFocus(section()?.querySelector('h2'));
  }
});
document.addEventListener('main-replaced', show);
show();
