// Keeps the turnout of an open election up to date. It changes only the figures, never a form; a page with
// `data-turnout-page` is loaded again once the election has opened or closed.

import { moveFocus, parsePage, released, replaceMain } from '../base/replace-main.js';
import { timeout } from '../base/request.js';
import { t } from '../base/texts.js';

const EVERY_MS = 15_000;
const COUNT = new Intl.NumberFormat(document.documentElement.dataset.locale);

/** @type {number | undefined} */
let timer;

/**
 * Polls for the turnout on the page, if it has one, and on every page that replaces it.
 * @param {Record<string, string>} headers sent with the officer's requests
 */
export function watchTurnout(headers) {
  const again = () => {
    clearTimeout(timer);
    const board = document.querySelector('[data-turnout]');
    if (!(board instanceof HTMLElement)) return;
    timer = window.setTimeout(async () => {
      if (!document.hidden) await refresh(board, headers);
      again();
    }, EVERY_MS);
  };
  document.addEventListener('main-replaced', again);
  document.addEventListener('visibilitychange', async () => {
    const board = document.querySelector('[data-turnout]');
    if (document.hidden || !(board instanceof HTMLElement)) return;
    await refresh(board, headers);
    again();
  });
  again();
}

/**
 * @param {HTMLElement} board
 * @param {Record<string, string>} headers
 */
async function refresh(board, headers) {
  try {
    const response = await fetch(board.dataset.turnout ?? '', {
      headers: { ...headers, Accept: 'application/json' },
      signal: timeout(EVERY_MS),
    });
    if (!response.ok) return;
    const { election, turnout } = await response.json();
    show(board, turnout);
    if (election.status === board.dataset.status) return;
    if (board.dataset.turnoutPage) await showAnew(board, board.dataset.turnoutPage, headers);
    else {
      board.querySelector('[data-turnout-over]')?.removeAttribute('hidden');
      board.removeAttribute('data-turnout');
    }
  } catch {
    // Not reachable: the figures stay, and the next poll tries again.
  }
}

/**
 * Replaces the page that holds the board with its current version.
 * @param {HTMLElement} board
 * @param {string} path
 * @param {Record<string, string>} headers
 */
async function showAnew(board, path, headers) {
  const response = await fetch(path, {
    headers: { ...headers, Accept: 'text/html' },
    signal: timeout(EVERY_MS),
  });
  // Two polls may overlap: the first has replaced it.
  if (!response.ok || !board.isConnected) return;
  const next = parsePage(await response.text());
  await released();
  if (!board.isConnected) return;
  const main = replaceMain(next);
  if (!main) return;
  history.replaceState(null, '', path);
  moveFocus(main.querySelector('h1'));
}

/**
 * @param {HTMLElement} board
 * @param {import('#voting/elections/shown-turnout.ts').TurnoutJson} turnout
 */
function show(board, { tokens, used, invited }) {
  const figures = Object.entries({ tokens, used, invited });
  const changed = figures.filter(([name, value]) => put(board, name, COUNT.format(value)));
  if (changed.length === 0) return;
  const share = tokens === 0 ? 0 : Math.round(Math.min(1, used / tokens) * 1000) / 10;
  board.querySelector('.bar-fill')?.setAttribute('width', `${share}%`);
  const news = board.querySelector('[data-turnout-news]');
  if (news) news.textContent = t('voting-admin.live.codes_used', { used, issued: tokens });
}

/**
 * Writes a figure. @returns whether it has changed
 * @param {HTMLElement} board
 * @param {string} name
 * @param {string} text
 */
function put(board, name, text) {
  const figure = board.querySelector(`[data-figure="${name}"]`);
  if (!figure || figure.textContent === text) return false;
  figure.textContent = text;
  return true;
}
