// Sends the sign-up without leaving the page, so that nothing typed is lost when it is refused.

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
 * @param {import('#kernel/http/errors.ts').ErrorJson & { retryAfter?: number }} answer
 */
function wordsFor({ error, message, retryAfter, errors }) {
  if (retryAfter !== undefined)
    return `A mail was asked for a moment ago. You can ask again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`;
  const first = errors?.[0];
  if (first?.path === 'name') return `Your name ${first.message}.`;
  if (first?.path === 'email') return `That does not look like an e-mail address: ${first.message}.`;
  if (first?.path === 'turnstile_token') return 'Please answer the small challenge above the button.';
  return message ? `${error}. ${message}` : `${error ?? 'Something went wrong'}.`;
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
  if (!answer.ok) say(wordsFor(said));
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
      say('The house cannot be reached. Check the connection and try again.');
    }
    button?.removeAttribute('aria-disabled');
    // A challenge answer is valid only once.
    /** @type {any} */ (window).turnstile?.reset();
  });
}
