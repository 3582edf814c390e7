import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { disclosure } from '#views/components/structure.ts';
import { mailingSentence, mailingTable, type ShownMailing } from '#views/voting/admin/invitations/mailing.ts';
import { adminPath } from '#views/voting/words.ts';
import { formOf } from './forms.ts';
import type { Invitations, SharedProps } from './props.ts';

/** The mailings that are shown; older ones are collapsed. */
const SHOWN = 5;

/** The outcome of what was just requested. */
export function saidOfMailing({ said, counts }: Invitations): Html | null {
  if (!said) return null;
  const [kind, sentence] =
    'mailing' in said
      ? [isWhole(said.mailing) ? 'success' : 'attention', mailingSentence(said.mailing)]
      : ['info', nobody(said.nobody, counts.notVoted)];
  const more =
    'mailing' in said &&
    html` <a href="/admin/mailings/${said.mailing.id}">${
      said.mailing.finished ? 'See each mail' : 'See how far it is'
    }</a>`;
  return html`<div id="mailed" role="status" tabindex="-1">${notice(
    kind as 'success' | 'attention' | 'info',
    html`
  <p>${sentence}${more}</p>`,
  )}</div>`;
}

const isWhole = ({ finished, failed, unsure, note }: ShownMailing): boolean =>
  finished && failed === 0 && unsure === 0 && note === null;

function nobody(kind: 'reminders' | 'results', notVoted: number): string {
  if (kind === 'results') return 'Nobody was mailed: everybody who was invited has the result.';
  if (notVoted === 0) return 'Nobody was reminded: everybody who was reached has voted.';
  if (notVoted === 1) return 'Nobody was reminded: the one who has not voted had a mail within 24 hours.';
  return `Nobody was reminded: all ${count(notVoted)} had a mail within 24 hours.`;
}

/** Mails to many: reminders while voting is open, the result once it is out. */
export function massMails(props: SharedProps, invitations: Invitations): Html {
  return html`${props.election.status === 'open' && reminders(props, invitations)}${
    props.election.status === 'closed' && props.publication.results_visible && resultMail(props, invitations)
  }`;
}

/** All mailings of the election, the newest first. */
export function mailingHistory(mailings: readonly ShownMailing[]): Html | null {
  if (mailings.length === 0) return null;
  const earlier = mailings.slice(SHOWN);
  return html`${mailingTable(mailings.slice(0, SHOWN))}
${earlier.length > 0 && disclosure(`${counted(earlier.length, 'earlier mailing')}`, mailingTable(earlier))}`;
}

const newest = ({ mailings }: Invitations, kind: ShownMailing['kind']): ShownMailing | undefined =>
  mailings.find((mailing) => mailing.kind === kind);

/** The newest mailing that the page knows of, so that a double click sends only one mailing. */
const afterInput = (mailing: ShownMailing | undefined): Html =>
  html`<input type="hidden" name="after" value="${mailing?.id ?? ''}">`;

const off = (mailReady: boolean): Html | null => (mailReady ? null : html` disabled`);

function reminders(props: SharedProps, invitations: Invitations): Html | null {
  const {
    counts: { notVoted },
    mailReady,
  } = invitations;
  if (notVoted === 0) return null;
  const { entered, tick } = formOf(props, 'reminders');
  const last = newest(invitations, 'reminders');
  return html`<details${entered && html` open`}>
  <summary>Remind all who have not voted (${count(notVoted)})</summary><div class="fold">
<p>${counted(notVoted, 'person has', 'people have')} a link and ${notVoted === 1 ? 'has' : 'have'} not used it.
Each gets the same link again, and the deadline: ${props.times.closes}.</p>
${last && html`<p class="soft">${mailingSentence(last)}</p>`}
<form method="post" action="${adminPath(props.election, 'reminders/send')}">${afterInput(last)}
<div class="choices choices-plain">${tick('force')}</div>
<button class="button button-quiet"${off(mailReady)}>Send the reminders</button></form></div></details>`;
}

function resultMail(props: SharedProps, invitations: Invitations): Html | null {
  const { resultMails: invited, mailReady } = invitations;
  if (invited === 0) return null;
  const path = adminPath(props.election, 'results-email');
  const last = newest(invitations, 'results');
  if (last)
    return html`<p><strong>${mailingSentence(last)}</strong> <a href="${path}">${
      last.failed > 0 ? 'Send it to those who have not had it, or again …' : 'Send it again …'
    }</a></p>`;
  return html`<details><summary>Mail the result</summary><div class="fold">
<p>Everyone who was invited and has an address gets it,
whether they voted or not: ${counted(invited, 'mail')}, one for each address. The mail says
the outcome in a sentence and links to the result.</p>
<form method="post" action="${path}">${afterInput(last)}<button class="button button-quiet"${off(mailReady)}>Mail the result to ${counted(
    invited,
    'person',
    'people',
  )}</button></form></div></details>`;
}
