// Polls an address, and stores its last good answer for the next start.
import { timeout } from '../base/request.js';
import { now } from '../playing/clock.js';
import { keep, kept } from './store.js';

const ANSWER_WITHIN_MS = 10_000;
const FIRST_RETRY_MS = 5_000;
/** So that screens told at once do not poll at once. */
const RENEW_WITHIN_MS = 500;
const RENEWED_MS = 15_000;

/**
 * Follows one address. The stored answer is given first, so that there is something to show before the network answers.
 * @template T
 * @param {string} url
 * @param {object} options
 * @param {number} options.every milliseconds between two good answers
 * @param {(answer: T, from: { at: number, heard: boolean }) => void} options.on called for each answer: when the service
 * gave it, and whether that is just now
 * @param {(status: number | undefined) => void} [options.failed] called for a failed answer
 * @param {string} [options.keepAs] the name under which the last good answer is kept
 * @returns {() => void} to be called when the answer has changed: polls at once
 */
export function follow(url, { every, on, failed, keepAs }) {
  let asking = false;
  /** The answer has changed since the pending request. */
  let changed = false;
  let attempts = 0;
  /** @type {number | undefined} */
  let timer;

  tellKept();
  addEventListener('online', () => void again());
  addEventListener('streamback', renew);
  void again();
  return renew;

  function renew() {
    changed = asking;
    if (asking) return;
    clearTimeout(timer);
    timer = window.setTimeout(again, Math.random() * RENEW_WITHIN_MS);
  }

  function tellKept() {
    const last = keepAs ? kept(keepAs) : undefined;
    if (!last) return;
    try {
      on(last.answer, { at: last.at, heard: false });
    } catch {
      // An earlier build kept it in another shape: better nothing than a screen that cannot start.
    }
  }

  async function again() {
    if (asking) return;
    asking = true;
    clearTimeout(timer);
    const { status, answer, keptAt } = await ask(url);
    const heard = answer !== undefined && keptAt === undefined;
    attempts = heard ? 0 : attempts + 1;
    // Stale content is being renewed by the service; what is switched off (404) may be switched on later.
    const good = answer?.stale ? Math.min(every, RENEWED_MS) : every;
    const wait = heard ? good : status === 404 ? 5 * every : FIRST_RETRY_MS * 2 ** (attempts - 1);
    const next = changed ? 0 : Math.min(wait, 5 * every);
    timer = window.setTimeout(again, next * (0.9 + Math.random() * 0.2));
    asking = changed = false;
    if (answer === undefined) return failed?.(status);
    on(answer, { at: keptAt ?? now(), heard });
    if (heard && keepAs) keep(keepAs, { at: now(), answer });
  }
}

/**
 * @param {string} url
 * @returns {Promise<{ status?: number, answer?: any, keptAt?: number }>} `keptAt` when the worker of this screen
 * answered in place of a service that it could not reach
 */
async function ask(url) {
  try {
    const response = await fetch(url, { cache: 'no-cache', signal: timeout(ANSWER_WITHIN_MS) });
    const { status } = response;
    if (!response.ok) return { status };
    const keptAt = response.headers.get('x-kept');
    return { status, answer: await response.json(), ...(keptAt !== null && { keptAt: Number(keptAt) }) };
  } catch {
    return {};
  }
}
