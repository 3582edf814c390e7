import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { errorAt, namedErrors } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** Says why the sign-in with the provider failed, and leads to the sign-in by mail. */
export function oidcRefusedPage({ club, message }: { club: string; message: string }): Html {
  const body = html`${pageHeader({ title: message, eyebrow: club, lede: 'You can also sign in with a mailed code.' })}
<p><a class="button" href="/sign-in">Back to signing in</a></p>`;
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
  title: 'Who are you here?',
  eyebrow: club,
  lede: `The club does not know this account at ${name} yet. Enter the e-mail address the club has for you. We mail you a code once; after that this account signs you in.`,
})}
${
  account &&
  html`<p>You came with the account <strong>${account}</strong>. Is it not
yours? <a href="/sign-in">Sign in another way</a>.</p>`
}
<form class="card" method="post" action="/sign-in/oidc/link">
${field({
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  value: email || account,
  autocomplete: 'username',
  spellcheck: false,
  maxlength: 254,
  error: errorAt(errors, 'email'),
})}
<div class="actions"><button class="button button-large">Send me a code</button></div></form>`;
  return page({ title: 'Who are you here?', body });
}

/** The accounts that sign a person in, with buttons to add and remove one. */
export function accountsPage({
  name,
  links,
  done,
}: {
  /** The name of the provider; undefined while none is set: linked accounts can still be removed. */
  name: string | undefined;
  links: readonly { id: string; issuer: string; since: string }[];
  done?: string | undefined;
}): Html {
  const body = html`${pageHeader({ title: 'Accounts that sign you in', crumbs: [{ href: '/me', label: 'You' }] })}
${done && html`<div role="status">${notice('success', done)}</div>`}
${links.length === 0 && html`<p>None yet.</p>`}
<ul class="action-list" role="list">${links.map(
    ({ id, issuer, since }) =>
      html`<li><p><strong>${issuer}</strong><br><span class="soft small">Since ${since}</span></p>
<form method="post" action="/me/oidc/${id}?_method=DELETE"><button class="button button-quiet button-small">Remove<span class="visually-hidden"> the account at ${issuer} of ${since}</span></button></form></li>\n`,
  )}</ul>
${
  name !== undefined &&
  html`
<form method="post" action="/me/oidc"><button class="button">Add an account at ${name}</button></form>`
}`;
  return page({ title: 'Accounts that sign you in', body });
}

/** A page with a link to the provider, because forms of this service may not redirect to another host. */
export function goToProviderPage({
  name,
  address,
  lede,
}: {
  name: string;
  address: string;
  lede: string;
}): Html {
  const title = `Go on at ${name}`;
  const body = html`${pageHeader({ title, lede, crumbs: [{ href: '/me/oidc', label: 'Your accounts' }] })}
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
    title: 'You have confirmed that it is you',
    lede: 'What you were doing has not been done yet.',
  })}
<form class="card" method="post" action="${to}">${hiddenInputs(fields)}
<div class="actions"><button class="button button-large">Go on</button></div></form>`;
  return page({ title: 'You have confirmed that it is you', body });
}

/** The page after signing out here, because the browser may still be signed in at the provider. */
export function signedOutPage({ name, address }: { name: string; address: string }): Html {
  const body = html`${pageHeader({
    title: 'You are signed out',
    lede: `At ${name} this browser may still be signed in. On a device that others use, sign out there as well.`,
  })}
<p><a class="button" href="${address}" rel="noreferrer">Sign out at ${name}</a></p>
<p><a class="link-alone" href="/">Leave it at that</a></p>`;
  return page({ title: 'You are signed out', body });
}
