import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { errorAt, namedErrors } from '#views/components/entered.ts';
import { choice, field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { PASSKEY_SCRIPT, passkeyButton } from '#views/components/passkey-button.ts';
import { linkTo } from '#views/components/slots.ts';
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
<div role="alert">${notice('danger', t('sign-in.sign_in.wrong_passkey_advice'), t('sign-in.sign_in.wrong_passkey'))}</div>`
}
${pageHeader({
  title: t('sign-in.sign_in.title'),
  eyebrow: club,
  lede: t('sign-in.sign_in.lede'),
})}
<form class="card" method="post" action="/sign-in">${hiddenInputs({ next })}
${field({
  name: 'email',
  label: t('sign-in.sign_in.email'),
  type: 'email',
  value: email,
  autocomplete: passkeys ? 'username webauthn' : 'username',
  spellcheck: false,
  maxlength: 254,
  error: errorAt(errors, 'email'),
})}
<div class="actions"><button class="button button-large">${t('sign-in.sign_in.send_me_code')}</button></div></form>
${passkeys && passkeyForm(next)}
${provider !== undefined && providerPart(provider, next)}`;
  return page({ title: t('sign-in.sign_in.title'), body, scripts: passkeys ? [PASSKEY_SCRIPT] : [] });
}

/** Hidden until its script shows it, in browsers that have passkeys. */
function passkeyForm(next: string): Html {
  return html`<form class="panel" method="post" action="/sign-in/passkey" hidden><h2>${t('sign-in.sign_in.or_passkey')}</h2>
  ${hiddenInputs({ next })}${stayBox()}
${passkeyButton({
  options: '/sign-in/passkey/options',
  field: 'credential',
  does: 'offer',
  label: t('sign-in.sign_in.with_passkey'),
  quiet: true,
})}</form>`;
}

/** Links instead of a form, because forms of this service may not redirect to another host. */
function providerPart(provider: string, next: string): Html {
  const to = (stay: Record<string, string>) => `/sign-in/oidc?${new URLSearchParams({ next, ...stay })}`;
  return html`<h2>${t('sign-in.sign_in.or_account')}</h2>
<p><a class="button button-large" href="${to({})}" rel="nofollow">${t('sign-in.sign_in.with_provider', { provider })}</a></p>
<p><a class="link-alone" href="${to({ stay: '1' })}" rel="nofollow">${t('sign-in.sign_in.with_provider_and_stay', { provider })}</a></p>`;
}

/** The form for the code, in the browser that requested it. */
export function codePage({ club, email, errors = [] }: Refusable & { email: string }): Html {
  const body = html`${errorSummary(namedErrors(errors))}
${pageHeader({ title: t('sign-in.sign_in.check_mail'), eyebrow: club, crumbs: [{ href: '/sign-in', label: t('sign-in.sign_in.another_address') }] })}
<p>${t('sign-in.sign_in.code_on_its_way', { email: html`<strong>${displayAddress(email)}</strong>` })}</p>
<form class="card" method="post" action="/sign-in/code">${codeField(errorAt(errors, 'code'))}${stayBox()}
<div class="actions"><button class="button button-large">${t('sign-in.sign_in.title')}</button></div></form>
<h2>${t('sign-in.sign_in.no_mail')}</h2><p>${t('sign-in.sign_in.no_mail_advice', { link: linkTo('/sign-in'), recovery: linkTo('/sign-in/recovery') })}</p>`;
  return page({ title: t('sign-in.sign_in.code_title'), body });
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
      title: t('sign-in.sign_in.dead_link'),
      eyebrow: club,
      lede: t('sign-in.sign_in.dead_link_lede'),
    })}
<p><a class="button" href="/sign-in">${t('sign-in.sign_in.ask_new')}</a></p>`;
    return page({ title: t('sign-in.sign_in.dead_link'), body });
  }
  const form = (inside: Html, button: Words) =>
    html`<form class="card" method="post" action="/sign-in/link">${inside}${stayBox()}
<div class="actions"><button class="button button-large">${button}</button></div></form>`;
  const body =
    state === 'asker'
      ? html`${pageHeader({ title: t('sign-in.sign_in.title'), eyebrow: club })}${form(
          html`
      <p>${t('sign-in.sign_in.signing_in_as', { email: html`<strong>${displayAddress(email)}</strong>` })}</p>`,
          t('sign-in.sign_in.as_address', { email: displayAddress(email) }),
        )}`
      : html`${pageHeader({
          title: t('sign-in.sign_in.elsewhere_title'),
          eyebrow: club,
          lede: t('sign-in.sign_in.elsewhere_lede'),
        })}
${
  wrong &&
  html`<div role="alert">${notice('danger', t('sign-in.sign_in.wrong_code_advice'), t('sign-in.sign_in.wrong_code'))}</div>`
}
${form(codeField(), t('sign-in.sign_in.title'))}`;
  return page({ title: t('sign-in.sign_in.title'), body });
}

/** The form for a code from the sheet of recovery codes. */
export function recoveryPage({ club, email = '', errors = [] }: Refusable & { email?: string }): Html {
  const body = html`${errorSummary(namedErrors(errors, { email: t('sign-in.sign_in.email'), code: t('sign-in.sign_in.recovery_code') }))}
${pageHeader({
  title: t('sign-in.sign_in.with_recovery_code'),
  eyebrow: club,
  lede: t('sign-in.sign_in.recovery_lede'),
  crumbs: [{ href: '/sign-in', label: t('sign-in.sign_in.by_mail') }],
})}
<form class="card" method="post" action="/sign-in/recovery">
${field({
  name: 'email',
  label: t('sign-in.sign_in.email'),
  type: 'email',
  value: email,
  autocomplete: 'username',
  spellcheck: false,
  maxlength: 254,
  error: errorAt(errors, 'email'),
})}
${field({
  name: 'code',
  label: t('sign-in.sign_in.recovery_code'),
  hint: t('sign-in.sign_in.recovery_code_hint'),
  autocomplete: 'off',
  spellcheck: false,
  maxlength: 64,
  error: errorAt(errors, 'code'),
})}
<div class="actions"><button class="button button-large">${t('sign-in.sign_in.title')}</button></div></form>`;
  return page({ title: t('sign-in.sign_in.with_recovery_code'), body });
}

/** Asks which of the people who share an address is signing in. */
export function whoPage({ people }: { people: readonly { id: string; name: string }[] }): Html {
  const body = html`${pageHeader({ title: t('sign-in.sign_in.who'), lede: t('sign-in.sign_in.who_lede') })}
<ul class="action-list" role="list">${people.map(
    ({ id, name }) => html`<li>
<form method="post" action="/sign-in/who">${hiddenInputs({
      person_id: id,
    })}<button class="button button-large">${name}</button></form></li>\n`,
  )}</ul>`;
  return page({ title: t('sign-in.sign_in.who'), body });
}

function codeField(error?: Words): Html {
  return field({
    name: 'code',
    label: t('sign-in.sign_in.code'),
    hint: t('sign-in.sign_in.code_hint'),
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
    label: t('sign-in.sign_in.stay'),
    note: t('sign-in.sign_in.stay_note'),
  })}</div>`;
}
