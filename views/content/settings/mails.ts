import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { MailKind, OutboxMail } from '#kernel/mail/outbox.ts';
import { reasonWords } from '#kernel/mail/reasons.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { empty } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { numberedPages, pageHeader, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';

const KINDS: Record<MailKind, Words> = {
  invitation: t('settings.mails.invitation_vote'),
  resend: t('settings.mails.voting_link_sent_again'),
  reminder: t('settings.mails.reminder_vote'),
  results: t('settings.mails.result_election'),
  'own-link': t('settings.mails.link_somebodys_own_ballots'),
  'sign-in-code': t('settings.mails.sign_code'),
  'passkey-notice': t('settings.mails.notice_about_passkey'),
  'account-notice': t('settings.mails.notice_about_linked_account'),
  'address-notice': t('settings.mails.notice_about_shared_address'),
  'role-notice': t('settings.mails.notice_about_roles'),
  'owner-notice': t('settings.mails.notice_about_new_owner'),
  'settings-notice': t('settings.mails.notice_about_way_sign'),
  'act-notice': t('settings.mails.notice_about_sensitive_act'),
  'calendar-link': t('settings.mails.link_confirm_calendar'),
  'calendar-renewal': t('settings.mails.link_renew_calendar'),
  sample: t('settings.mails.test_mail'),
  'meeting-invitation': t('settings.mails.invitation_meeting'),
  'meeting-after': t('settings.mails.results_minutes_meeting'),
  'minutes-signature': t('settings.mails.minutes_sign'),
  'nomination-call': t('settings.mails.call_candidates'),
  'nomination-consent': t('settings.mails.consent_nomination'),
  'nomination-second': t('settings.mails.seconding_nomination'),
  'nomination-decision': t('settings.mails.decision_nomination'),
  'motion-call': t('settings.mails.call_motions'),
  'motion-consent': t('settings.mails.confirmation_motion'),
  'motion-second': t('settings.mails.seconding_motion'),
  'motion-decision': t('settings.mails.decision_motion'),
  welcome: t('settings.mails.welcome_new_member'),
  'first-test': t('settings.mails.test_mail'),
};

/** How far a mail is, unless it was sent, as most are. */
const STATES: Record<OutboxMail['state'], Html | null> = {
  WAITING: badge(t('settings.mails.waiting'), 'scheduled'),
  SENDING: badge(t('settings.mails.being_sent'), 'scheduled'),
  SENT: null,
  FAILED: badge(t('settings.mails.sent'), 'danger'),
  SKIPPED: badge(t('settings.mails.needed')),
  UNSURE: badge(t('settings.mails.known_whether_sent'), 'scheduled'),
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
  when: Words;
  /** When it is tried again, formatted. */
  next: Words | null;
  mayRepeat: boolean;
}

export interface MailsPageProps {
  mails: readonly ListedMail[];
  show: 'failed' | 'waiting' | undefined;
  page: number;
  pageSize: number;
  total: number;
  done: Words | undefined;
  zone: Words;
  identity: Identity | undefined;
}

const FILTERS = [
  { show: undefined, label: t('settings.mails.all') },
  { show: 'failed', label: t('settings.mails.sent') },
  { show: 'waiting', label: t('settings.mails.waiting') },
] as const;

const pathOf = (show: MailsPageProps['show'], page = 1): string => {
  const query = new URLSearchParams({ ...(show && { show }), ...(page > 1 && { page: String(page) }) });
  return query.size === 0 ? '/admin/mails' : `/admin/mails?${query}`;
};

/** The mails of the last days, the newest first, with the reason where one was not sent. */
export function mailsPage(props: MailsPageProps): Html {
  const { mails, show, page, pageSize, total, done, zone, identity } = props;
  const crumbs = [{ href: '/admin/health', label: t('settings.mails.health') }];
  const body = html`${pageHeader({
    title: t('settings.mails.mails'),
    crumbs,
    lede: t('settings.mails.what_sent_what_waits_what'),
  })}
${doneNotice(done)}<nav class="toolbar" aria-label="${t('settings.mails.which_mails')}">${FILTERS.map(
    (filter) =>
      html`<a class="button button-quiet button-small" href="${pathOf(filter.show)}"${
        filter.show === show && html` aria-current="page"`
      }>${filter.label}</a>\n`,
  )}<a class="button button-quiet button-small" href="${groupPath('mail')}">${t('settings.mails.send_test_mail')}</a></nav>
${
  mails.length === 0
    ? empty(
        t('settings.mails.no_mails'),
        show ? t('settings.mails.mail_state') : t('settings.mails.mail_sent_last_week'),
      )
    : table({
        caption: t('settings.mails.mails'),
        quietCaption: true,
        flows: true,
        columns: [
          { label: t('settings.mails.mail') },
          { label: t('settings.mails.to') },
          { label: t('settings.mails.when') },
          { label: t('settings.mails.state') },
          { label: t('settings.mails.what_done'), quiet: true },
        ],
        rows: mails.map((mail) => [
          KINDS[mail.kind],
          mail.email === null
            ? html`<span class="soft">${t('settings.mails.shown')}</span>`
            : displayAddress(mail.email),
          mail.when,
          (STATES[mail.state] ?? mail.error ?? mail.next) !== null &&
            html`<div>${STATES[mail.state]}${mail.error && html`<p class="small">${reasonWords(mail.error)}</p>`}${
              mail.next &&
              html`<p class="small soft">${t('settings.mails.next_try', { next: mail.next })}</p>`
            }</div>`,
          whatToDo(mail),
        ]),
      })
}
${total > 0 && numberedPages({ page, pageSize, total, of: (range) => t('settings.mails.range_shown', range), href: (number) => pathOf(show, number) })}
${zoneNote(zone)}`;
  return staffPage({ title: t('settings.mails.mails'), body, nav: '/admin/mails', identity });
}

function whatToDo({ id, kind, email, mailing, mayRepeat }: ListedMail): Html | string {
  if (mailing !== null)
    return html`<a href="/admin/mailings/${mailing}">${t('settings.mails.see_mailing')}</a>`;
  if (!mayRepeat) return '';
  return html`<form method="post" action="/admin/mails/${id}/again"><button class="button button-quiet button-small">${email !== null ? t('settings.mails.send_again_to', { span: (inside) => html`<span class="visually-hidden">${inside}</span>`, kinds: KINDS[kind], email }) : t('settings.mails.send_again', { span: (inside) => html`<span class="visually-hidden">${inside}</span>`, kinds: KINDS[kind] })}</button></form>`;
}
