import { type Html, html } from '#kernel/html.ts';
import type { OwnElection } from '#people/own-elections.ts';
import { notice } from '#views/components/notices.ts';
import { badge, statusBadge } from '#views/components/status.ts';
import { zoneNote } from '#views/components/structure.ts';

export interface OwnElectionsProps {
  /** Times are already formatted. */
  elections: readonly (OwnElection & { opens: string; closes: string })[];
  /** Whether a link was just requested by mail. */
  mailed: boolean;
  /** The time zone of all times, in words. */
  zone: string;
}

/** The elections of the signed-in person, with the actions for each. */
export function ownElectionsPart({ elections, mailed, zone }: OwnElectionsProps): Html | null {
  if (elections.length === 0) return null;
  return html`<h2>Your elections</h2>
  ${
    mailed &&
    html`<div role="status">${notice(
      'success',
      'If you have an unused ballot, its link is on its way to the address of your invitation. Another one ' +
        'can be sent in ten minutes.',
      'A mail is on its way',
    )}</div>`
  }
<ul class="action-list" role="list">${elections.map((election) => html`<li>${electionRow(election)}</li>\n`)}</ul>
${zoneNote(zone)}`;
}

function electionRow(election: OwnElectionsProps['elections'][number]): Html {
  const { id, title, status, opens, closes, state, mayOpen, mailedTo, waiting } = election;
  const about =
    status === 'scheduled'
      ? `Voting opens ${opens}`
      : `${status === 'open' ? 'Voting closes' : 'Voting closed'} ${closes}`;
  const button = (action: 'vote' | 'link', label: string, to = '') =>
    html`<form method="post" action="/me/elections/${id}/${action}"><button class="button${
      action === 'link' && ' button-quiet'
    }">${label}<span class="visually-hidden">${to}: ${title}</span></button></form>`;
  const open = state === 'waiting' && status === 'open';
  return html`<p>${statusBadge(status)}${
    election.trial && html` ${badge('Trial', 'scheduled')}`
  } <strong><a href="/${waiting ? 'p' : 'e'}/${id}">${title}</a></strong><br><span class="soft small">${about}. ${
    state === 'voted' && `You have voted${waiting ? ' on every question' : ''}.`
  }${state === 'closed' && 'You did not vote.'}</span></p>
${waiting && state === 'waiting' && html`<p class="small soft">Waiting for you: ${waiting.join(', ')}</p>`}
${open && mayOpen && button('vote', 'Vote')}
${state === 'waiting' && mailedTo !== null && button('link', 'Mail me the link', ` to ${mailedTo}`)}
${
  state === 'waiting' &&
  mailedTo === null &&
  !mayOpen &&
  html`
<p class="small">Ask an officer for your printed slip.</p>`
}
${
  open &&
  !mayOpen &&
  mailedTo !== null &&
  html`<p class="small soft">Your address changed after the list of voters
was fixed. The ballot goes to ${mailedTo}, by which you were invited; ask an officer if you no longer read it.</p>`
}`;
}
