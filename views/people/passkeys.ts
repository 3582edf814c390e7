import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { errorAt, namedErrors } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { PASSKEY_SCRIPT, passkeyButton } from '#views/components/passkey-button.ts';
import { hidden } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { type Crumb, pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';

/** Says why there are no passkeys. */
export const NOT_OFFERED = t('sign-in.passkeys.not_offered');

const CRUMBS: Crumb[] = [{ href: '/me', label: t('sign-in.passkeys.you') }];

export interface PasskeysPageProps {
  offered: boolean;
  passkeys: readonly {
    id: string;
    name: string;
    /** Already formatted, as is `used`. */
    created: Words;
    used: Words | null;
    synced: boolean;
    /** The host that it works at, where that is not this one. */
    elsewhere: string | null;
  }[];
}

/** A person's passkeys, with a button to remove each. */
export function passkeysPage({ offered, passkeys }: PasskeysPageProps): Html {
  const lede = t('sign-in.passkeys.lede');
  const body = html`${pageHeader({ title: t('sign-in.passkeys.title'), lede, crumbs: CRUMBS })}
${
  passkeys.length === 0
    ? html`<p>${t('sign-in.passkeys.none')}</p>`
    : html`
<ul class="action-list" role="list">${passkeys.map(passkeyRow)}</ul>`
}
${
  offered
    ? html`<p class="actions"><a class="button" href="/me/passkeys/new">${t('sign-in.passkeys.new_passkey')}</a></p>`
    : html`
<p>${NOT_OFFERED}</p>`
}`;
  return page({ title: t('sign-in.passkeys.title'), body, head: stylesheets('people/people.css') });
}

function passkeyRow({
  id,
  name,
  created,
  used,
  synced,
  elsewhere,
}: PasskeysPageProps['passkeys'][number]): Html {
  const says =
    used === null
      ? t('sign-in.passkeys.made_not_used', { created })
      : t('sign-in.passkeys.made_and_used', { created, used });
  return html`<li><p><strong class="address">${name}</strong> ${
    synced && badge(t('sign-in.passkeys.synced'))
  }<br><span class="soft small">${says}</span>${
    elsewhere !== null &&
    html`<br><span class="small">${t('sign-in.passkeys.made_elsewhere', { elsewhere })}</span>`
  }</p>
<form method="post" action="/me/passkeys/${encodeURIComponent(id)}?_method=DELETE"><button class="button button-text button-small">${t('sign-in.passkeys.remove', { hidden, name })}</button></form></li>\n`;
}

/** The form that makes a passkey and gives it a name. */
export function newPasskeyPage({
  name,
  next,
  refused,
}: {
  /** The proposed name. */
  name: Words | string;
  /** Where to go afterwards. */
  next: string;
  refused?: RefusedForm;
}): Html {
  const errors = refused?.errors ?? [];
  const body = html`${errorSummary(namedErrors(errors))}${
    refused &&
    errors.length === 0 &&
    html`<div role="alert">${notice('danger', refused.message, t('sign-in.passkeys.nothing_stored'))}</div>`
  }
${pageHeader({
  title: t('sign-in.passkeys.new_passkey'),
  lede: t('sign-in.passkeys.new_lede'),
  crumbs: [...CRUMBS, { href: '/me/passkeys', label: t('sign-in.passkeys.title') }],
})}
<form class="card" method="post" action="/me/passkeys">${hiddenInputs({ next })}
${field({
  name: 'name',
  label: t('sign-in.passkeys.name'),
  hint: t('sign-in.passkeys.name_hint'),
  value: name,
  maxlength: 100,
  autocomplete: 'off',
  error: errorAt(errors, 'name'),
})}
${passkeyButton({ options: '/me/passkeys/options', field: 'credential', does: 'create', label: t('sign-in.passkeys.add_passkey') })}
<p class="hint">${t('sign-in.passkeys.no_button')}</p></form>`;
  return page({ title: t('sign-in.passkeys.new_passkey'), body, scripts: [PASSKEY_SCRIPT] });
}
