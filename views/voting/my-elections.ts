import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
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
  opens: string;
  closes: string;
  ballot: MyElection['ballot'];
  /** When it is deleted, if it is a trial. */
  trial?: Words | undefined;
  isPaper?: boolean | undefined;
  /** The questions of a ballot paper that wait for an answer. */
  waiting?: readonly string[] | undefined;
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
  zone: string;
}

/** The elections of one voter: those with a ballot to cast come first, closed ones last. */
export function myElectionsPage({ email, forName, token, elections, zone }: MyElectionsProps): Html {
  const ready = elections.filter(({ ballot }) => ballot.state === 'ready');
  const ordered = ORDER.flatMap((state) => elections.filter(({ ballot }) => ballot.state === state));
  const body = html`${pageHeader({ title: 'My elections', lede: ledeOf(ready.length, elections) })}
<p class="small soft">For ${
    forName
      ? html`<strong translate="no">${forName}</strong> (${displayAddress(email)})`
      : displayAddress(email)
  }. The links on this page are yours: please do not pass them on.</p>
<div class="board">${ordered.map((row) =>
    card(row, { email, token, list: elections.length > 1 ? token : '' }),
  )}</div>${zoneNote(zone)}`;
  return page({ title: 'My elections', body });
}

const ORDER: readonly MyElection['ballot']['state'][] = ['ready', 'waiting', 'gone', 'voted', 'closed'];

function ledeOf(ready: number, elections: readonly MyElectionRow[]): string {
  if (ready === 1) return 'A ballot waits for you.';
  if (ready > 1) return `${count(ready)} ballots wait for you.`;
  if (elections.some(({ ballot }) => ballot.state === 'waiting')) return 'Nothing to vote on yet.';
  return 'There is nothing left for you to do here.';
}

type Reader = Pick<MyElectionsProps, 'email' | 'token'> & {
  /** What a ballot passes on, to lead back to this page; empty if there is nothing else to lead to. */
  list: string;
};

function card(row: MyElectionRow, reader: Reader): Html {
  const { title, status, ballot, trial } = row;
  return html`<article class="card${ballot.state === 'ready' && ' card-open'}">
  <p class="eyebrow">${statusBadge(status)}</p><h2>${title}</h2>
${trial !== undefined && notice('attention', trialNotice(trial))}${ballotOf(row, reader)}</article>
`;
}

function ballotOf(
  { id, title, status, opens, closes, ballot, isPaper, waiting }: MyElectionRow,
  { list, ...reader }: Reader,
): Html {
  const named = html`<span class="visually-hidden">: ${title}</span>`;
  const election = (words: string) =>
    html`<a class="button button-quiet" href="/${isPaper ? 'p' : 'e'}/${id}">${words}${named}</a>`;
  switch (ballot.state) {
    case 'ready':
      return html`${waiting && questionsOf(waiting)}<p>Vote until <strong>${closes}</strong>.</p>${
        ballot.path === null
          ? html`<form method="post" action="/vote/my-elections">${hiddenInputs({
              ...reader,
              election_id: id,
            })}<button class="button button-large">Vote now${named}</button></form>`
          : html`<p><a class="button button-large" href="${withList(ballot.path, list)}">Vote now${named}</a></p>`
      }`;
    case 'waiting':
      return html`${waiting && questionsOf(waiting)}<p>Voting opens <strong>${opens}</strong> and closes ${closes}.</p>
      <p>Come back to this page then; your ballot will be here.</p><p>${election('Read about it')}</p>`;
    case 'voted':
      return html`<p>You have voted${isPaper && ' on every question'}. Nobody can see how. ${
        status === 'closed' ? `Voting closed ${closes}.` : `Voting closes ${closes}.`
      }</p><p>${election(status === 'closed' ? 'See the result' : 'See the election')}</p>`;
    case 'closed':
      return html`<p>Voting closed ${closes}.</p><p>${election('See the result')}</p>`;
    case 'gone':
      return html`<p>Your link for this election was withdrawn. Please ask an officer
      for a new one${status === 'open' && html`; voting closes <strong>${closes}</strong>`}.</p>
      <p>${election('See the election')}</p>`;
  }
}

const questionsOf = (waiting: readonly string[]): Html =>
  html`<p>${counted(waiting.length, 'question waits', 'questions wait')} for you:</p>
  <ul>${waiting.map((title) => html`<li>${title}</li>`)}</ul>`;
