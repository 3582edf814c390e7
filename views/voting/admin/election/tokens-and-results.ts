import { type Child, type Html, html } from '#kernel/html.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { table } from '#views/components/tables.ts';
import { mayDo, pageSection } from '#views/voting/admin/frame.ts';
import { invitesPath } from '#views/voting/admin/invitations/invites-path.ts';
import { adminElectionPath, adminPath, FEW_WORDS, type Named } from '#views/voting/words.ts';
import { type ExportFormat, handlingOf } from '#voting/ballots/ballot-types.ts';
import { FEW, TOKENS_PER_CALL } from '#voting/ballots/tokens.ts';
import { TRIAL_VOTERS } from '#voting/elections/trials.ts';
import { LISTED_FROM } from '#voting/shared/ballot-file.ts';
import { type CodesProps, type ElectionPageProps, isAwaited, problemOf } from './props.ts';

/** The election’s voting codes by batch, and the form that makes more while voting is not over. */
export function tokensSection(props: CodesProps, said: Html | null): Html {
  return pageSection({
    id: 'tokens',
    title: 'Voting codes',
    about: `Each lets one person vote once${
      props.election.isPaper ? ' on each question' : ''
    }: on paper as a code to type, in a mail as a link.`,
    work: html`${said}${
      mayDo(props, 'elections:run') &&
      (props.election.status === 'closed'
        ? html`
    <p class="soft">Voting has closed, so no more voting codes can be made. <a href="#dates">New dates</a> would
    open it again.</p>`
        : makeForm(props))
    }
${isFew(props) && notice('attention', FEW_WORDS)}
${props.batches.length === 0 ? html`<p>There are no voting codes yet.</p>` : batchTable(props)}`,
  });
}

/** Whether so few people can vote that the page says so. */
function isFew({ batches, election }: CodesProps): boolean {
  const codes = batches.reduce((sum, batch) => sum + batch.count, 0);
  return election.status !== 'closed' && codes > 0 && codes < FEW;
}

function batchTable(props: CodesProps): Html {
  const { batches, election } = props;
  const mayDelete = mayDo(props, 'elections:run');
  const anyInvited = batches.some(({ emails }) => emails.length > 0);
  return table({
    caption: 'Batches of voting codes',
    quietCaption: true,
    columns: [
      { label: 'Batch' },
      { label: 'Total', number: true },
      { label: 'Used', number: true },
      { label: 'Unused', number: true },
      { label: 'Made' },
      ...(anyInvited ? [{ label: 'Invited' }] : []),
      ...(mayDelete ? [{ label: 'Delete', quiet: true }] : []),
    ],
    rows: batches.map((batch) => [
      batch.batch_name ?? html`<span class="soft">Unnamed</span>`,
      count(batch.count),
      batch.used_count === null ? '–' : count(batch.used_count),
      batch.unused_count === null ? '–' : count(batch.unused_count),
      html`<span class="cell-when">${batch.created}</span>`,
      ...(anyInvited ? [invited(batch.emails, election)] : []),
      ...(mayDelete ? [deleteLink(election, batch.batch_name)] : []),
    ]),
  });
}

/** The addresses of a batch that the page shows; the list of invitations has all. */
const SHOWN = 20;

function invited(emails: readonly string[], of: Named): Child {
  if (emails.length === 0) return '–';
  return html`<details class="fold-small"><summary>${counted(emails.length, 'address', 'addresses')}</summary>
  <ul class="fold">${emails.slice(0, SHOWN).map(
    (email) => html`
  <li>${displayAddress(email)}</li>`,
  )}${
    emails.length > SHOWN &&
    html`
  <li><a href="${invitesPath(of)}">and ${count(emails.length - SHOWN)} more</a></li>`
  }</ul></details>`;
}

function deleteLink(of: Named, name: string | null): Html {
  const batch = name === null ? '' : `&batch=${encodeURIComponent(name)}`;
  return html`<a class="button button-danger-quiet button-small" href="${adminPath(of)}?ask=batch${batch}#ask">Delete …<span class="visually-hidden"> ${
    name === null ? 'the unnamed batch' : `the batch ${name}`
  }</span></a>`;
}

function makeForm(props: CodesProps): Html {
  const { errors, entered = {} } = problemOf(props, 'tokens');
  const { trial } = props.election;
  const most = trial ? TRIAL_VOTERS : TOKENS_PER_CALL;
  return html`<form class="card" method="post" action="${adminPath(
    props.election,
    'tokens',
  )}">${hiddenInputs({ format: 'short' })}
<h3>Make voting codes</h3>
<div class="field-row">
${field({
  name: 'count',
  id: 'tokens-count',
  label: 'How many',
  hint: `1 to ${count(most)}${trial ? ' in a trial, mailed ones included' : ' at once'}.`,
  type: 'number',
  min: 1,
  max: most,
  value: enteredText(entered, 'count'),
  error: errorAt(errors, 'count'),
})}
${field({
  name: 'batch_name',
  id: 'tokens-batch_name',
  label: 'Name of the batch',
  hint: 'Who gets them: “Hall, at the door”.',
  optional: true,
  maxlength: 200,
  value: enteredText(entered, 'batch_name'),
  error: errorAt(errors, 'batch_name'),
})}
</div>
<p><strong>They are shown once, on the next page.</strong> They are not stored, so nobody can look them up later.</p>
<button class="button button-quiet">Make voting codes</button></form>`;
}

/** Where the result comes from, who can see it, and the downloads. */
export function resultsSection(props: ElectionPageProps, said: Html | null): Html {
  const { election, publication, manual, ballots } = props;
  const begun = election.status !== 'scheduled' || Boolean(manual);
  const path = (under: string) => adminPath(election, under);
  return pageSection({
    id: 'results',
    title: 'Results',
    about:
      election.settings.announce === 'by_officer'
        ? 'Officers who may certify results see them first, and announce them.'
        : 'Officers see them when voters do.',
    work: html`${said}<p>${sourceOf(props)} ${whoSees(props)}</p>
<div class="toolbar">${
      begun &&
      props.hidden === undefined &&
      html`<a class="button button-quiet" href="${path('results-preview')}">${
        election.status === 'closed' ? 'Look at the result' : 'Look at the result so far'
      }</a>`
    }
${isAwaited(props) && mayDo(props, 'elections:certify') && announceForm(election.id, { button: 'button button-quiet' })}
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
  html`<a class="button button-danger-quiet" href="${adminPath(
    election,
  )}?ask=computed#ask">Back to the counted result …</a>`
}</div>`
}`,
  });
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
