import { type Child, type Html, html } from '#kernel/html.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { pageHeader, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import {
  crumbsTo,
  inMeeting,
  mayDo,
  navOf,
  type OfficerProps,
  officerPage,
} from '#views/voting/admin/frame.ts';
import { adminPath, calledOf, type Named, sectionPath } from '#views/voting/words.ts';
import { invitesPath } from './invites-path.ts';

/** A mailing (one kind of mail to many people), as officers see it. */
export interface ShownMailing {
  id: string;
  kind: 'results' | 'reminders' | 'invitations';
  /** When it began, already formatted. */
  when: string;
  /** The same in a row of a list. */
  listed: string;
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

const KINDS: Record<ShownMailing['kind'], string> = {
  results: 'Result',
  reminders: 'Reminders',
  invitations: 'Invitations',
};

/** A mailing in a sentence: what was sent to how many, and when. */
export function mailingSentence(mailing: ShownMailing): string {
  const { kind, when, sent, total, finished, failed, unsure, note } = mailing;
  if (kind === 'invitations' && finished && total === 0)
    return `Nobody was mailed on ${when}: everybody has an invitation already.`;
  const people = counted(sent, 'person', 'people');
  const done = {
    results: `Result mailed to ${people} on ${when}`,
    reminders: `${people} reminded on ${when}`,
    invitations: `${counted(sent, 'invitation')} sent, from ${when} on`,
  };
  const running = {
    results: `The result is being mailed: ${count(sent)} of ${count(total)} so far`,
    reminders: `Reminders are being sent: ${count(sent)} of ${count(total)} so far`,
    invitations: `Invitations are being sent: ${count(sent)} of ${count(total)} so far`,
  };
  const more = [
    ...(failed > 0 ? [`${count(failed)} could not be reached`] : []),
    ...(unsure > 0 ? [`of ${count(unsure)} it is not known whether the mail went out`] : []),
    ...(note === null ? [] : [`it ended early: ${note}`]),
  ];
  return [finished ? done[kind] : running[kind], ...more].join('; ').concat('.');
}

/** Who is counted as left out. */
const LEFT_OUT: Record<ShownMailing['kind'], string> = {
  results: 'Left out are those who have the result already.',
  reminders:
    'Left out are those who have voted, who had a mail within 24 hours, or who were not mailed before.',
  invitations:
    'Left out are those who have no address and get a slip to print, and those who were invited before: ' +
    'one for each election.',
};

/** The list of mailings. */
export function mailingTable(mailings: readonly ShownMailing[]): Html {
  return table({
    caption: 'What was mailed to many, the newest first',
    columns: [{ label: 'When' }, { label: 'What' }, { label: 'By' }, { label: 'Mails' }],
    rows: mailings.map((mailing) => [
      html`<a href="/admin/mailings/${mailing.id}">${mailing.listed}</a>`,
      KINDS[mailing.kind],
      mailing.by ?? '–',
      mails(mailing),
    ]),
  });
}

function mails({ sent, failed, unsure, waiting, total, finished }: ShownMailing): Child {
  if (!finished) return `${count(sent)} of ${count(total)} sent, ${count(waiting)} to go`;
  const parts = [
    `${count(sent)} sent`,
    ...(failed > 0 ? [`${count(failed)} not reached`] : []),
    ...(unsure > 0 ? [`${count(unsure)} not known`] : []),
  ];
  return parts.join(', ');
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
  const title = finished ? `${KINDS[kind]}: finished` : `${KINDS[kind]}: being sent`;
  const body = html`<div id="said"></div>
${pageHeader({
  title: KINDS[kind],
  eyebrow: election.title,
  crumbs: crumbsTo(election.meeting, {
    href: sectionPath(election, 'invitations'),
    label: `This ${calledOf(election)}`,
  }),
})}
${inMeeting(
  election.meeting,
  html`<section id="progress" aria-label="Progress" data-live>
<div role="status">${notice(kindOf(mailing), mailingSentence(mailing))}</div>
<progress class="progress" max="${Math.max(
    1,
    sent + failed + waiting + unsure,
  )}" value="${sent + failed + unsure}" aria-label="Mails that were tried"></progress>
${statFigures([
  { label: 'Sent', value: count(sent) },
  { label: 'Waiting', value: count(waiting) },
  { label: 'Failed', value: count(failed) },
  ...(unsure > 0 ? [{ label: 'Not known', value: count(unsure) }] : []),
  ...(skipped > 0 ? [{ label: 'Left out', value: count(skipped) }] : []),
])}
${skipped > 0 && html`<p class="small soft">${LEFT_OUT[kind]}</p>`}
${
  !finished &&
  html`
<p>${
    props.mailReady
      ? 'You can leave this page: sending continues, even after a restart.'
      : 'No mail can be sent at the moment. Sending continues once mail works.'
  }</p><p><a class="button button-quiet" href="/admin/mailings/${mailing.id}">Refresh</a></p>`
}
</section>
<p class="small soft">Begun ${when}${by && ` by ${by}`}.</p>
${
  kind === 'invitations' &&
  html`<p><a class="link-alone" href="${invitesPath(election)}">All invitations
of this ${calledOf(election)}</a></p>`
}
${props.failures.length > 0 && failed > 0 && failures(props)}
<p class="toolbar"><a class="button button-quiet" href="${sectionPath(election, 'invitations')}">Back to the ${calledOf(election)}</a></p>`,
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
  return html`<section aria-labelledby="failed-title"><h2 id="failed-title">Not reached</h2>
${table({
  caption: counted(failures.length, 'address', 'addresses'),
  columns: [{ label: 'Address' }, { label: 'Why' }],
  rows: failures.map(({ email, error }) => [
    html`<span class="address">${displayAddress(email) || 'Somebody from the roll'}</span>`,
    error ?? 'Not sent',
  ]),
})}
${
  again > 0 &&
  mayDo(props, 'elections:run') &&
  html`
<form method="post" action="/admin/mailings/${mailing.id}/failed"><button class="button"${
    !mailReady && html` disabled`
  }>Try the ${count(again)} failed again</button></form>`
}</section>`;
}

export interface ResultsAgainProps extends OfficerProps {
  election: Named;
  /** People who have not had the result; `had`: who have it; `unsure`: whose mail may or may not have been sent. */
  fresh: number;
  had: number;
  unsure: number;
  /** When the result was last mailed, already formatted. */
  when: string;
  /** The newest mailing, so that a double click sends only one. */
  after: string;
  mailReady: boolean;
}

/** Asks before people get the same result a second time. */
export function resultsAgainPage(props: ResultsAgainProps): Html {
  const { election, fresh, had, unsure, when, after, mailReady, viewer } = props;
  const title = 'Send the result again?';
  const form = (again: string, label: string, quiet: boolean) =>
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
      label: `This ${calledOf(election)}`,
    }),
  })}
${inMeeting(
  election.meeting,
  html`<p>${had > 0 && html`${counted(had, 'person already has', 'people already have')} the result, last mailed ${when}.`}
${
  unsure > 0 &&
  html` Of ${counted(unsure, 'person', 'people')} it is not known whether the mail went out,
because the service ended meanwhile.`
}
${
  fresh === 0
    ? unsure === 0
      ? 'Everybody who was invited has it.'
      : null
    : html`${counted(fresh, 'person has', 'people have')} not had it.`
}</p>
<div class="actions">
${
  fresh > 0 &&
  form(
    'new',
    `Send it only to the ${counted(
      fresh,
      'person',
      'people',
    )} who ${fresh === 1 ? 'has' : 'have'} not had it`,
    false,
  )
}
${
  unsure > 0 &&
  form(
    'unsure',
    fresh > 0
      ? `Send it to those and to the ${count(unsure)} of whom it is not known`
      : `Send it to the ${count(unsure)} of whom it is not known`,
    fresh > 0,
  )
}
${had > 0 && form('all', `Send it again to all ${count(all)}`, true)}
<a class="button button-quiet" href="${sectionPath(election, 'invitations')}">No, leave it</a></div>`,
)}`;
  return officerPage({ title, body, nav: navOf(election.meeting), viewer });
}
