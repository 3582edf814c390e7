// Signs in, confirms or registers with a passkey: the service sends the options, the form submits the result.

import { t } from '../base/texts.js';

/** The service keeps a challenge for five minutes. */
const RENEW_MS = 4 * 60_000;

/** The request that waits for the user. @type {AbortController | undefined} */
let waiting;

const button = document.querySelector('button[data-passkey]');
if (button instanceof HTMLButtonElement && button.form && isSupported()) start(button, button.form);

function isSupported() {
  const { PublicKeyCredential: Key } =
    /** @type {{ PublicKeyCredential?: Partial<typeof PublicKeyCredential> }} */ (window);
  return Boolean(Key?.parseRequestOptionsFromJSON && Key.parseCreationOptionsFromJSON);
}

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLFormElement} form
 */
function start(button, form) {
  const part = button.closest('[data-passkey-part]');
  const says = part?.querySelector('[data-passkey-says]');
  for (
    let hidden = button.closest('[hidden]');
    hidden;
    hidden = hidden.parentElement?.closest('[hidden]') ?? null
  )
    hidden.removeAttribute('hidden');

  button.addEventListener('click', async () => {
    const missing = button.dataset.passkey === 'create' && form.querySelector('input:invalid');
    if (missing instanceof HTMLInputElement) {
      if (says) says.textContent = t('sign-in.passkey.fill_in_first');
      says?.removeAttribute('hidden');
      missing.focus();
      return;
    }
    button.disabled = true;
    says?.setAttribute('hidden', '');
    try {
      await ask(button, form, 'optional');
    } catch (error) {
      if (says) says.textContent = wordsFor(error);
      says?.removeAttribute('hidden');
      button.disabled = false;
      await offer();
    }
  });
  if (button.dataset.passkey !== 'get')
    form.addEventListener('submit', (event) => {
      // Enter was pressed: there is no credential yet.
      event.preventDefault();
      button.click();
    });
  if (button.dataset.passkey !== 'offer') return;
  void offer();
  setInterval(offer, RENEW_MS);

  /** Lets the browser offer passkeys at the e-mail field, until the button is pressed. */
  async function offer() {
    if (button.dataset.passkey !== 'offer' || button.disabled) return;
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    // Rejected at once if the device has no passkey.
    ask(button, form, 'conditional').catch(() => {});
  }
}

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLFormElement} form
 * @param {CredentialMediationRequirement} mediation
 */
async function ask(button, form, mediation) {
  waiting?.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const headers = { accept: 'application/json' };
  const answer = await fetch(button.dataset.options ?? '', { method: 'POST', headers, signal });
  // The confirmation has expired: the page asks for a new one.
  if (answer.status === 403) return location.reload();
  if (!answer.ok) {
    const { code } = await answer.json();
    throw new Refusal(
      code === 'too_many_passkeys' ? t('sign-in.passkey.too_many') : t('sign-in.passkey.refused'),
    );
  }
  const options = await answer.json();
  const credential =
    button.dataset.passkey === 'create'
      ? await navigator.credentials.create({
          // eslint-disable-next-line browsers/features -- Without it the button stays hidden, see isSupported().
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
          signal,
        })
      : await navigator.credentials.get({
          // eslint-disable-next-line browsers/features -- Likewise.
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
          mediation,
          signal,
        });
  const field = form.elements.namedItem(button.dataset.field ?? '');
  if (field instanceof HTMLInputElement) field.value = JSON.stringify(credential);
  form.submit();
}

/** What the service said, in the words of the page. */
class Refusal extends Error {}

/** @param {unknown} error */
function wordsFor(error) {
  if (error instanceof Refusal) return error.message;
  const { name } = /** @type {Error} */ (error);
  if (name === 'NotAllowedError') return t('sign-in.passkey.nothing_confirmed');
  if (name === 'InvalidStateError') return t('sign-in.passkey.known');
  return t('sign-in.passkey.failed');
}
