import { type Html, html } from '#kernel/html.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { deskSection } from '#views/voting/admin/frame.ts';
import { deskPath } from '#views/voting/admin/words.ts';
import { counted } from '#views/voting/words.ts';
import type { ElectionDesk } from './desk.ts';

/** Where the result comes from, who can see it, and what can be taken along. */
export function resultsSection(desk: ElectionDesk, said: Html | null): Html {
  const { election, publication, manual, ballots } = desk;
  const begun = election.status !== 'scheduled' || Boolean(manual);
  const path = (under: string) => deskPath(election.id, under);
  return deskSection({
    id: 'results',
    title: 'Results',
    about: 'Officers always see them; voters as the settings say.',
    work: html`${said}<p>${sourceOf(desk)} ${whoSees(desk)}</p>
<div class="toolbar">${begun && html`<a class="button button-quiet" href="${path('results-preview')}">${election.status === 'closed' ? 'Look at the result' : 'Look at the result so far'}</a>`}
${publishForm(election.id, publication.published)}</div>
<h3>Ballots to take along</h3>
${exportsOf(desk, ballots)}
<h3>Certified results</h3>
<p>Figures that were counted elsewhere, on paper or at a meeting, can stand in for the counted result. The ballots stay.</p>
<div class="toolbar"><a class="button button-quiet" href="${path('manual-results')}">${manual ? 'Change the certified results' : 'Enter certified results'}</a>
${manual && html`<a class="button button-danger-quiet" href="${deskPath(election.id)}?ask=computed#ask">Back to the counted result …</a>`}</div>`,
  });
}

/** The form that puts an election on the home page, or takes it off. */
export function publishForm(id: string, published: boolean, button = 'button button-quiet'): Html {
  const value = published ? 'false' : 'true';
  return html`<form method="post" action="${deskPath(id, 'settings?_method=PATCH')}">${hiddenInputs({ 'settings.publish_results_to_home': value })}
<button class="${button}">${published ? 'Take it off the home page' : 'Put it on the home page'}</button></form>`;
}

function sourceOf({ manual, ballots, election }: ElectionDesk): string {
  if (manual)
    return `The result is certified by hand: ${counted(manual.contests, 'contest')}, ${counted(manual.items, 'item')}.`;
  if (election.status === 'scheduled') return 'There is nothing to count yet.';
  return `The result is counted from ${counted(ballots, 'ballot')}.`;
}

/** Whether the home page and the voters’ page show it. */
function whoSees({ publication: { published, results_visible: visible }, election }: ElectionDesk): string {
  const home = published ? 'The election is on the home page' : 'The election is not on the home page';
  if (election.status === 'scheduled') return `${home}.`;
  if (!visible)
    return `${home}${published ? ', without its result' : ''}: results are hidden from everyone but officers until it closes.`;
  const kind = election.status === 'closed' ? 'the result' : 'the result so far';
  return published ? `${home} and shows ${kind}.` : `${home}; whoever has its address sees ${kind}.`;
}

function exportsOf({ election, publication }: ElectionDesk, ballots: number): Html {
  if (ballots === 0)
    return html`<p class="soft">${election.status === 'closed' ? 'There are no ballots.' : 'There are no ballots yet.'}</p>`;
  if (!publication.results_visible)
    return html`<p class="soft">The ballots are the result. They can be downloaded once voting has closed.</p>`;
  const link = (format: string, label: string) =>
    html`<a class="button button-quiet" href="${deskPath(election.id, `export?format=${format}`)}">${label}</a>`;
  return html`<p>${counted(ballots, 'anonymous ballot')}, in random order. JSON is what a recount reads.</p>
<div class="toolbar">${link('csv', 'CSV')}${link('json', 'JSON')}${election.ballot_type === 'RANKED_CONDORCET' && link('cef', 'Condorcet format')}</div>`;
}
