import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';

/** The module that the buttons need. */
export const PASSKEY_SCRIPT = 'people/passkeys.js';

/**
 * A button that asks the browser for a passkey and submits its form. It stays hidden without passkeys or script.
 * @param options the address that returns the WebAuthn options
 * @param field the name of the hidden field that the credential goes into
 * @param does `get` and `create` wait for the button; `offer` also lets the browser offer passkeys at the e-mail field
 */
export function passkeyButton(props: {
  options: string;
  field: string;
  does: 'get' | 'create' | 'offer';
  label: Words | string;
  quiet?: boolean;
}): Html {
  const { options, field, does, label, quiet } = props;
  return html`<div data-passkey-part hidden><input type="hidden" name="${field}" value="">
<div class="actions"><button class="button button-large${quiet && ' button-quiet'}" type="button"
data-passkey="${does}" data-options="${options}" data-field="${field}">${label}</button></div>
<p class="error-text" role="alert" data-passkey-says hidden></p></div>`;
}
