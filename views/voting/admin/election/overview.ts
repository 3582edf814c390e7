import { type Child, type Html, html } from '#kernel/html.ts';
import { copyField } from '#views/components/codes.ts';
import { definitionList, statFigures } from '#views/components/structure.ts';
import { BALLOT_TYPES, deskPath } from '#views/voting/admin/words.ts';
import { barDrawing } from '#views/voting/charts/bars.ts';
import { count, shareOf } from '#views/voting/words.ts';
import type { ElectionDesk } from './desk.ts';

/** The figures of the vote; the page’s script keeps them fresh while it is open. */
export function turnoutBoard({ election, turnout: { issued, used, invited } }: ElectionDesk): Html {
  const figure = (name: string, value: number) => html`<span data-figure="${name}">${count(value)}</span>`;
  return html`<section class="turnout-board" aria-label="Turnout"${election.status === 'open' && html` data-turnout="${deskPath(election.id)}" data-status="open"`}>
${statFigures([
  { label: 'Tokens used', value: figure('used', used) },
  { label: 'Tokens made', value: figure('tokens', issued) },
  { label: 'Invitations', value: figure('invited', invited) },
])}
${issued > 0 && html`<div class="turnout">${barDrawing(shareOf(used, issued), true)}</div>`}
<p class="visually-hidden" role="status" data-turnout-news></p>
<p class="notice notice-attention" data-turnout-over hidden><span>Voting has closed since this page was loaded. <a href="${deskPath(election.id)}">Load it again</a></span></p>
</section>`;
}

/** When, what, and the address to hand out. */
export function facts({ election, times, publicUrl }: ElectionDesk): Html {
  const rows: (readonly [string, Child])[] = [
    [election.status === 'scheduled' ? 'Opens' : 'Opened', times.opens],
    times.closedEarly
      ? ['Closed by an officer', times.closedEarly]
      : [election.status === 'closed' ? 'Closed' : 'Closes', times.closes],
    ['Ballot', BALLOT_TYPES[election.ballot_type].name],
  ];
  return html`<section aria-label="Facts">${definitionList(rows)}
<p class="label"><a class="link-alone" href="/e/${election.id}">The voters’ page</a></p>${copyField({ id: 'public-url', value: publicUrl, label: 'the address of the voters’ page' })}</section>`;
}
