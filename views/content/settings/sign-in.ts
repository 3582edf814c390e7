import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import type { SettingsPageProps } from './props.ts';

/** Says what an OpenID provider is for, and what it has to know of this service. */
export function signInLede({ signIn: { returnTo } }: SettingsPageProps): Html {
  return html`People sign in by mail and with passkeys. If the club has accounts at an OpenID provider, they can sign in
with these, too.${
    returnTo !== undefined &&
    html` Register this service there with the address <code class="address">${returnTo}</code>.`
  }`;
}

/** The button that tries the settings with the provider, and what does not fit. */
export function signInTestForm({ signIn: { tested }, settings }: SettingsPageProps): Html | null {
  if (settings['oidc.issuer'] === null) return null;
  return html`${tested && outcome(tested)}
<form method="post" action="/admin/settings/oidc/test"><p>A test asks the provider, with what is saved above.</p>
<p><button class="button button-quiet">Test the provider</button></p></form>`;
}

function outcome(findings: readonly string[]): Html {
  if (findings.length === 0)
    return html`<div role="status">${notice('success', 'The provider answers, and knows this service.', 'Everything fits')}</div>`;
  const list = html`<ul>${findings.map((finding) => html`<li class="address">${capital(finding)}</li>`)}</ul>`;
  return html`<div role="alert">${notice('danger', list, 'Nobody can sign in there yet')}</div>`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
