import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatNumber, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { reasonWords } from '#kernel/mail/reasons.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import {
  backTo,
  crumbsTo,
  inMeeting,
  mayDo,
  navOf,
  type OfficerProps,
  officerPage,
  thisOne,
} from '#views/voting/admin/frame.ts';
import { adminPath, calledOf, type Named, sectionPath } from '#views/voting/words.ts';
import { NOT_SENT } from '#voting/invitations/not-sent.ts';
import { invitesPath } from './invites-path.ts';

/** A mailing (one kind of mail to many people), as officers see it. */
export interface ShownMailing {
  id: string;
  kind: 'results' | 'reminders' | 'invitations';
  /** When it began, already formatted. */
  when: Words | string;
  /** The same in a row of a list. */
  listed: Words | string;
  /** The name or address of the officer who started it; null where that is not known. */
  by: string | null;
  total: number;
  skipped: number;
  waiting: number;
  sent: number;
  failed: number;
  /** The number of mails of which it is not known whether they were sent. */
  unsure: number;
  finished: boolean;
  /** Why it ended early. */
  note: string | null;
}

const KINDS: Record<ShownMailing['kind'], Words> = {
  results: t('voting-admin.mailing.result'),
  reminders: t('voting-admin.mailing.reminders'),
  invitations: t('voting-admin.mailing.invitations'),
};

/** A mailing in a sentence: what was sent to how many, and when. */
export function mailingSentence(mailing: ShownMailing): Words {
  const { kind, when, sent, total, finished, failed, unsure, note } = mailing;
  if (kind === 'invitations' && finished && total === 0)
    return t('voting-admin.mailing.mailed_everybody_invitation_already', { when });
  const done = {
    results: t('voting-admin.mailing.result_mailed', { sent, when }),
    reminders: t('voting-admin.mailing.reminded', { sent, when }),
    invitations: t('voting-admin.mailing.invitations_sent', { sent, when }),
  };
  const running = {
    results: t('voting-admin.mailing.result_being_mailed_far', { sent, total }),
    reminders: t('voting-admin.mailing.reminders_being_sent_far', { sent, total }),
    invitations: t('voting-admin.mailing.invitations_being_sent_far', { sent, total }),
  };
  return sentences([
    finished ? done[kind] : running[kind],
    failed > 0 && t('voting-admin.mailing.could_not_be_reached', { failed }),
    unsure > 0 && t('voting-admin.mailing.unsure', { unsure }),
    note !== null && t('voting-admin.mailing.ended_early', { note: reasonWords(note) }),
  ])!;
}

/** Who is counted as left out. */
const LEFT_OUT: Record<ShownMailing['kind'], Words> = {
  results: t('voting-admin.mailing.left_out_those_who_result'),
  reminders: t('voting-admin.mailing.left_out_those_who_voted'),
  invitations: t('voting-admin.mailing.left_out_those_who_address'),
};

/** The list of mailings. */
export function mailingTable(mailings: readonly ShownMailing[]): Html {
  return table({
    caption: t('voting-admin.mailing.what_mailed_many_newest_first'),
    columns: [
      { label: t('voting-admin.mailing.when') },
      { label: t('voting-admin.mailing.what') },
      { label: t('voting-admin.mailing.by') },
      { label: t('voting-admin.mailing.mails') },
    ],
    rows: mailings.map((mailing) => [
      html`<a href="/admin/mailings/${mailing.id}">${mailing.listed}</a>`,
      KINDS[mailing.kind],
      mailing.by ?? '–',
      mails(mailing),
    ]),
  });
}

function mails({ sent, failed, unsure, waiting, total, finished }: ShownMailing): Child {
  if (!finished) return t('voting-admin.mailing.sent_go', { sent, total, waiting });
  return commas([
    t('voting-admin.mailing.sent_count', { sent }),
    failed > 0 && t('voting-admin.mailing.not_reached_count', { failed }),
    unsure > 0 && t('voting-admin.mailing.not_known_count', { unsure }),
  ]);
}

export interface MailingPageProps extends OfficerProps {
  mailing: ShownMailing;
  election: Named;
  /** The mails that failed, with the reasons. */
  failures: readonly { email: string; error: string | null }[];
  /** The number of those that can be tried again. */
  again: number;
  mailReady: boolean;
}

/** The progress of a mailing, which continues without this page. */
export function mailingPage(props: MailingPageProps): Html {
  const { mailing, election, viewer } = props;
  const { kind, finished, sent, failed, waiting, unsure, skipped, when, by } = mailing;
  const title = finished
    ? t('voting-admin.mailing.finished', { kind: KINDS[kind] })
    : t('voting-admin.mailing.being_sent', { kind: KINDS[kind] });
  const body = html`<div id="said"></div>
${pageHeader({
  title: KINDS[kind],
  eyebrow: election.title,
  crumbs: crumbsTo(election.meeting, {
    href: sectionPath(election, 'invitations'),
    label: thisOne(election),
  }),
})}
${inMeeting(
  election.meeting,
  html`<section id="progress" aria-label="${t('voting-admin.mailing.progress')}" data-live>
<div role="status">${notice(kindOf(mailing), mailingSentence(mailing))}</div>
<progress class="progress" max="${Math.max(
    1,
    sent + failed + waiting + unsure,
  )}" value="${sent + failed + unsure}" aria-label="${t('voting-admin.mailing.mails_tried')}"></progress>
${statFigures([
  { label: t('voting-admin.mailing.sent'), value: formatNumber(sent) },
  { label: t('voting-admin.mailing.waiting'), value: formatNumber(waiting) },
  { label: t('voting-admin.mailing.failed'), value: formatNumber(failed) },
  ...(unsure > 0 ? [{ label: t('voting-admin.mailing.not_known'), value: formatNumber(unsure) }] : []),
  ...(skipped > 0 ? [{ label: t('voting-admin.mailing.left_out'), value: formatNumber(skipped) }] : []),
])}
${skipped > 0 && html`<p class="small soft">${LEFT_OUT[kind]}</p>`}
${
  !finished &&
  html`
<p>${
    props.mailReady
      ? t('voting-admin.mailing.leave_page_sending_continues_even')
      : t('voting-admin.mailing.mail_sent_moment_sending_continues')
  }</p><p><a class="button button-quiet" href="/admin/mailings/${mailing.id}">${t('voting-admin.mailing.refresh')}</a></p>`
}
</section>
<p class="small soft">${by ? t('voting-admin.mailing.begun_by', { when, by }) : t('voting-admin.mailing.begun', { when })}</p>
${
  kind === 'invitations' &&
  html`<p><a class="link-alone" href="${invitesPath(election)}">${t('voting-admin.mailing.all_invitations', { called: calledOf(election) })}</a></p>`
}
${props.failures.length > 0 && failed > 0 && failures(props)}
<p class="toolbar"><a class="button button-quiet" href="${sectionPath(election, 'invitations')}">${backTo(election)}</a></p>`,
)}`;
  return officerPage({
    title,
    body,
    nav: navOf(election.meeting),
    viewer,
    ...(!finished && { scripts: ['base/live.js'] }),
    ...(!finished && {
      head: html`<meta name="live-every" content="3"><noscript><meta http-equiv="refresh" content="5"></noscript>`,
    }),
  });
}

function kindOf({ finished, failed, unsure, note }: ShownMailing) {
  if (failed > 0 || unsure > 0 || note !== null) return 'attention';
  return finished ? 'success' : 'info';
}

function failures(props: MailingPageProps): Html {
  const { failures, mailing, again, mailReady } = props;
  return html`<section aria-labelledby="failed-title"><h2 id="failed-title">${t('voting-admin.mailing.not_reached')}</h2>
${table({
  caption: t('voting-admin.mailing.addresses', { failures: failures.length }),
  columns: [{ label: t('voting-admin.mailing.address') }, { label: t('voting-admin.mailing.why') }],
  rows: failures.map(({ email, error }) => [
    html`<span class="address">${displayAddress(email) || t('voting-admin.mailing.somebody_roll')}</span>`,
    reasonWords(error ?? NOT_SENT),
  ]),
})}
${
  again > 0 &&
  mayDo(props, 'elections:run') &&
  html`
<form method="post" action="/admin/mailings/${mailing.id}/failed"><button class="button"${
    !mailReady && html` disabled`
  }>${t('voting-admin.mailing.try_failed_again', { again })}</button></form>`
}</section>`;
}

export interface ResultsAgainProps extends OfficerProps {
  election: Named;
  /** People who have not had the result; `had`: who have it; `unsure`: whose mail may or may not have been sent. */
  fresh: number;
  had: number;
  unsure: number;
  /** When the result was last mailed, already formatted. */
  when: Words | string;
  /** The newest mailing, so that a double click sends only one. */
  after: string;
  mailReady: boolean;
}

/** Asks before people get the same result a second time. */
export function resultsAgainPage(props: ResultsAgainProps): Html {
  const { election, fresh, had, unsure, when, after, mailReady, viewer } = props;
  const title = t('voting-admin.mailing.send_result_again');
  const form = (again: string, label: Words | string, quiet: boolean) =>
    html`<form method="post" action="${adminPath(
      election,
      'results-email',
    )}"><input type="hidden" name="again" value="${again}"><input type="hidden" name="after" value="${after}"><button class="button${
      quiet && ' button-quiet'
    }"${!mailReady && html` disabled`}>${label}</button></form>`;
  const all = fresh + unsure + had;
  const body = html`${pageHeader({
    title,
    eyebrow: election.title,
    crumbs: crumbsTo(election.meeting, {
      href: sectionPath(election, 'invitations'),
      label: thisOne(election),
    }),
  })}
${inMeeting(
  election.meeting,
  html`<p>${sentences([
    had > 0 && t('voting-admin.mailing.people_already_result_last_mailed', { had, when }),
    unsure > 0 && t('voting-admin.mailing.people_known_whether_mail_went', { unsure }),
    fresh > 0
      ? t('voting-admin.mailing.fresh_people', { fresh })
      : unsure === 0 && t('voting-admin.mailing.everybody_who_invited'),
  ])}</p>
<div class="actions">
${fresh > 0 && form('new', t('voting-admin.mailing.send_only_people_who', { fresh }), false)}
${
  unsure > 0 &&
  form(
    'unsure',
    fresh > 0
      ? t('voting-admin.mailing.send_those_whom_known', { unsure })
      : t('voting-admin.mailing.send_whom_known', { unsure }),
    fresh > 0,
  )
}
${had > 0 && form('all', t('voting-admin.mailing.send_again_all', { all }), true)}
<a class="button button-quiet" href="${sectionPath(election, 'invitations')}">${t('voting-admin.mailing.leave')}</a></div>`,
)}`;
  return officerPage({ title, body, nav: navOf(election.meeting), viewer });
}
