import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { errorAt, namedErrors } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { hidden, linkTo } from '#views/components/slots.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** Says why the sign-in with the provider failed, and leads to the sign-in by mail. */
export function oidcRefusedPage({ club, message }: { club: string; message: Words | string }): Html {
  const body = html`${pageHeader({ title: message, eyebrow: club, lede: t('sign-in.oidc.refused') })}
<p><a class="button" href="/sign-in">${t('sign-in.oidc.back_signing')}</a></p>`;
  return page({ title: message, body });
}

/** Asks for the address on the roll to link an account; needed once for each account. */
export function oidcLinkPage({
  club,
  name,
  account,
  email = '',
  errors = [],
}: {
  club: string;
  name: string;
  /** The address that the provider has for the account. */
  account: string | null;
  email?: string;
  errors?: readonly FieldError[];
}): Html {
  const body = html`${errorSummary(namedErrors(errors))}
${pageHeader({
  title: t('sign-in.oidc.who_here'),
  eyebrow: club,
  lede: t('sign-in.oidc.not_known', { name }),
})}
${
  account &&
  html`<p>${t('sign-in.oidc.came_with', { account: html`<strong>${account}</strong>`, link: linkTo('/sign-in') })}</p>`
}
<form class="card" method="post" action="/sign-in/oidc/link">
${field({
  name: 'email',
  label: t('sign-in.oidc.e_mail_address'),
  type: 'email',
  value: email || account,
  autocomplete: 'username',
  spellcheck: false,
  maxlength: 254,
  error: errorAt(errors, 'email'),
})}
<div class="actions"><button class="button button-large">${t('sign-in.oidc.send_me_code')}</button></div></form>`;
  return page({ title: t('sign-in.oidc.who_here'), body });
}

/** The accounts that sign a person in, with buttons to add and remove one. */
export function accountsPage({
  name,
  links,
  done,
}: {
  /** The name of the provider; undefined while none is set: linked accounts can still be removed. */
  name: string | undefined;
  links: readonly { id: string; issuer: string; since: Words }[];
  done?: Words | undefined;
}): Html {
  const body = html`${pageHeader({ title: t('sign-in.oidc.title'), crumbs: [{ href: '/me', label: t('sign-in.oidc.you') }] })}
${done && html`<div role="status">${notice('success', done)}</div>`}
${links.length === 0 && html`<p>${t('sign-in.oidc.none_yet')}</p>`}
<ul class="action-list" role="list">${links.map(
    ({ id, issuer, since }) =>
      html`<li><p><strong>${issuer}</strong><br><span class="soft small">${t('sign-in.oidc.since', { since })}</span></p>
<form method="post" action="/me/oidc/${id}?_method=DELETE"><button class="button button-quiet button-small">${t('sign-in.oidc.remove', { hidden, issuer, since })}</button></form></li>\n`,
  )}</ul>
${
  name !== undefined &&
  html`
<form method="post" action="/me/oidc"><button class="button">${t('sign-in.oidc.add_account', { name })}</button></form>`
}`;
  return page({ title: t('sign-in.oidc.title'), body });
}

/** A page with a link to the provider, because forms of this service may not redirect to another host. */
export function goToProviderPage({
  name,
  address,
  lede,
}: {
  name: string;
  address: string;
  lede: Words;
}): Html {
  const title = t('sign-in.oidc.go_on_at', { name });
  const body = html`${pageHeader({ title, lede, crumbs: [{ href: '/me/oidc', label: t('sign-in.oidc.your_accounts') }] })}
<p><a class="button button-large" href="${address}" rel="noreferrer">${title}</a></p>`;
  return page({ title, body });
}

/** The page after a confirmation at the provider: its button sends the interrupted form again. */
export function confirmedPage({
  to,
  fields,
}: {
  to: string;
  fields: Readonly<Record<string, readonly string[]>>;
}): Html {
  const body = html`${pageHeader({
    title: t('sign-in.oidc.confirmed'),
    lede: t('sign-in.oidc.not_done_yet'),
  })}
<form class="card" method="post" action="${to}">${hiddenInputs(fields)}
<div class="actions"><button class="button button-large">${t('sign-in.oidc.go_on')}</button></div></form>`;
  return page({ title: t('sign-in.oidc.confirmed'), body });
}

/** The page after signing out here, because the browser may still be signed in at the provider. */
export function signedOutPage({ name, address }: { name: string; address: string }): Html {
  const body = html`${pageHeader({
    title: t('sign-in.oidc.signed_out'),
    lede: t('sign-in.oidc.still_signed_in', { name }),
  })}
<p><a class="button" href="${address}" rel="noreferrer">${t('sign-in.oidc.sign_out', { name })}</a></p>
<p><a class="link-alone" href="/">${t('sign-in.oidc.leave')}</a></p>`;
  return page({ title: t('sign-in.oidc.signed_out'), body });
}
