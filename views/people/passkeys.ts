import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { errorAt, namedErrors } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { PASSKEY_SCRIPT, passkeyButton } from '#views/components/passkey-button.ts';
import { badge } from '#views/components/status.ts';
import { type Crumb, pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';

/** Says why there are no passkeys. */
export const NOT_OFFERED =
  'This service offers no passkeys: they need an address with a name that begins with https.';

const CRUMBS: Crumb[] = [{ href: '/me', label: 'You' }];

export interface PasskeysPageProps {
  offered: boolean;
  passkeys: readonly {
    id: string;
    name: string;
    /** Already formatted, as is `used`. */
    created: string;
    used: string | null;
    synced: boolean;
    /** The host that it works at, where that is not this one. */
    elsewhere: string | null;
  }[];
}

/** A person's passkeys, with a button to remove each. */
export function passkeysPage({ offered, passkeys }: PasskeysPageProps): Html {
  const lede =
    'A passkey signs you in with your fingerprint, your face or the code of your device. It needs no ' +
    'mail, and nobody can steal it from the club.';
  const body = html`${pageHeader({ title: 'Your passkeys', lede, crumbs: CRUMBS })}
${
  passkeys.length === 0
    ? html`<p>You have none.</p>`
    : html`
<ul class="action-list" role="list">${passkeys.map(passkeyRow)}</ul>`
}
${
  offered
    ? html`<p class="actions"><a class="button" href="/me/passkeys/new">New passkey</a></p>`
    : html`
<p>${NOT_OFFERED}</p>`
}`;
  return page({ title: 'Your passkeys', body, head: stylesheets('people/people.css') });
}

function passkeyRow({
  id,
  name,
  created,
  used,
  synced,
  elsewhere,
}: PasskeysPageProps['passkeys'][number]): Html {
  const says = `Made ${created}, ${used === null ? 'not used yet' : `last used ${used}`}`;
  return html`<li><p><strong class="address">${name}</strong> ${
    synced && badge('Synced')
  }<br><span class="soft small">${says}</span>${
    elsewhere !== null && html`<br><span class="small">Made for ${elsewhere}: it does not work here.</span>`
  }</p>
<form method="post" action="/me/passkeys/${encodeURIComponent(id)}?_method=DELETE"><button class="button button-text button-small">Remove<span class="visually-hidden"> ${name}</span></button></form></li>\n`;
}

/** The form that makes a passkey and gives it a name. */
export function newPasskeyPage({
  name,
  next,
  refused,
}: {
  /** The proposed name. */
  name: string;
  /** Where to go afterwards. */
  next: string;
  refused?: RefusedForm;
}): Html {
  const errors = refused?.errors ?? [];
  const body = html`${errorSummary(namedErrors(errors))}${
    refused &&
    errors.length === 0 &&
    html`<div role="alert">${notice('danger', refused.message, 'Nothing was stored')}</div>`
  }
${pageHeader({
  title: 'New passkey',
  lede: 'Your device asks for your fingerprint, your face or its code, and keeps the key.',
  crumbs: [...CRUMBS, { href: '/me/passkeys', label: 'Your passkeys' }],
})}
<form class="card" method="post" action="/me/passkeys">${hiddenInputs({ next })}
${field({
  name: 'name',
  label: 'Name',
  hint: 'So that you know it again in the list.',
  value: name,
  maxlength: 100,
  autocomplete: 'off',
  error: errorAt(errors, 'name'),
})}
${passkeyButton({ options: '/me/passkeys/options', field: 'credential', does: 'create', label: 'Add a passkey' })}
<p class="hint">Where there is no button, this browser has no passkeys, or its script is off.</p></form>`;
  return page({ title: 'New passkey', body, scripts: [PASSKEY_SCRIPT] });
}
