import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { notice } from '#views/components/notices.ts';
import type { SettingsPageProps } from './props.ts';

/** Says what an OpenID provider is for, and what it has to know of this service. */
export function signInLede({ signIn: { returnTo } }: SettingsPageProps): Html {
  return html`${t('settings.sign_in.people_sign_mail_passkeys_club')}${
    returnTo !== undefined &&
    html` ${t('settings.sign_in.register_service_address', { return: html`<code class="address">${returnTo}</code>` })}`
  }`;
}

/** The button that tries the settings with the provider, and what does not fit. */
export function signInTestForm({ signIn: { tested }, settings }: SettingsPageProps): Html | null {
  if (settings['oidc.issuer'] === null) return null;
  return html`${tested && outcome(tested)}
<form method="post" action="/admin/settings/oidc/test"><p>${t('settings.sign_in.test_asks_provider_what_saved')}</p>
<p><button class="button button-quiet">${t('settings.sign_in.test_provider')}</button></p></form>`;
}

function outcome(findings: readonly Words[]): Html {
  if (findings.length === 0)
    return html`<div role="status">${notice('success', t('settings.sign_in.provider_answers_knows_service'), t('settings.sign_in.everything_fits'))}</div>`;
  const list = html`<ul>${findings.map((finding) => html`<li class="address">${atLineStart(finding)}</li>`)}</ul>`;
  return html`<div role="alert">${notice('danger', list, t('settings.sign_in.sign_yet'))}</div>`;
}
