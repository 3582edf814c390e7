import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { anyOf } from '#kernel/language/times.ts';
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
    passkey && t('sign-in.sudo.way_passkey'),
    address !== undefined && mailWorks && t('sign-in.sudo.way_mail'),
    !mailWorks && t('sign-in.sudo.way_recovery_code'),
    account !== undefined && t('sign-in.sudo.way_account', { account }),
  ].filter((way) => way !== false);
  const lede = how.length > 0 ? t('sign-in.sudo.lede_ways', { ways: anyOf(how) }) : t('sign-in.sudo.lede');
  const body = html`${
    wrong === 'passkey' &&
    html`
  <div role="alert">${notice('danger', t('sign-in.sudo.wrong_passkey_advice'), t('sign-in.sudo.wrong_passkey'))}</div>`
  }
${pageHeader({ title: t('sign-in.sudo.title'), lede })}
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
    label: t('sign-in.sudo.with_passkey'),
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
<p><button class="button button-quiet" formaction="/me/sudo/oidc" formnovalidate>${t('sign-in.sudo.confirm_with', { account })}</button></p>`
}
</form>`;
  const scripts = passkey ? [PASSKEY_SCRIPT] : [];
  const head = stylesheets('people/people.css');
  return page({ title: t('sign-in.sudo.title'), body, scripts, head });
}

/** While mail does not work: a recovery code, or a link that whoever runs the server makes. */
function withoutMail(address: string | undefined, wrong: boolean): Html {
  return html`<p>${t('sign-in.sudo.no_mail')}</p>
${field({
  name: 'sudo_code',
  label: t('sign-in.sudo.recovery_code'),
  hint: t('sign-in.sudo.recovery_code_hint'),
  maxlength: 40,
  autocomplete: 'one-time-code',
  spellcheck: false,
  error: wrong ? t('sign-in.sudo.wrong_recovery_code') : undefined,
})}
<div class="actions"><button class="button">${t('sign-in.sudo.confirm_continue')}</button></div>
<p>${t('sign-in.sudo.link_of_server', {
    code: (inside) => html`<code>${inside}</code>`,
    address: address ?? t('sign-in.sudo.your_address'),
  })}</p>`;
}

function codePart(
  address: string,
  { sent, wrong, quiet }: { sent: boolean; wrong: boolean; quiet: boolean },
): Html {
  if (!sent && !wrong)
    return html`<div class="actions"><button class="button${quiet && ' button-quiet'}" formaction="/me/sudo/code"
    formnovalidate>${t('sign-in.sudo.send_me_code')}</button></div>`;
  return html`${sent && html`<p role="status">${t('sign-in.sudo.code_on_its_way', { address: html`<strong class="address">${address}</strong>` })}</p>`}
${field({
  name: 'sudo_code',
  label: t('sign-in.sudo.code'),
  hint: t('sign-in.sudo.code_hint'),
  short: true,
  maxlength: 40,
  autocomplete: 'one-time-code',
  spellcheck: false,
  error: wrong ? t('sign-in.sudo.wrong_code') : undefined,
})}
<div class="actions"><button class="button">${t('sign-in.sudo.confirm_continue')}</button></div>
<p><button class="button button-quiet" formaction="/me/sudo/code" formnovalidate>${t('sign-in.sudo.send_another_code')}</button></p>`;
}

function withoutAddress(passkey: boolean): Html {
  return html`<p>${passkey ? t('sign-in.sudo.no_address_passkey') : t('sign-in.sudo.no_address')}</p>`;
}
