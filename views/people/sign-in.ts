import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { errorAt, namedErrors } from '#views/components/entered.ts';
import { choice, field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { PASSKEY_SCRIPT, passkeyButton } from '#views/components/passkey-button.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

interface Refusable {
  club: string;
  errors?: readonly FieldError[];
}

/** The form that requests a code, and the button for a passkey where passkeys are offered. */
export function signInPage({
  club,
  next,
  passkeys,
  provider,
  email = '',
  errors = [],
  passkeyRefused = false,
}: Refusable & {
  next: string;
  passkeys: boolean;
  /** Name of the OpenID provider; undefined while none is set. */
  provider?: string | undefined;
  email?: string;
  passkeyRefused?: boolean;
}): Html {
  const body = html`${errorSummary(namedErrors(errors))}
${
  passkeyRefused &&
  html`
<div role="alert">${notice('danger', 'Try again, or get a code by mail.', 'This passkey does not fit')}</div>`
}
${pageHeader({
  title: 'Sign in',
  eyebrow: club,
  lede: 'Enter the e-mail address the club has for you. We mail you a code; you need no password.',
})}
<form class="card" method="post" action="/sign-in">${hiddenInputs({ next })}
${field({
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  value: email,
  autocomplete: passkeys ? 'username webauthn' : 'username',
  spellcheck: false,
  maxlength: 254,
  error: errorAt(errors, 'email'),
})}
<div class="actions"><button class="button button-large">Send me a code</button></div></form>
${passkeys && passkeyForm(next)}
${provider !== undefined && providerPart(provider, next)}`;
  return page({ title: 'Sign in', body, scripts: passkeys ? [PASSKEY_SCRIPT] : [] });
}

/** Hidden until its script shows it, in browsers that have passkeys. */
function passkeyForm(next: string): Html {
  return html`<form class="panel" method="post" action="/sign-in/passkey" hidden><h2>Or with a passkey</h2>
  ${hiddenInputs({ next })}${stayBox()}
${passkeyButton({
  options: '/sign-in/passkey/options',
  field: 'credential',
  does: 'offer',
  label: 'Sign in with a passkey',
  quiet: true,
})}</form>`;
}

/** Links instead of a form, because forms of this service may not redirect to another host. */
function providerPart(provider: string, next: string): Html {
  const to = (stay: Record<string, string>) => `/sign-in/oidc?${new URLSearchParams({ next, ...stay })}`;
  return html`<h2>Or with an account you have</h2>
<p><a class="button button-large" href="${to({})}" rel="nofollow">Sign in with ${provider}</a></p>
<p><a class="link-alone" href="${to({ stay: '1' })}" rel="nofollow">Sign in with ${provider} and stay
signed in on this device</a></p>`;
}

/** The form for the code, in the browser that requested it. */
export function codePage({ club, email, errors = [] }: Refusable & { email: string }): Html {
  const body = html`${errorSummary(namedErrors(errors))}
${pageHeader({ title: 'Check your mail', eyebrow: club, crumbs: [{ href: '/sign-in', label: 'Another address' }] })}
<p>If <strong>${displayAddress(email)}</strong> is on the club’s roll, a code is on its way.
It works for 15 minutes.</p>
<form class="card" method="post" action="/sign-in/code">${codeField(errorAt(errors, 'code'))}${stayBox()}
<div class="actions"><button class="button button-large">Sign in</button></div></form>
<h2>No mail after two minutes?</h2><p>Look in the spam folder, or <a href="/sign-in">try the address the club writes
to</a>. Or ask an officer. With a role you may have <a href="/sign-in/recovery">a recovery code</a>.</p>`;
  return page({ title: 'Your code', body });
}

/** The page that a mailed link opens: a button in the browser that requested it, the field for the code in others. */
export function linkPage({
  club,
  state,
  email = '',
  wrong = false,
}: {
  club: string;
  state: 'asker' | 'elsewhere' | 'dead';
  email?: string;
  wrong?: boolean;
}): Html {
  if (state === 'dead') {
    const body = html`${pageHeader({
      title: 'This link does not work any more',
      eyebrow: club,
      lede: 'It worked for 15 minutes, and once.',
    })}
<p><a class="button" href="/sign-in">Ask for a new one</a></p>`;
    return page({ title: 'This link does not work any more', body });
  }
  const form = (inside: Html, button: string) =>
    html`<form class="card" method="post" action="/sign-in/link">${inside}${stayBox()}
<div class="actions"><button class="button button-large">${button}</button></div></form>`;
  const body =
    state === 'asker'
      ? html`${pageHeader({ title: 'Sign in', eyebrow: club })}${form(
          html`
      <p>You are signing in as <strong>${displayAddress(email)}</strong>.</p>`,
          `Sign in as ${displayAddress(email)}`,
        )}`
      : html`${pageHeader({
          title: 'Type the code from the mail',
          eyebrow: club,
          lede: 'This is another browser than the one that asked. The code is in the same mail as the link.',
        })}
${
  wrong &&
  html`<div role="alert">${notice('danger', 'Compare it with the mail, or ask for a new one.', 'This code does not fit')}</div>`
}
${form(codeField(), 'Sign in')}`;
  return page({ title: 'Sign in', body });
}

/** The form for a code from the sheet of recovery codes. */
export function recoveryPage({ club, email = '', errors = [] }: Refusable & { email?: string }): Html {
  const body = html`${errorSummary(namedErrors(errors, { email: 'E-mail address', code: 'Recovery code' }))}
${pageHeader({
  title: 'Sign in with a recovery code',
  eyebrow: club,
  lede: 'For when no mail arrives. Each code of your sheet works once.',
  crumbs: [{ href: '/sign-in', label: 'Sign in by mail' }],
})}
<form class="card" method="post" action="/sign-in/recovery">
${field({
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  value: email,
  autocomplete: 'username',
  spellcheck: false,
  maxlength: 254,
  error: errorAt(errors, 'email'),
})}
${field({
  name: 'code',
  label: 'Recovery code',
  hint: 'Six groups of four.',
  autocomplete: 'off',
  spellcheck: false,
  maxlength: 64,
  error: errorAt(errors, 'code'),
})}
<div class="actions"><button class="button button-large">Sign in</button></div></form>`;
  return page({ title: 'Sign in with a recovery code', body });
}

/** Asks which of the people who share an address is signing in. */
export function whoPage({ people }: { people: readonly { id: string; name: string }[] }): Html {
  const body = html`${pageHeader({ title: 'Who are you?', lede: 'Several members share this address.' })}
<ul class="action-list" role="list">${people.map(
    ({ id, name }) => html`<li>
<form method="post" action="/sign-in/who">${hiddenInputs({
      person_id: id,
    })}<button class="button button-large">${name}</button></form></li>\n`,
  )}</ul>`;
  return page({ title: 'Who are you?', body });
}

function codeField(error?: Words): Html {
  return field({
    name: 'code',
    label: 'Code',
    hint: 'Eight letters and digits, like K7P4-2MQX.',
    error,
    short: true,
    autocomplete: 'one-time-code',
    spellcheck: false,
    maxlength: 12,
  });
}

function stayBox(): Html {
  return html`<div class="choices choices-plain">${choice({
    type: 'checkbox',
    name: 'stay',
    value: '1',
    label: 'Stay signed in on this device',
    note: 'Not on a device that others use.',
  })}</div>`;
}
