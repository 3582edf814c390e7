// Asks the service for codes, and whether staff used one: then this browser is a screen with an identity of its own.
import { timeout } from '../base/request.js';
import { align } from '../playing/clock.js';

const ANSWER_WITHIN_MS = 8_000;
const RETRY_MS = 10_000;
/** The next code is shown before the last one ends, which is good for a little longer. */
const RENEW_BEFORE_MS = 20_000;

/** The addresses of the pages. */
export const ADDRESSES = /** @type {Record<string, string>} */ ({
  tv: '/tv',
  'bar-right': '/tv/bar-right',
  projector: '/tv/projector',
});

/**
 * @typedef {object} Pairing
 * @property {string} code
 * @property {string} secret
 * @property {number} endsAt by the page's own clock
 * @property {number} interval milliseconds between two questions
 */

/**
 * Shows codes until one was used; then the page of the screen opens.
 * @param {object} options
 * @param {(code: string | undefined) => void} options.shown called with each new code; without one while the service
 * does not answer
 * @param {string | undefined} [options.code] a code that staff made for this screen
 * @param {number} [options.until] when to end, by the page's own clock
 */
export function askForPairing({ shown, code, until = Number.POSITIVE_INFINITY }) {
  /** The code on the screen, and the one before it until it has ended. @type {Pairing[]} */
  let pairings = [];
  void renew();

  async function renew() {
    if (performance.now() > until) return shown(undefined);
    const { status, body } = await post('/api/screens/pairings', code === undefined ? {} : { code });
    // A code of staff works once: after it the screen shows codes of its own.
    code = undefined;
    if (status !== 201) {
      if (current() === undefined) shown(undefined);
      return void setTimeout(pairings.length > 0 ? ask : renew, RETRY_MS);
    }
    /** @type {import('#pub/devices/pairings.ts').PairingJson} */
    const { code: next, secret, expires_in, interval } = body;
    const endsAt = performance.now() + expires_in * 1_000;
    pairings = [...pairings, { code: next, secret, endsAt, interval: interval * 1_000 }].slice(-2);
    shown(next);
    await ask();
  }

  /** @returns {Pairing | undefined} */
  function current() {
    const newest = pairings[pairings.length - 1];
    return newest && newest.endsAt - RENEW_BEFORE_MS > performance.now() ? newest : undefined;
  }

  /** @returns {Promise<void>} */
  async function ask() {
    // For tv/guard.js.
    document.body.dataset.alive ??= String(performance.now());
    for (const pairing of [...pairings]) {
      const { status, body } = await post('/api/screens/pairings/poll', { secret: pairing.secret });
      if (status === 200) return location.replace(ADDRESSES[body.page] ?? '/tv');
      if (status === 404 || status === 410) pairings = pairings.filter((one) => one !== pairing);
    }
    const showing = current();
    if (!showing) return renew();
    if (performance.now() > until) return shown(undefined);
    setTimeout(ask, showing.interval);
  }
}

/**
 * @param {string} url
 * @param {object} data
 * @returns {Promise<{ status?: number, body?: any }>}
 */
async function post(url, data) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(data),
      signal: timeout(ANSWER_WITHIN_MS),
    });
    const body = await response.json();
    if (typeof body.now === 'number') align(body.now);
    return { status: response.status, body };
  } catch {
    return {};
  }
}

/** A code as people read it: `K7P-4MQ`. @param {string} code */
export const inThrees = (code) => code.replace(/^(.{3})(.{3})$/, '$1-$2');
