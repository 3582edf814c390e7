// Shows the progress of sending: a bar, counts and failed addresses.

import { formatNumber, t } from '../base/texts.js';

const TITLES = {
  running: () => t('voting-admin.sending.running'),
  stopped: () => t('voting-admin.sending.stopped'),
  broken: () => t('voting-admin.sending.stopped'),
  done: () => t('voting-admin.sending.done'),
};

/**
 * @typedef {object} Progress
 * @property {'running' | 'stopped' | 'broken' | 'done'} state `broken` when the outcome of a slice is unknown
 * @property {number} done recipients with a result
 * @property {number} total
 * @property {{ sent: number, queued: number, known: number }} counts
 * @property {Map<string, string>} failed addresses, each with its error
 *
 * @typedef {object} Panel
 * @property {() => void} open
 * @property {(progress: Progress) => void} show
 * @property {(words: string) => void} say
 * @property {(words: string) => void} complain
 */

/**
 * @param {Document} page
 * @returns {Panel | undefined}
 */
export function panelOf(page) {
  const panel = page.querySelector('[data-sending]');
  const title = panel?.querySelector('[data-sending-title]');
  const bar = panel?.querySelector('progress');
  const status = panel?.querySelector('[data-sending-status]');
  const problem = panel?.querySelector('[data-sending-problem]');
  const failures = panel?.querySelector('[data-sending-failures]');
  if (!panel || !(title instanceof HTMLElement) || !bar || !status || !problem || !failures) return undefined;

  /** @param {string} name @param {boolean} shown */
  const toggle = (name, shown) =>
    panel.querySelector(`[data-sending-${name}]`)?.toggleAttribute('hidden', !shown);

  return {
    open() {
      for (const part of page.querySelectorAll('.check-actions, [data-unsent]'))
        part.setAttribute('hidden', '');
      panel.removeAttribute('hidden');
      title.focus({ preventScroll: true });
      panel.scrollIntoView({ block: 'center' });
    },
    say(words) {
      status.textContent = words;
    },
    complain(words) {
      problem.textContent = words;
      problem.removeAttribute('hidden');
    },
    show({ state, done, total, counts, failed }) {
      bar.max = total;
      bar.value = done;
      title.textContent = TITLES[state]();
      titlePage(page, wordsOf(state, counts));
      if (state === 'running') problem.setAttribute('hidden', '');
      status.textContent =
        state === 'stopped'
          ? t('voting-admin.sending.stopped_at', { done, total })
          : t('voting-admin.sending.so_far', { done, total });
      for (const [name, value] of Object.entries({ ...counts, failed: failed.size })) {
        const figure = panel.querySelector(`[data-count="${name}"]`);
        if (figure) figure.textContent = formatNumber(value);
      }
      toggle('stop', state === 'running');
      toggle('go', state === 'stopped' || state === 'broken');
      toggle('retry', state === 'done' && failed.size > 0);
      toggle('back', state !== 'running');
      failures.toggleAttribute('hidden', failed.size === 0);
      failures.querySelector('ul')?.replaceChildren(...[...failed].map(failure));
    },
  };
}

/** @param {Progress['state']} state @param {Progress['counts']} counts */
function wordsOf(state, { sent, queued }) {
  if (state === 'running') return t('voting-admin.sending.title_running');
  if (state !== 'done') return t('voting-admin.sending.title_not_all');
  if (sent > 0 && queued > 0) return t('voting-admin.sending.title_both', { sent, queued });
  if (sent > 0) return t('voting-admin.sending.title_sent', { sent });
  return queued > 0
    ? t('voting-admin.sending.title_queued', { queued })
    : t('voting-admin.sending.title_none');
}

/** @param {Document} page @param {string} words */
function titlePage(page, words) {
  const heading = page.querySelector('h1');
  if (!heading || heading.textContent === words) return;
  heading.textContent = words;
  const [, ...site] = document.title.split(' · ');
  document.title = [words, ...site].join(' · ');
}

/** @param {[email: string, said: string]} failed */
function failure([email, said]) {
  const item = document.createElement('li');
  const address = document.createElement('strong');
  address.textContent = email;
  item.append(address, `: ${said}`);
  return item;
}
