import { type Html, html } from '#kernel/html.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { PASSKEY_SCRIPT, passkeyButton } from '#views/components/passkey-button.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';

/** The request that was interrupted, and continues once the person has confirmed that it is them. */
export interface SudoTarget {
  /** A path of this service, with its query. */
  to: string;
  method: string;
  /** The fields of the form that was interrupted. */
  entered: Readonly<Record<string, unknown>>;
}

/** The ways in which a person can confirm that it is them. */
export interface WaysToConfirm {
  /** Whether they have a passkey that works here. */
  passkey: boolean;
  /** The address that a code is sent to; undefined without one. */
  address: string | undefined;
  /** Whether a mailed code can be expected to come. */
  mailWorks: boolean;
  /** The OpenID provider where they have an account that signs them in; undefined without one. */
  account: string | undefined;
}

/** Asks for a passkey or a mailed code before a dangerous act, and keeps the fields of its form. */
export function sudoPage({
  passkey,
  address,
  mailWorks,
  account,
  to,
  method,
  entered,
  sent = false,
  wrong,
}: SudoTarget & WaysToConfirm & { sent?: boolean; wrong?: 'code' | 'passkey' }): Html {
  const kept = Object.fromEntries(
    Object.entries(entered).flatMap(([name, value]) => {
      if (name.startsWith('sudo_')) return [];
      const texts = [value].flat().filter((one) => typeof one === 'string');
      return texts.length > 0 ? [[name, texts] as const] : [];
    }),
  );
  const how = [
    passkey && 'your passkey',
    address !== undefined && mailWorks && 'a code that comes to your address',
    !mailWorks && 'one of your recovery codes',
    account !== undefined && `your account at ${account}`,
  ].filter(Boolean);
  const then = how.length > 0 ? `Confirm with ${how.join(' or ')}; then it continues.` : '';
  const lede = `This needs a fresh proof that it is you. ${then}`;
  const body = html`${
    wrong === 'passkey' &&
    html`
  <div role="alert">${notice('danger', 'Try again, or with a code by mail.', 'This passkey does not fit')}</div>`
  }
${pageHeader({ title: 'Confirm that it is you', lede })}
<form class="card confirm" method="post" action="/me/sudo">${hiddenInputs({
    ...kept,
    sudo_to: to,
    sudo_method: method,
  })}
${
  passkey &&
  passkeyButton({
    options: '/sign-in/passkey/options',
    field: 'sudo_credential',
    does: 'get',
    label: 'Confirm with a passkey',
    quiet: sent || wrong === 'code',
  })
}
${
  !mailWorks
    ? withoutMail(address, wrong === 'code')
    : address === undefined
      ? withoutAddress(passkey)
      : codePart(address, { sent, wrong: wrong === 'code', quiet: passkey })
}
${
  account !== undefined &&
  html`
<p><button class="button button-quiet" formaction="/me/sudo/oidc" formnovalidate>Confirm with ${account}</button></p>`
}
</form>`;
  const scripts = passkey ? [PASSKEY_SCRIPT] : [];
  const head = stylesheets('people/people.css');
  return page({ title: 'Confirm that it is you', body, scripts, head });
}

/** While mail does not work: a recovery code, or a link that whoever runs the server makes. */
function withoutMail(address: string | undefined, wrong: boolean): Html {
  return html`<p>Mail does not work at the moment, so no code can be expected to come.</p>
${field({
  name: 'sudo_code',
  label: 'Recovery code',
  hint: 'One of those that you made at “My account”. Each works once.',
  maxlength: 40,
  autocomplete: 'one-time-code',
  spellcheck: false,
  error: wrong ? 'This code does not fit, or was used.' : undefined,
})}
<div class="actions"><button class="button">Confirm and continue</button></div>
<p>Without one, whoever runs the server makes a link with
<code>npm run admin -- sign-in-link ${address ?? 'your address'}</code>. Opened here, it signs you in anew, and that counts as
a confirmation for ten minutes.</p>`;
}

function codePart(
  address: string,
  { sent, wrong, quiet }: { sent: boolean; wrong: boolean; quiet: boolean },
): Html {
  if (!sent && !wrong)
    return html`<div class="actions"><button class="button${quiet && ' button-quiet'}" formaction="/me/sudo/code"
    formnovalidate>Send me a code</button></div>`;
  return html`${sent && html`<p role="status">A code is on its way to <strong class="address">${address}</strong>.</p>`}
${field({
  name: 'sudo_code',
  label: 'Code',
  hint: 'Eight letters and digits, like K7P4-2MQX, or one of your recovery codes.',
  short: true,
  maxlength: 40,
  autocomplete: 'one-time-code',
  spellcheck: false,
  error: wrong ? 'This code does not fit. Compare it with the mail, or ask for a new one.' : undefined,
})}
<div class="actions"><button class="button">Confirm and continue</button></div>
<p><button class="button button-quiet" formaction="/me/sudo/code" formnovalidate>Send another code</button></p>`;
}

function withoutAddress(passkey: boolean): Html {
  const how = passkey ? 'Confirm with your passkey, or sign' : 'Sign';
  return html`<p>The club has no address of yours, so no code can be mailed. ${how} out and in again the way you
  came: that counts as a confirmation for ten minutes.</p>`;
}
