import { type Html, html } from '#kernel/html.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { folderNotice, notice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { NOT_OFFERED_YET } from './passkeys.ts';

/** The address of the page that follows the set-up. */
export const FIRST_STEPS = '/me/first-steps';

/** The outcome of a test mail; `error` is the answer of the mail server. */
export type TestMail = { to: string } & ({ ok: true } | { ok: false; error: string });

export interface FirstStepsPageProps {
  name: string;
  /** The address that a test mail is sent to. */
  email: string | undefined;
  /** The missing settings, without which no mail can be sent. */
  missing: readonly string[];
  /** Whether mails go into a folder on the server, in production. */
  inFolder?: boolean;
  tested?: TestMail | undefined;
  passkeys: { count: number; offered: boolean };
  recoveryCodes: number;
}

/** The first steps of an owner after the set-up: test that mails arrive, and prepare to sign in without one. */
export function firstStepsPage(props: FirstStepsPageProps): Html {
  const title = 'Set up in three steps';
  const body = html`${pageHeader({
    title,
    lede: 'See that mails arrive, and that you get in when they do not. Your own page leads here again.',
    crumbs: [{ href: '/me', label: 'You' }],
  })}
<h2>1. The first owner</h2><p>${badge('Done', 'open')} It is you, ${props.name}.</p>
<h2>2. Mail</h2>${mailStep(props)}
<h2>3. When no mail arrives</h2>
<p>Codes to sign in come by mail. With a passkey or a recovery code you get in without one.</p>
<h3>A passkey</h3>${passkeyStep(props.passkeys)}
<h3>Recovery codes</h3>
<p>${
    props.recoveryCodes > 0
      ? html`${badge('Done', 'open')} You have ${counted(props.recoveryCodes, 'code')} left.
New ones end those from before.`
      : 'Eight codes on paper. Each signs you in once.'
  }</p>
<form method="post" action="/me/recovery-codes"><button class="button button-quiet">Make recovery codes</button></form>
<h2>Then</h2><p>Bring <a href="/admin/people">the members</a> in, and give <a href="/admin/pub/roles">roles</a> to those who help.</p>`;
  return page({ title, body, head: stylesheets('people/people.css') });
}

function mailStep({ email, missing, inFolder, tested }: FirstStepsPageProps): Html {
  if (inFolder) return folderNotice();
  if (missing.length > 0)
    return html`<p>${badge('Missing', 'danger')} No mail can be sent: ${listed([...missing])} ${
      missing.length === 1 ? 'is' : 'are'
    } not set. Set what is missing and start the service again.</p>`;
  if (email === undefined) return html`<p>The club has no address of yours to send a test mail to.</p>`;
  return html`${tested && testResult(tested)}
<p>A mail goes to <strong class="address">${displayAddress(email)}</strong>. See whether it arrives, and not
among the spam.</p>
<form method="post" action="${FIRST_STEPS}/test-mail"><button class="button">Send a test mail</button></form>`;
}

function testResult(tested: TestMail): Html {
  if (tested.ok)
    return html`<div role="status">${notice(
      'success',
      `Look whether it arrives at ${tested.to}.`,
      'The mail server took the mail',
    )}</div>`;
  return html`<div role="alert">${notice(
    'danger',
    html`
  <p>Its answer: <code class="address">${tested.error}</code></p>`,
    'The mail was not sent',
  )}</div>`;
}

function passkeyStep({ count, offered }: FirstStepsPageProps['passkeys']): Html {
  if (!offered) return html`<p>${NOT_OFFERED_YET}</p>`;
  const says =
    count > 0
      ? html`${badge('Done', 'open')} You have ${counted(count, 'passkey')}.`
      : 'Your device keeps a key that signs you in.';
  return html`<p>${says}</p>
  <p><a class="button button-quiet" href="/me/passkeys/new?next=${FIRST_STEPS}">Add a passkey</a></p>`;
}
