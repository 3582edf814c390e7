import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { asWritten } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
import { statusBadge } from '#views/components/status.ts';
import { pageHeader, zoneNote } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { trialNotice } from '#views/voting/trial.ts';
import { withList } from '#voting/ballots/ballots.ts';
import type { ElectionStatus } from '#voting/elections/elections.ts';
import type { MyElection } from '#voting/invitations/magic-links.ts';

/** An election of one voter. Times are already formatted; `closes` is the actual time after an early close. */
export interface MyElectionRow {
  id: string;
  title: string;
  status: ElectionStatus;
  opens: Words | string;
  closes: Words | string;
  ballot: MyElection['ballot'];
  /** When it is deleted, if it is a trial. */
  trial?: Words | undefined;
  isPaper?: boolean | undefined;
  /** The questions of a ballot paper that wait for an answer. */
  waiting?: readonly (Words | string)[] | undefined;
}

/** The data of the page behind a voter's own link. */
export interface MyElectionsProps {
  email: string;
  /** The name of the voter: several people may share the address. */
  forName?: string | null | undefined;
  /** The token of the voter's link. */
  token: string;
  /** The one that closes first comes first. */
  elections: readonly MyElectionRow[];
  /** The time zone of all times, in words. */
  zone: Words | string;
}

/** The elections of one voter: those with a ballot to cast come first, closed ones last. */
export function myElectionsPage({ email, forName, token, elections, zone }: MyElectionsProps): Html {
  const ready = elections.filter(({ ballot }) => ballot.state === 'ready');
  const ordered = ORDER.flatMap((state) => elections.filter(({ ballot }) => ballot.state === state));
  const body = html`${pageHeader({ title: t('voting.my_elections.my_elections'), lede: ledeOf(ready.length, elections) })}
<p class="small soft">${forName ? t('voting.my_elections.links_of_name', { for: html`<strong translate="no">${forName}</strong>`, email: displayAddress(email) }) : t('voting.my_elections.links_of_email', { email: displayAddress(email) })}</p>
<div class="board">${ordered.map((row) =>
    card(row, { email, token, list: elections.length > 1 ? token : '' }),
  )}</div>${zoneNote(zone)}`;
  return page({ title: t('voting.my_elections.my_elections'), body });
}

const ORDER: readonly MyElection['ballot']['state'][] = ['ready', 'waiting', 'gone', 'voted', 'closed'];

function ledeOf(ready: number, elections: readonly MyElectionRow[]): Words {
  if (ready === 1) return t('voting.my_elections.ballot_waits');
  if (ready > 1) return t('voting.my_elections.ballots_wait', { ready });
  if (elections.some(({ ballot }) => ballot.state === 'waiting'))
    return t('voting.my_elections.nothing_vote_yet');
  return t('voting.my_elections.nothing_left_here');
}

type Reader = Pick<MyElectionsProps, 'email' | 'token'> & {
  /** What a ballot passes on, to lead back to this page; empty if there is nothing else to lead to. */
  list: string;
};

function card(row: MyElectionRow, reader: Reader): Html {
  const { title, status, ballot, trial } = row;
  return html`<article class="card${ballot.state === 'ready' && ' card-open'}">
  <p class="eyebrow">${statusBadge(status)}</p><h2>${asWritten(title)}</h2>
${trial !== undefined && notice('attention', trialNotice(trial))}${ballotOf(row, reader)}</article>
`;
}

function ballotOf(
  { id, title, status, opens, closes, ballot, isPaper, waiting }: MyElectionRow,
  { list, ...reader }: Reader,
): Html {
  const named = html`<span class="visually-hidden">${t('common.label', { label: '' })} ${asWritten(title)}</span>`;
  const election = (words: Words) =>
    html`<a class="button button-quiet" href="/${isPaper ? 'p' : 'e'}/${id}">${words}${named}</a>`;
  switch (ballot.state) {
    case 'ready':
      return html`${waiting && questionsOf(waiting)}<p>${t('voting.my_elections.vote_until', { closes: html`<strong>${closes}</strong>` })}</p>${
        ballot.path === null
          ? html`<form method="post" action="/vote/my-elections">${hiddenInputs({
              ...reader,
              election_id: id,
            })}<button class="button button-large">${t('voting.my_elections.vote_now')}${named}</button></form>`
          : html`<p><a class="button button-large" href="${withList(ballot.path, list)}">${t('voting.my_elections.vote_now')}${named}</a></p>`
      }`;
    case 'waiting':
      return html`${waiting && questionsOf(waiting)}<p>${t('voting.my_elections.voting_opens_closes', { opens: html`<strong>${opens}</strong>`, closes })}</p>
      <p>${t('voting.my_elections.come_back_page_ballot_here')}</p><p>${election(t('voting.my_elections.read_about'))}</p>`;
    case 'voted':
      return html`<p>${isPaper ? t('voting.my_elections.voted_every_question_see_how') : t('voting.my_elections.voted_see_how')} ${
        status === 'closed'
          ? t('voting.my_elections.voting_closed', { closes })
          : t('voting.my_elections.voting_closes', { closes })
      }</p><p>${election(status === 'closed' ? t('voting.my_elections.see_result') : t('voting.my_elections.see_election'))}</p>`;
    case 'closed':
      return html`<p>${t('voting.my_elections.voting_closed', { closes })}</p><p>${election(t('voting.my_elections.see_result'))}</p>`;
    case 'gone':
      return html`<p>${status === 'open' ? t('voting.my_elections.link_withdrawn_before_close', { closes: html`<strong>${closes}</strong>` }) : t('voting.my_elections.link_withdrawn')}</p>
      <p>${election(t('voting.my_elections.see_election'))}</p>`;
  }
}

const questionsOf = (waiting: readonly (Words | string)[]): Html =>
  html`<p>${t('voting.my_elections.questions_wait', { waiting: waiting.length })}</p>
  <ul>${waiting.map((title) => html`<li>${asWritten(title)}</li>`)}</ul>`;
