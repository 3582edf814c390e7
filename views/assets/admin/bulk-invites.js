// Sends checked invitations in slices, so that an officer sees the progress and can stop. A slice can always be sent
// again: the service mails nobody twice.
import { t } from '../base/texts.js';
import { panelOf } from './bulk-invites-panel.js';
import { reasonInWords, refusalInWords } from './mail-reasons.js';

const SLICE = 25;
const ALREADY_INVITED = 'Already invited';

/** @import { Invited } from '#voting/invitations/send-invitations.ts' */

/** @type {Sending | undefined} */
let sending;

class Sending {
  /** @type {string[]} */
  waiting;
  /** @type {Map<string, string>} */
  failed = new Map();
  counts = { sent: 0, queued: 0, known: 0 };
  retrying = false;
  running = false;
  stopping = false;

  /** @param {HTMLFormElement} form @param {import('./bulk-invites-panel.js').Panel} panel */
  constructor(form, panel) {
    const fields = new FormData(form);
    this.form = form;
    this.panel = panel;
    this.waiting = /** @type {string[]} */ (fields.getAll('emails'));
    this.total = this.waiting.length;
    const elections = fields.getAll('election_ids');
    this.rest = {
      ...(elections.length > 0 && { election_ids: elections }),
      invite_mode: fields.get('invite_mode'),
      queue: fields.get('queue') === 'true',
      ...(fields.get('batch_name') && { batch_name: fields.get('batch_name') }),
    };
  }

  /** Sends until all is sent, the officer stops it, or the service does not answer. */
  async run() {
    if (this.running) return;
    this.running = true;
    this.stopping = false;
    let problem = '';
    this.show('running');
    while (this.waiting.length > 0 && !this.stopping && problem === '') {
      const slice = this.waiting.slice(0, SLICE);
      try {
        this.take(slice, await post(this.form, { emails: slice, ...this.rest }));
        this.waiting = this.waiting.slice(slice.length);
      } catch (error) {
        problem = error instanceof Refusal ? error.message : t('voting-admin.sending.unreachable');
      }
      this.show('running');
    }
    this.running = false;
    if (problem)
      this.panel.complain(t('voting-admin.sending.still_wait', { problem, waiting: this.waiting.length }));
    const ended = problem ? 'broken' : 'stopped';
    this.show(this.waiting.length > 0 ? ended : 'done');
  }

  stop() {
    this.stopping = true;
    this.panel.say(t('voting-admin.sending.stopping'));
  }

  /** Puts the failed addresses back into the queue. */
  retry() {
    this.waiting = [...new Set([...this.waiting, ...this.failed.keys()])];
    this.failed.clear();
    this.retrying = true;
    void this.run();
  }

  /** @param {string[]} slice @param {Invited} answer */
  take(slice, { summary, results }) {
    this.counts.sent += summary.sent;
    this.counts.queued += summary.queued;
    // A failed address is reported once, not again for each of its elections.
    if (!this.retrying) this.counts.known += results.filter(({ error }) => error === ALREADY_INVITED).length;
    for (const { email, success, error } of results) {
      if (!success && error !== ALREADY_INVITED) this.failed.set(email, reasonInWords(error));
    }
    for (const email of slice)
      if (results.every((row) => row.email !== addressIn(email)))
        this.failed.set(addressIn(email), t('voting-admin.sending.no_answer'));
  }

  /** @param {'running' | 'stopped' | 'broken' | 'done'} state */
  show(state) {
    const done = this.total - this.waiting.length;
    this.panel.show({ state, done, total: this.total, counts: this.counts, failed: this.failed });
  }
}

/** The address in `Ada <ada@club.example>`. @param {string} recipient */
const addressIn = (recipient) => (/<([^<>]*)>$/.exec(recipient)?.[1] ?? recipient).trim();

class Refusal extends Error {}

/**
 * @param {HTMLFormElement} form
 * @param {object} body
 * @returns {Promise<Invited>}
 */
async function post(form, body) {
  const key = document.querySelector('meta[name="admin-api-key"]')?.getAttribute('content');
  const response = await fetch(form.getAttribute('action') ?? '', {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      ...(key && { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (Array.isArray(answer.results)) return answer;
  // The page that asks for the confirmation keeps the form's fields and then sends them itself.
  if (answer.sudo === true) form.submit();
  throw new Refusal(refusalInWords(answer.code, response.status));
}

// In the capture phase, before the script of pages opened by key can send the form.
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('[data-slices]')) return;
    const panel = panelOf(document);
    if (!panel) return;
    event.preventDefault();
    if (sending?.running) return;
    sending = new Sending(form, panel);
    panel.open();
    void sending.run();
  },
  true,
);

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (!sending || !button) return;
  if (button.matches('[data-sending-stop]')) sending.stop();
  if (button.matches('[data-sending-go]')) void sending.run();
  if (button.matches('[data-sending-retry]')) sending.retry();
});

// eslint-disable-next-line browsers/features -- Safari on iOS leaves without asking.
addEventListener('beforeunload', (event) => {
  if (sending?.running) event.preventDefault();
});
// A page opened by key is left without an unload.
document.addEventListener('main-leave', (event) => {
  if (!sending?.running) return;
  if (confirm(t('voting-admin.sending.leave'))) sending.stop();
  else event.preventDefault();
});
document.addEventListener('main-replaced', () => {
  sending?.stop();
  sending = undefined;
});
