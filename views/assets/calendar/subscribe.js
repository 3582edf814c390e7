// Sends the sign-up without leaving the page, so that nothing typed is lost when it is refused.
import { t } from '../base/texts.js';

const form = document.querySelector('form[data-subscribe]');
const refusal = document.querySelector('[data-refusal]');

/** @param {string} text */
function say(text) {
  const words = document.createElement('p');
  words.textContent = text;
  const body = document.createElement('div');
  body.className = 'notice-body';
  body.append(words);
  const frame = document.createElement('div');
  frame.className = 'notice notice-danger';
  frame.append(body);
  refusal?.replaceChildren(frame);
}

/**
 * The response as a sentence.
 * @param {number} status
 * @param {import('#kernel/http/errors.ts').ErrorJson & { retryAfter?: number }} answer
 */
function wordsFor(status, { retryAfter, errors }) {
  if (retryAfter !== undefined) return t('calendar.subscribe.ask_again_in', { n: retryAfter });
  const path = errors?.[0]?.path;
  if (path === 'name') return t('calendar.subscribe.name_too_long');
  if (path === 'email') return t('calendar.subscribe.look_like_e_mail_address');
  if (path === 'turnstile_token') return t('calendar.subscribe.please_answer_small_challenge_above');
  if (status === 403) return t('calendar.subscribe.calendar_switched_off_moment_please');
  return status < 500
    ? t('calendar.subscribe.something_form_right_please_fill')
    : t('calendar.subscribe.not_sent');
}

/** @param {HTMLFormElement} sent */
async function send(sent) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(sent)) if (typeof value === 'string') fields.append(name, value);
  const answer = await fetch(sent.action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: fields,
  });
  const said = await answer.json();
  if (!answer.ok) say(wordsFor(answer.status, said));
  return answer.ok;
}

if (form instanceof HTMLFormElement) {
  const button = form.querySelector('button');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button?.getAttribute('aria-disabled') === 'true') return;
    refusal?.replaceChildren();
    button?.setAttribute('aria-disabled', 'true');
    try {
      if (await send(form)) location.assign('/subscribe-programs?sent=1');
    } catch {
      say(t('calendar.subscribe.not_reached'));
    }
    button?.removeAttribute('aria-disabled');
    // A challenge answer is valid only once.
    /** @type {any} */ (window).turnstile?.reset();
  });
}
