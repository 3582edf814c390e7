import type { TestedMail } from '#content/mail-test.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { PROVIDERS, providerAt, providerOfAddress } from '#kernel/mail/providers.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { notice } from '#views/components/notices.ts';
import { disclosure } from '#views/components/structure.ts';
import type { SettingsPageProps } from './props.ts';

/** Says what is missing before mail can be sent, or where mails go that reach nobody. */
export function mailTrouble({ mail: { missing, folder } }: SettingsPageProps): Html | null {
  if (folder !== undefined)
    return notice(
      'danger',
      t('settings.mail.gets_administrator_server_removes_mailer'),
      t('settings.mail.mails_written_into_folder_server', { folder }),
    );
  if (missing.length === 0) return null;
  return notice(
    'attention',
    html`<p>${t('settings.mail.enter_under_mail', { missing: allOf(missing), link: (inside) => html`<a href="${groupPath('mail')}">${inside}</a>` })}</p>`,
    t('settings.mail.mail_sent'),
  );
}

/** What the provider's customers have to know about the password. */
export function passwordHint({ settings }: SettingsPageProps): Words {
  const known = providerAt(settings['mail.host']) ?? providerOfAddress(settings['mail.from_email']);
  const again = t('settings.mail.enter_again_when_change_server');
  return known?.password === undefined
    ? again
    : t('settings.mail.password_of', { provider: known.name, advice: known.password, again });
}

/** The button for a test mail, its outcome, and the servers that are known. */
export function mailTestForm({ mail, refused }: SettingsPageProps): Html {
  const { tested, ownAddress } = mail;
  const canTest = mail.missing.length === 0;
  const error = errorAt(refused?.errors ?? [], 'to');
  const to = enteredText(refused?.entered ?? {}, 'to', ownAddress ?? '');
  return html`<div id="mail-test">${tested && outcome(tested)}${
    canTest &&
    html`<form method="post" action="/admin/settings/mail/test">${
      ownAddress === undefined
        ? openField({
            name: 'to',
            id: 'to',
            label: t('settings.mail.send_test_to'),
            value: to,
            error,
            type: 'email',
          })
        : html`<p>${t('settings.mail.test_goes_what_saved_above', { address: html`<strong class="address">${displayAddress(ownAddress)}</strong>` })}</p>`
    }<p><button class="button button-quiet">${ownAddress === undefined ? t('settings.mail.send_test') : t('settings.mail.send_test_me')}</button></p></form>`
  }</div>
${disclosure(
  t('settings.mail.servers_known_providers'),
  html`<p>${t('settings.mail.these_servers_port_encryption_left')}</p>
<ul>${PROVIDERS.map(({ name, host }) => html`<li>${t('common.named', { name, value: html`<code class="address">${host}</code>` })}</li>`)}</ul>`,
)}`;
}

function outcome({ ok, to, message, answer, isKept }: TestedMail): Html {
  if (isKept)
    return html`<div role="status">${notice('attention', message, t('settings.mail_notice.folder_title'))}</div>`;
  if (ok)
    return html`<div role="status">${notice('success', t('settings.mail.look_whether_mailbox_among_spam', { to: displayAddress(to) }), t('settings.mail.mail_server_took_mail'))}</div>`;
  const said =
    answer !== undefined &&
    disclosure(t('settings.mail.what_server_said'), html`<p><code class="address">${answer}</code></p>`);
  return html`<div role="alert">${notice('danger', html`<p>${message}</p>${said}`, t('settings.mail.test_sent'))}</div>`;
}
