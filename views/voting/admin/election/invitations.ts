import { type Child, type Html, html } from '#kernel/html.ts';
import { isTicked } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { pagination, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { mayDo, pageSection } from '#views/voting/admin/frame.ts';
import {
  batchNameField,
  mailNotice,
  modeChoice,
  queueBox,
  recipientFields,
  whileMailReady,
} from '#views/voting/admin/invitations/invite-fields.ts';
import { mailedTable } from '#views/voting/admin/invitations/mail-results.ts';
import { adminElectionPath } from '#views/voting/words.ts';
import {
  type ElectionPageProps,
  type Invitations,
  type InviteFilter,
  type InviteRow,
  problemOf,
} from './props.ts';

/** A warning at the top of the page, exactly while voting is open and somebody who was to be invited is not. */
export function unsentNotice({ election, invitations }: ElectionPageProps): Html | null {
  if (!invitations || election.status !== 'open') return null;
  const { queued, failed } = invitations.counts;
  const unsent = queued + failed;
  if (unsent === 0) return null;
  const show = (filter: InviteFilter, words: string) =>
    html`<a href="${filterPath(election.id, filter)}">${words}</a>`;
  return notice(
    'danger',
    html`<p>Voting is open, and ${unsent === 1 ? 'this person has' : 'these people have'} no link.
${queued > 0 && html`${show('queued', `${count(queued)} queued`)}: the house sends ${queued === 1 ? 'it' : 'them'} by itself${invitations.mailReady ? '; if this does not change within minutes, see whether mail works.' : ', but no mail can be sent now.'}`}
${failed > 0 && html`${show('failed', `${count(failed)} failed`)}: try again, or hand out printed voting codes.`}</p>`,
    `${counted(unsent, 'invitation')} ${unsent === 1 ? 'has' : 'have'} not been sent`,
  );
}

/** Who was invited, who was reached, who has not voted; and the mails that can be sent. */
export function invitationsSection(props: ElectionPageProps, said: Html | null): Html | null {
  const { invitations } = props;
  if (!invitations) return null;
  const closed = props.election.status === 'closed';
  const mayRun = mayDo(props, 'elections:run');
  return pageSection({
    id: 'invitations',
    title: 'Invitations',
    about: `Each is a mail with a voting link of its own. ${invitations.showVoters ? 'You see whether a link was used, never what for: the ballot is kept apart from it.' : 'This election shows live results, so nobody sees who has voted before it closes.'}`,
    work: html`${said}${mailedReport(invitations.mailed)}
${mayRun && mailNotice(invitations)}
${total(invitations) > 0 && figures(props, invitations)}
${
  mayRun &&
  whileMailReady(
    invitations.mailReady,
    html`${closed ? html`<p class="soft">Voting has closed, so nobody can be invited any more.</p>` : inviteForm(props, invitations)}${massMails(props, invitations)}`,
  )
}
${total(invitations) > 0 && inviteList(props, invitations)}`,
  });
}

function total({ counts: { queued, sent, failed } }: Invitations): number {
  return queued + sent + failed;
}

function figures({ election }: ElectionPageProps, invitations: Invitations): Html {
  const { counts, goesOut } = invitations;
  const { queued, sent, failed, used } = counts;
  return html`<div class="invite-figures">${statFigures([
    { label: 'Sent', value: count(sent) },
    { label: 'Queued', value: count(queued) },
    { label: 'Failed', value: count(failed) },
    { label: 'Have voted', value: count(used) },
  ])}</div>
${queued > 0 && election.status === 'scheduled' && html`<p><strong>Queued: ${count(queued)}.</strong> ${queued === 1 ? 'It goes' : 'They go'} out ${goesOut ?? 'when voting opens'}, by ${queued === 1 ? 'itself' : 'themselves'}.</p>`}
${slips(election, invitations)}
${failed > 0 && election.status === 'scheduled' && notice('attention', html`<p>${counted(failed, 'invitation')} could not be delivered. <a href="${filterPath(election.id, 'failed')}">See which and why</a></p>`)}`;
}

/** Who has no address votes with a slip. */
function slips({ id, status }: ElectionPageProps['election'], { unaddressed }: Invitations): Html | null {
  if (unaddressed === 0 || status === 'closed') return null;
  return notice(
    'attention',
    html`<p>They vote with a printed slip, which has their name on it. A slip can be printed again until it is used.</p>
<form method="post" action="${adminElectionPath(id, 'invites/slips')}" target="_blank"><button class="button button-quiet">Print ${counted(unaddressed, 'slip')}<span class="visually-hidden"> (opens in a new tab)</span></button></form>`,
    `${counted(unaddressed, 'elector has', 'electors have')} no address`,
  );
}

function mailedReport(mailed: Invitations['mailed']): Html | null {
  if (!mailed) return null;
  const { title, summary, rows } = mailed;
  const failed = rows.some(({ success }) => !success);
  return html`<div role="status">${notice(failed ? 'attention' : 'success', summary, title)}</div>
${rows.length > 0 && html`<details${(failed || rows.length <= 10) && html` open`}><summary>${listed([counted(rows.length, 'recipient')])}</summary><div class="fold">${mailedTable(rows, 'What became of each mail')}</div></details>`}`;
}

/** Whom to invite. It leads to a page that shows everything before anything is sent. */
function inviteForm(props: ElectionPageProps, { lists, roll, counts, mailReady }: Invitations): Html {
  const { election, times } = props;
  const { errors, entered = props.enteredInvitation } = problemOf(props, 'invite');
  const shared = { entered: entered ?? {}, errors, prefix: 'invite-' };
  const fresh = counts.queued + counts.sent + counts.failed === 0;
  const form = html`<form method="post" action="${adminElectionPath(election.id, 'invite/check')}">
${recipientFields({ ...shared, lists, roll })}
${modeChoice({ ...shared, fallback: election.invite_mode ?? 'individual' })}
${election.status === 'scheduled' && queueBox({ ...shared, when: `They go out ${times.opens}. Not ticked, they go now and say when voting opens.` })}
${batchNameField(shared)}
<p class="hint">Nothing is sent yet: the next page shows who gets what.</p>
<button class="button button-quiet"${off(mailReady)}>Check before sending</button></form>`;
  return html`<details class="invite-form"${((fresh && mailReady) || entered !== undefined) && html` open`}><summary>Invite people</summary><div class="fold">${form}</div></details>`;
}

/** Mails to many: reminders while voting is open, the result once it is out. */
function massMails(props: ElectionPageProps, invitations: Invitations): Html {
  return html`${props.election.status === 'open' && reminders(props, invitations)}${
    props.election.status === 'closed' && props.publication.results_visible && resultMail(props, invitations)
  }`;
}

function reminders(props: ElectionPageProps, { counts: { notVoted }, mailReady }: Invitations): Html | null {
  if (notVoted === 0) return null;
  const { entered } = problemOf(props, 'reminders');
  return html`<details${entered && html` open`}><summary>Remind all who have not voted (${count(notVoted)})</summary><div class="fold">
<p>${counted(notVoted, 'person has', 'people have')} a link and ${notVoted === 1 ? 'has' : 'have'} not used it. Each gets the same link once more, and the deadline: ${props.times.closes}.</p>
<form method="post" action="${adminElectionPath(props.election.id, 'reminders/send')}">
<div class="choices choices-plain">${tickBox({ name: 'force', id: 'reminders-force', label: 'Also those who had a mail in the last 24 hours', note: 'Without this they are left in peace.', checked: isTicked(entered ?? {}, 'force') })}</div>
<button class="button button-quiet"${off(mailReady)}>Send the reminders</button></form></div></details>`;
}

function resultMail(props: ElectionPageProps, { counts, mailReady }: Invitations): Html | null {
  const { queued, sent, failed } = counts;
  const invited = queued + sent + failed;
  if (invited === 0) return null;
  return html`<details><summary>Mail the result</summary><div class="fold">
<p>Everyone who was invited gets it, whether they voted or not: ${counted(invited, 'person', 'people')}. The mail says the outcome in a sentence and links to the result.</p>
<form method="post" action="${adminElectionPath(props.election.id, 'results-email')}"><button class="button button-quiet"${off(mailReady)}>Mail the result to ${counted(invited, 'person', 'people')}</button></form></div></details>`;
}

function off(mailReady: boolean): Html | null {
  return mailReady ? null : html` disabled`;
}

/** The invitations with what can be done about each, some at a time. */
function inviteList(props: ElectionPageProps, invitations: Invitations): Html {
  const { rows, total } = invitations;
  return html`${filters(props, invitations)}
${rows.length === 0 ? html`<p>${total === 0 ? 'There are none of these.' : 'There are none on this page.'}</p>` : inviteTable(props, invitations)}
${pages(props, invitations)}`;
}

function filters({ election }: ElectionPageProps, { counts, filter, showVoters }: Invitations): Html {
  const { queued, sent, failed, notVoted } = counts;
  const links: [InviteFilter, string, number][] = [
    ['all', 'All', queued + sent + failed],
    ['queued', 'Queued', queued],
    ['sent', 'Sent', sent],
    ['failed', 'Failed', failed],
    ...(showVoters ? [['not-voted', 'Not voted', notVoted] as [InviteFilter, string, number]] : []),
  ];
  return html`<nav class="filters" aria-label="Which invitations"><ul role="list">${links.map(
    ([key, label, found]) =>
      html`<li><a href="${filterPath(election.id, key)}"${key === filter && html` aria-current="true"`}>${label} <span class="numbers">${count(found)}</span></a></li>`,
  )}</ul></nav>`;
}

function inviteTable(props: ElectionPageProps, { rows, total, mailReady, showVoters }: Invitations): Html {
  const open = props.election.status !== 'closed' && mayDo(props, 'elections:run');
  return table({
    caption: counted(total, 'invitation'),
    columns: [
      { label: 'Who' },
      { label: 'State' },
      ...(showVoters ? [{ label: 'Voted', number: true }] : []),
      ...(open ? [{ label: 'Mail again', quiet: true }] : []),
    ],
    rows: rows.map((row) => [
      recipientCell(row),
      stateOf(row, props),
      ...(showVoters ? [row.used ? 'Yes' : 'No'] : []),
      ...(open ? [rowActions(row, props, mailReady)] : []),
    ]),
  });
}

function recipientCell({ email, name, standing }: InviteRow): Child {
  if (name === null) return html`<span class="address">${email || 'Somebody from the roll'}</span>`;
  const about = [standing, email || 'no address'].filter((text) => text !== null);
  return html`<div>${name}<br><span class="address small soft">${about.join(', ')}</span></div>`;
}

function stateOf({ status, created, sent, error }: InviteRow, { election }: ElectionPageProps): Child {
  if (status === 'SENT')
    return html`<div>${badge('Sent', 'open')}<br><span class="small soft">${sent ?? created}</span></div>`;
  if (status === 'QUEUED')
    return html`<div>${badge('Queued', 'scheduled')}<br><span class="small soft">${election.status === 'open' ? 'Goes out next' : `Since ${created}`}</span></div>`;
  return html`<div>${badge('Failed', 'danger')}<br><span class="small">${error ?? 'Not sent'}</span></div>`;
}

/** What makes sense: a used link needs no mail, and what is queued goes out by itself. */
function rowActions(
  { id, email, name, status, used }: InviteRow,
  { election }: ElectionPageProps,
  mailReady: boolean,
): Child {
  if (used || status === 'QUEUED' || (email === '' && name !== null)) return null;
  const form = (action: 'resend' | 'remind', label: string) =>
    html`<form method="post" action="${adminElectionPath(election.id, `invites/${encodeURIComponent(id)}/${action}`)}"><button class="button button-quiet button-small"${!mailReady && html` disabled`}>${label}<span class="visually-hidden"> ${action === 'remind' ? '' : 'to '}${name ?? email}</span></button></form>`;
  return html`<div class="row-actions">${form('resend', status === 'FAILED' ? 'Try again' : 'Send again')}${status === 'SENT' && election.status === 'open' && form('remind', 'Remind')}</div>`;
}

function pages(
  { election }: ElectionPageProps,
  { rows, total, filter, page, pageSize }: Invitations,
): Html | null {
  if (total <= pageSize && page === 1) return null;
  const from = (page - 1) * pageSize;
  return pagination({
    from: rows.length === 0 ? 0 : from + 1,
    to: rows.length === 0 ? 0 : from + rows.length,
    total,
    of: 'invitations',
    previous: page > 1 ? filterPath(election.id, filter, page - 1) : undefined,
    next: from + rows.length < total ? filterPath(election.id, filter, page + 1) : undefined,
  });
}

/** The address of the page with only some invitations shown. */
function filterPath(id: string, filter: InviteFilter, page = 1): string {
  const query = new URLSearchParams({
    ...(filter !== 'all' && { invites: filter }),
    ...(page > 1 && { invites_page: String(page) }),
  }).toString();
  return `${adminElectionPath(id)}${query && `?${query}`}#invitations`;
}
