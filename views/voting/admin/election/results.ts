import { type Html, html } from '#kernel/html.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { counted } from '#views/components/numbers.ts';
import { mayDo } from '#views/voting/admin/frame.ts';
import type { Section } from '#views/voting/admin/sections/forms.ts';
import { adminElectionPath, adminPath, askPath } from '#views/voting/words.ts';
import { type ExportFormat, handlingOf } from '#voting/ballots/ballot-types.ts';
import { LISTED_FROM } from '#voting/shared/ballot-file.ts';
import { type ElectionPageProps, isAwaited } from './props.ts';

/** Where the result comes from, who can see it, and the downloads. */
export function resultsSection(props: ElectionPageProps): Section {
  const { election, publication, manual, ballots, meeting } = props;
  const begun = election.status !== 'scheduled' || Boolean(manual);
  const path = (under: string) => adminPath(election, under);
  return {
    id: 'results',
    title: 'Results',
    about:
      election.settings.announce === 'by_officer'
        ? 'Officers who may certify results see them first, and announce them.'
        : 'Officers see them when voters do.',
    work: html`<p>${sourceOf(props)} ${whoSees(props)}</p>
<div class="toolbar">${
      begun &&
      props.hidden === undefined &&
      html`<a class="button button-quiet" href="${path('results-preview')}">${
        election.status === 'closed' ? 'Look at the result' : 'Look at the result so far'
      }</a>`
    }
${isAwaited(props) && !meeting && mayDo(props, 'elections:certify') && announceForm(election.id, { button: 'button button-quiet' })}
${mayDo(props, 'elections:write') && !election.trial && publishForm(election.id, publication.published)}</div>
${
  mayDo(props, 'elections:export') &&
  html`<h3>Download the ballots</h3>
${exportsOf(props, ballots)}`
}
${
  mayDo(props, 'elections:certify') &&
  !election.trial &&
  html`<h3>Certified results</h3>
<p>Figures that were counted elsewhere, on paper or at a meeting, can stand in for the counted result.
The ballots stay.</p>
<div class="toolbar"><a class="button button-quiet" href="${path('manual-results')}">${
    manual ? 'Change the certified results' : 'Enter certified results'
  }</a>
${
  manual &&
  html`<a class="button button-quiet" href="${askPath(election, 'computed')}">Back to the counted result …</a>`
}</div>`
}`,
  };
}

/** The form that puts an election on the home page, or takes it off. */
export function publishForm(id: string, published: boolean, button = 'button button-quiet'): Html {
  const value = published ? 'false' : 'true';
  return html`<form method="post" action="${adminElectionPath(id, 'settings?_method=PATCH')}">${hiddenInputs({
    'settings.publish_results_to_home': value,
  })}
<button class="${button}">${published ? 'Take it off the home page' : 'Put it on the home page'}</button></form>`;
}

/** The form that announces a result. */
export function announceForm(id: string, { button = 'button', from = '' } = {}): Html {
  return html`<form method="post" action="${adminElectionPath(id, `announce${from && `?from=${from}`}`)}">
<button class="${button}">Announce the result</button></form>`;
}

function sourceOf({ manual, ballots, election }: ElectionPageProps): string {
  if (manual)
    return `The result is certified by hand: ${counted(manual.contests, 'contest')}, ${counted(manual.items, 'item')}.`;
  if (election.status === 'scheduled') return 'There is nothing to count yet.';
  return `The result is counted from ${counted(ballots, 'ballot')}.`;
}

/** Says whether the home page and the voters’ page show the result. */
function whoSees({
  publication: { published, results_visible: visible },
  hidden,
  election,
}: ElectionPageProps): string {
  const home = published ? 'The election is on the home page' : 'The election is not on the home page';
  if (election.status === 'scheduled') return `${home}.`;
  if (election.status === 'closed' && !visible)
    return `${home}${published ? ', without its result' : ''}: ${
      hidden === 'results_withheld'
        ? 'the figures stay hidden'
        : 'the result is not announced yet. Officers who may certify results see it'
    }.`;
  if (!visible)
    return `${home}${
      published ? ', without its result' : ''
    }: results are hidden until voting closes, from officers too.`;
  const kind = election.status === 'closed' ? 'the result' : 'the result so far';
  return published ? `${home} and shows ${kind}.` : `${home}; anyone with its address sees ${kind}.`;
}

function exportsOf({ election, hidden }: ElectionPageProps, ballots: number): Html {
  if (ballots === 0)
    return html`<p class="soft">${
      election.status === 'closed' ? 'There are no ballots.' : 'There are no ballots yet.'
    }</p>`;
  if (hidden !== undefined)
    return html`<p class="soft">The ballots are the result. They can be downloaded once ${
      hidden === 'results_hidden' ? 'voting has closed' : 'that is shown'
    }.</p>`;
  if (election.status !== 'closed' && ballots < LISTED_FROM)
    return html`<p class="soft">Before voting closes the ballots can be downloaded from ${LISTED_FROM} on:
    each of a few would show who cast it.</p>`;
  const link = (format: ExportFormat) =>
    html`<a class="button button-quiet" href="${adminPath(
      election,
      `export?format=${format}`,
    )}">${FORMATS[format]}</a>`;
  return html`<p>${counted(ballots, 'anonymous ballot')}, in random order. JSON is what a recount reads.</p>
<div class="toolbar">${handlingOf(election.ballot_type).formats.map(link)}</div>`;
}

const FORMATS: Record<ExportFormat, string> = {
  csv: 'CSV',
  json: 'JSON',
  cef: 'Condorcet format',
  blt: 'BLT',
};
