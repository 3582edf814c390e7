import type { TestedMail } from '#content/mail-test.ts';
import { type Html, html } from '#kernel/html.ts';
import { PROVIDERS, providerAt, providerOfAddress } from '#kernel/mail/providers.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { notice } from '#views/components/notices.ts';
import { listed } from '#views/components/numbers.ts';
import { disclosure } from '#views/components/structure.ts';
import type { SettingsPageProps } from './props.ts';

/** Says what is missing before mail can be sent, or where mails go that reach nobody. */
export function mailTrouble({ mail: { missing, folder } }: SettingsPageProps): Html | null {
  if (folder !== undefined)
    return notice(
      'danger',
      'Nobody gets them. The administrator of the server removes MAILER_URL; the mail server is then entered here.',
      `Mails are written into a folder of the server: ${folder}`,
    );
  if (missing.length === 0) return null;
  return notice(
    'attention',
    html`<p>Enter ${listed([...missing])} under <a href="${groupPath('mail')}">Mail</a>.</p>`,
    'No mail can be sent',
  );
}

/** What the provider's customers have to know about the password. */
export function passwordHint({ settings }: SettingsPageProps): string {
  const known = providerAt(settings['mail.host']) ?? providerOfAddress(settings['mail.from_email']);
  const again = 'Enter it again when you change the server.';
  return known?.password === undefined ? again : `${known.name}: ${known.password} ${again}`;
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
        ? openField({ name: 'to', id: 'to', label: 'Send a test to', value: to, error, type: 'email' })
        : html`<p>A test goes to <strong class="address">${displayAddress(ownAddress)}</strong>, with what is saved above.</p>`
    }<p><button class="button button-quiet">${ownAddress === undefined ? 'Send a test' : 'Send a test to me'}</button></p></form>`
  }</div>
${disclosure(
  'Servers of known providers',
  html`<p>With one of these servers, the port and the encryption can be left empty.</p>
<ul>${PROVIDERS.map(({ name, host }) => html`<li>${name}: <code class="address">${host}</code></li>`)}</ul>`,
)}`;
}

function outcome({ ok, to, message, answer }: TestedMail): Html {
  if (ok)
    return html`<div role="status">${notice('success', `${message} Look whether it is in the mailbox of ${displayAddress(to)}, and not among the spam.`, 'The mail server took the mail')}</div>`;
  const said =
    answer !== undefined &&
    disclosure('What the server said', html`<p><code class="address">${answer}</code></p>`);
  return html`<div role="alert">${notice('danger', html`<p>${message}</p>${said}`, 'The test was not sent')}</div>`;
}
