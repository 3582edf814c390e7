// Keeps the turnout of an open election fresh. It touches the figures only, never a form.

const EVERY_MS = 15_000;
const COUNT = new Intl.NumberFormat(document.documentElement.dataset.locale);

/** @type {number | undefined} */
let timer;

/**
 * Watches the turnout on the page, if there is one, and on every page that replaces it.
 * @param {Record<string, string>} headers what the officer's requests carry
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
      signal: AbortSignal.timeout(EVERY_MS),
    });
    if (!response.ok) return;
    const { election, turnout } = await response.json();
    show(board, turnout);
    if (election.status !== board.dataset.status) {
      board.querySelector('[data-turnout-over]')?.removeAttribute('hidden');
      board.removeAttribute('data-turnout');
    }
  } catch {
    // Out of reach for now: the figures stay, and the next round tries again.
  }
}

/**
 * @param {HTMLElement} board
 * @param {{ tokens: number, used: number, invited: number }} turnout
 */
function show(board, { tokens, used, invited }) {
  const figures = Object.entries({ tokens, used, invited });
  const changed = figures.filter(([name, value]) => put(board, name, COUNT.format(value)));
  if (changed.length === 0) return;
  const share = tokens === 0 ? 0 : Math.round(Math.min(1, used / tokens) * 1000) / 10;
  board.querySelector('.bar-fill')?.setAttribute('width', `${share}%`);
  const news = board.querySelector('[data-turnout-news]');
  if (news) news.textContent = `${COUNT.format(used)} of ${COUNT.format(tokens)} voting codes used.`;
}

/**
 * Writes a figure. @returns whether it was another one before
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
