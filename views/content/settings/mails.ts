import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { MailKind, OutboxMail } from '#kernel/mail/outbox.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { empty } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { numberedPages, pageHeader, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';

const KINDS: Record<MailKind, string> = {
  invitation: 'Invitation to vote',
  resend: 'Voting link, sent again',
  reminder: 'Reminder to vote',
  results: 'Result of an election',
  'own-link': 'Link to somebody’s own ballots',
  'sign-in-code': 'Sign-in code',
  'passkey-notice': 'Notice about a passkey',
  'account-notice': 'Notice about a linked account',
  'address-notice': 'Notice about a shared address',
  'role-notice': 'Notice about roles',
  'owner-notice': 'Notice about a new owner',
  'settings-notice': 'Notice about a way to sign in',
  'act-notice': 'Notice about a sensitive act',
  'calendar-link': 'Link to confirm a calendar',
  'calendar-renewal': 'Link to renew a calendar',
  sample: 'Test mail',
  'meeting-invitation': 'Invitation to a meeting',
  'meeting-after': 'Results or minutes of a meeting',
  'minutes-signature': 'Minutes to sign',
  'nomination-call': 'Call for candidates',
  'nomination-consent': 'Consent to a nomination',
  'nomination-second': 'Seconding a nomination',
  'nomination-decision': 'Decision on a nomination',
  'motion-call': 'Call for motions',
  'motion-consent': 'Confirmation of a motion',
  'motion-second': 'Seconding a motion',
  'motion-decision': 'Decision on a motion',
  welcome: 'Welcome to a new member',
  'first-test': 'Test mail',
};

/** How far a mail is, unless it was sent, as most are. */
const STATES: Record<OutboxMail['state'], Html | null> = {
  WAITING: badge('Waiting', 'scheduled'),
  SENDING: badge('Being sent', 'scheduled'),
  SENT: null,
  FAILED: badge('Not sent', 'danger'),
  SKIPPED: badge('Not needed'),
  UNSURE: badge('Not known whether sent', 'scheduled'),
};

export interface ListedMail {
  id: string;
  kind: MailKind;
  /** Null if the reader may not see addresses. */
  email: string | null;
  state: OutboxMail['state'];
  error: string | null;
  /** The id of its mailing, if that has a page. */
  mailing: string | null;
  /** When it was sent, given up or stored, formatted. */
  when: string;
  /** When it is tried again, formatted. */
  next: string | null;
  mayRepeat: boolean;
}

export interface MailsPageProps {
  mails: readonly ListedMail[];
  show: 'failed' | 'waiting' | undefined;
  page: number;
  pageSize: number;
  total: number;
  done: string | undefined;
  zone: string;
  identity: Identity | undefined;
}

const FILTERS = [
  { show: undefined, label: 'All' },
  { show: 'failed', label: 'Not sent' },
  { show: 'waiting', label: 'Waiting' },
] as const;

const pathOf = (show: MailsPageProps['show'], page = 1): string => {
  const query = new URLSearchParams({ ...(show && { show }), ...(page > 1 && { page: String(page) }) });
  return query.size === 0 ? '/admin/mails' : `/admin/mails?${query}`;
};

/** The mails of the last days, the newest first, with the reason where one was not sent. */
export function mailsPage(props: MailsPageProps): Html {
  const { mails, show, page, pageSize, total, done, zone, identity } = props;
  const crumbs = [{ href: '/admin/health', label: 'Health' }];
  const body = html`${pageHeader({
    title: 'Mails',
    crumbs,
    lede: 'What was sent, what waits and what failed. Most are listed for a week.',
  })}
${doneNotice(done)}<nav class="toolbar" aria-label="Which mails">${FILTERS.map(
    (filter) =>
      html`<a class="button button-quiet button-small" href="${pathOf(filter.show)}"${
        filter.show === show && html` aria-current="page"`
      }>${filter.label}</a>\n`,
  )}<a class="button button-quiet button-small" href="${groupPath('mail')}">Send a test mail</a></nav>
${
  mails.length === 0
    ? empty('No mails', show ? 'No mail is in this state.' : 'No mail was sent in the last week.')
    : table({
        caption: 'Mails',
        quietCaption: true,
        flows: true,
        columns: [
          { label: 'Mail' },
          { label: 'To' },
          { label: 'When' },
          { label: 'State' },
          { label: 'What can be done', quiet: true },
        ],
        rows: mails.map((mail) => [
          KINDS[mail.kind],
          mail.email === null ? html`<span class="soft">not shown</span>` : displayAddress(mail.email),
          mail.when,
          (STATES[mail.state] ?? mail.error ?? mail.next) !== null &&
            html`<div>${STATES[mail.state]}${mail.error && html`<p class="small">${mail.error}</p>`}${
              mail.next && html`<p class="small soft">Next try: ${mail.next}</p>`
            }</div>`,
          whatToDo(mail),
        ]),
      })
}
${total > 0 && numberedPages({ page, pageSize, total, of: 'mails', href: (number) => pathOf(show, number) })}
${zoneNote(zone)}`;
  return staffPage({ title: 'Mails', body, nav: '/admin/mails', identity });
}

function whatToDo({ id, kind, email, mailing, mayRepeat }: ListedMail): Html | string {
  if (mailing !== null) return html`<a href="/admin/mailings/${mailing}">See the mailing</a>`;
  if (!mayRepeat) return '';
  return html`<form method="post" action="/admin/mails/${id}/again"><button class="button button-quiet button-small">Send again<span class="visually-hidden">: ${KINDS[kind]}${
    email !== null && `, ${email}`
  }</span></button></form>`;
}
