import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { OwnElection } from '#people/own-elections.ts';
import { notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { badge, statusBadge } from '#views/components/status.ts';
import { zoneNote } from '#views/components/structure.ts';

export interface OwnElectionsProps {
  elections: readonly (OwnElection & { opens: Words; closes: Words })[];
  /** Whether a link was just requested by mail. */
  mailed: boolean;
  /** The time zone of all times. */
  zone: Words;
}

/** The elections of the signed-in person, with the actions for each. */
export function ownElectionsPart({ elections, mailed, zone }: OwnElectionsProps): Html | null {
  if (elections.length === 0) return null;
  return html`<h2>${t('people.own_elections.title')}</h2>
  ${
    mailed &&
    html`<div role="status">${notice(
      'success',
      t('people.own_elections.mailed_text'),
      t('people.own_elections.mailed'),
    )}</div>`
  }
<ul class="action-list" role="list">${elections.map((election) => html`<li>${electionRow(election)}</li>\n`)}</ul>
${zoneNote(zone)}`;
}

function electionRow(election: OwnElectionsProps['elections'][number]): Html {
  const { id, title, status, opens, closes, state, mayOpen, mailedTo, waiting } = election;
  const about =
    status === 'scheduled'
      ? t('people.own_elections.opens', { opens })
      : status === 'open'
        ? t('people.own_elections.closes', { closes })
        : t('people.own_elections.closed', { closes });
  const voted =
    state === 'voted'
      ? waiting
        ? t('people.own_elections.voted_on_all')
        : t('people.own_elections.voted')
      : state === 'closed' && t('people.own_elections.not_voted');
  const button = (action: 'vote' | 'link', label: Words) =>
    html`<form method="post" action="/me/elections/${id}/${action}"><button class="button${
      action === 'link' && ' button-quiet'
    }">${label}</button></form>`;
  const open = state === 'waiting' && status === 'open';
  return html`<p>${statusBadge(status)}${
    election.trial && html` ${badge(t('people.own_elections.trial'), 'scheduled')}`
  } <strong><a href="/${waiting ? 'p' : 'e'}/${id}">${title}</a></strong><br><span class="soft small">${sentences([about, voted])}</span></p>
${waiting && state === 'waiting' && html`<p class="small soft">${t('people.own_elections.waiting', { questions: commas(waiting) ?? '' })}</p>`}
${open && mayOpen && button('vote', t('people.own_elections.vote', { title, hidden }))}
${
  state === 'waiting' &&
  mailedTo !== null &&
  button('link', t('people.own_elections.mail_link', { title, address: mailedTo, hidden }))
}
${
  state === 'waiting' &&
  mailedTo === null &&
  !mayOpen &&
  html`
<p class="small">${t('people.own_elections.ask_for_slip')}</p>`
}
${
  open &&
  !mayOpen &&
  mailedTo !== null &&
  html`<p class="small soft">${t('people.own_elections.address_changed', { address: mailedTo })}</p>`
}`;
}
