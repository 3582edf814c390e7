// Taps on data-quiet forms, sent one after the other. A slow one says that it waits. Unsent taps stay on the
// device, after a reload too, until somebody sends it again or dismisses it.

import { t } from './texts.js';

/** Why a tap failed that may have been done; else it is a sentence. */
export const NO_ANSWER = 'no_answer';
/** An answer within this time needs no line. */
const SLOW_MS = 400;
const SENT_MS = 5_000;
/** Longer than any request: an older tap of another page, which was closed meanwhile, was lost. */
const LOST_MS = 20_000;
/** A line that has just appeared may be under a finger. */
const NEW_MS = 700;
const KEPT_AT_MOST = 20;

/**
 * @typedef {object} Tap
 * @property {string} id
 * @property {string} page that made it
 * @property {string} action
 * @property {[string, string][]} fields
 * @property {string} words of its button
 * @property {string} spot the id of its button
 * @property {string} [heading] the id of the heading above
 * @property {number} at
 * @property {'waiting' | 'sending' | 'sent' | 'failed'} state
 * @property {string} [why] it failed
 * @property {boolean} [final] whether to send it again would not help
 */

/** @typedef {{ done: true } | { refused: string } | { lost: string }} Result */

const page = Math.random().toString(36).slice(2);

/**
 * @param {string} address of the page, which its taps are stored by
 * @param {(tap: Tap) => Promise<Result>} deliver
 */
export function tapQueue(address, deliver) {
  const key = `taps:${address}`;
  /** @type {Tap[]} */
  let taps = stored();
  let busy = false;
  const list = document.createElement('div');
  list.className = 'taps';
  list.setAttribute('role', 'status');

  addEventListener('pagehide', () => {
    for (const tap of taps) if (isOwn(tap)) lose(tap);
    store();
  });
  // Back from the browser's cache of pages: another page may have changed what is stored.
  addEventListener('pageshow', (event) => {
    if (event.persisted) taps = stored();
    draw();
  });
  draw();
  return { add, busy: () => busy || taps.some(isOwn), redraw: draw };

  /** @param {Pick<Tap, 'action' | 'fields' | 'words' | 'spot' | 'heading'>} what */
  function add(what) {
    const id = Math.random().toString(36).slice(2);
    taps = [...taps, { ...what, id, page, at: Date.now(), state: 'waiting' }];
    const failed = taps.filter(({ state }) => state === 'failed');
    const old = failed.slice(0, Math.max(0, failed.length - KEPT_AT_MOST));
    taps = taps.filter((tap) => !old.includes(tap));
    change();
    setTimeout(draw, SLOW_MS);
    void next();
  }

  async function next() {
    const tap = taps.find((one) => one.state === 'waiting' && isOwn(one));
    if (busy || !tap) return;
    busy = true;
    tap.state = 'sending';
    change();
    const result = await deliver(tap);
    busy = false;
    if ('lost' in result) {
      Object.assign(tap, { state: 'failed', why: result.lost });
      // What was tapped after it may depend on it.
      for (const one of taps) if (isOwn(one)) lose(one);
    } else if ('refused' in result && taps.some(isWaiting)) {
      // Its message on the page makes way for that of the next tap.
      Object.assign(tap, { state: 'failed', why: result.refused, final: true });
    } else if ('done' in result && lineOf(tap)) {
      tap.state = 'sent';
      setTimeout(() => dismiss(tap), SENT_MS);
    } else taps = taps.filter((one) => one !== tap);
    change();
    void next();
  }

  /** @param {Tap} tap */
  function dismiss(tap) {
    taps = taps.filter(({ id }) => id !== tap.id);
    change();
  }

  function change() {
    store();
    draw();
  }

  function draw() {
    const main = document.querySelector('main');
    if (list.parentElement !== main) main?.append(list);
    const shown = taps.filter(isShown);
    for (const line of [...list.children]) if (!shown.some(({ id }) => lineId(id) === line.id)) line.remove();
    for (const [index, tap] of shown.entries()) {
      const line = lineOf(tap) ?? newLine(tap);
      if (list.children[index] !== line) list.insertBefore(line, list.children[index] ?? null);
      const words = wordsOf(tap);
      const [text, buttons] = line.children;
      if (text && text.textContent !== words) text.textContent = words;
      if (buttons instanceof HTMLElement && (tap.state === 'failed') === buttons.hidden) {
        buttons.hidden = tap.state !== 'failed';
        line.dataset.at = String(performance.now());
        line.dataset.state = tap.state;
      }
    }
    for (const button of document.querySelectorAll('[data-quiet] [aria-busy]'))
      button.removeAttribute('aria-busy');
    for (const { spot, state } of taps)
      if (state === 'waiting' || state === 'sending')
        document.getElementById(spot || '-')?.setAttribute('aria-busy', 'true');
  }

  /** @param {Tap} tap */
  function isShown(tap) {
    if (tap.state === 'failed' || tap.state === 'sent') return true;
    const first = taps.find(isOwn);
    return isOwn(tap) && (tap !== first || Date.now() - tap.at >= SLOW_MS);
  }

  /** @param {Tap} tap */
  function newLine(tap) {
    const line = document.createElement('div');
    line.id = lineId(tap.id);
    line.className = 'tap';
    const buttons = document.createElement('span');
    buttons.className = 'tap-buttons';
    buttons.hidden = true;
    const again = () => {
      const { action, fields, words, spot } = tap;
      taps = taps.filter(({ id }) => id !== tap.id);
      add({ action, fields, words, spot });
    };
    if (!tap.final) buttons.append(button(t('common.taps.send_again'), tap, again));
    buttons.append(button(t('common.taps.dismiss'), tap, () => dismiss(tap)));
    line.append(document.createElement('span'), buttons);
    return line;
  }

  /** @param {string} label @param {Tap} tap @param {() => void} act */
  function button(label, tap, act) {
    const made = document.createElement('button');
    made.type = 'button';
    made.className = 'button button-quiet button-small';
    made.textContent = label;
    made.setAttribute('aria-label', t('common.taps.button', { label, words: tap.words }));
    made.addEventListener('click', () => {
      const since = Number(lineOf(tap)?.dataset.at ?? 0);
      if (performance.now() - since >= NEW_MS) act();
    });
    return made;
  }

  function store() {
    try {
      const kept = taps.filter(({ state }) => state !== 'sent');
      if (kept.length > 0) localStorage.setItem(key, JSON.stringify(kept));
      else localStorage.removeItem(key);
    } catch {
      // Full or not allowed: they stay on this page alone.
    }
  }

  /** @returns {Tap[]} */
  function stored() {
    try {
      const found = /** @type {Tap[]} */ (JSON.parse(localStorage.getItem(key) ?? '[]'));
      for (const tap of found) if (tap.page !== page && Date.now() - tap.at >= LOST_MS) lose(tap);
      return found;
    } catch {
      return [];
    }
  }
}

/** @param {Tap} tap */
const isOwn = (tap) => tap.page === page && (tap.state === 'waiting' || tap.state === 'sending');

/** @param {Tap} tap */
const isWaiting = (tap) => tap.page === page && tap.state === 'waiting';

/** @param {Tap} tap */
function lose(tap) {
  if (tap.state === 'sending') tap.why = NO_ANSWER;
  if (tap.state === 'waiting' || tap.state === 'sending') tap.state = 'failed';
}

/** @param {Tap} tap */
function wordsOf({ state, words, why }) {
  if (state === 'sent') return t('common.taps.sent', { words });
  if (state === 'waiting') return t('common.taps.waiting', { words });
  if (state === 'sending') return t('common.taps.sending', { words });
  if (why === NO_ANSWER) return t('common.taps.no_answer', { words });
  return [t('common.taps.failed', { words }), why].filter(Boolean).join(' ');
}

/** @param {string} id */
const lineId = (id) => `tap-${id}`;

/** @param {Tap} tap @returns {HTMLElement | null} */
const lineOf = ({ id }) => document.getElementById(lineId(id));
