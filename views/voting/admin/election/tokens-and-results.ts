import { type Child, type Html, html } from '#kernel/html.ts';
import { confirmPanel, field, hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { table } from '#views/components/tables.ts';
import { enteredText, errorAt } from '#views/voting/admin/entered.ts';
import { pageSection } from '#views/voting/admin/frame.ts';
import { adminElectionPath, batchWord } from '#views/voting/admin/words.ts';
import { type Ask, type ElectionPageProps, problemOf } from './props.ts';

/** The election’s tokens by batch, and the form that makes more while voting is not over. */
export function tokensSection(props: ElectionPageProps, said: Html | null): Html {
  return pageSection({
    id: 'tokens',
    title: 'Tokens',
    about: 'Each token lets one person vote once. Voters know it as their voting code, or as their link.',
    work: html`${said}${props.election.status === 'closed' ? html`<p class="soft">Voting has closed, so no more tokens can be made. <a href="#dates">New dates</a> would open it again.</p>` : makeForm(props)}
${props.batches.length === 0 ? html`<p>There are no tokens yet.</p>` : batchTable(props)}`,
  });
}

function batchTable({ batches, election }: ElectionPageProps): Html {
  const anyInvited = batches.some(({ emails }) => emails.length > 0);
  return table({
    caption: 'Batches of tokens',
    quietCaption: true,
    columns: [
      { label: 'Batch' },
      { label: 'Total', number: true },
      { label: 'Used', number: true },
      { label: 'Unused', number: true },
      { label: 'Made' },
      ...(anyInvited ? [{ label: 'Invited' }] : []),
      { label: 'Delete', quiet: true },
    ],
    rows: batches.map((batch) => [
      batch.batch_name ?? html`<span class="soft">Unnamed</span>`,
      count(batch.count),
      count(batch.used_count),
      count(batch.unused_count),
      html`<span class="cell-when">${batch.created}</span>`,
      ...(anyInvited ? [invited(batch.emails)] : []),
      deleteLink(election.id, batch.batch_name),
    ]),
  });
}

function invited(emails: readonly string[]): Child {
  if (emails.length === 0) return '–';
  return html`<details class="fold-small"><summary>${counted(emails.length, 'address', 'addresses')}</summary><ul class="fold">${emails.map((email) => html`<li>${email}</li>`)}</ul></details>`;
}

function deleteLink(id: string, name: string | null): Html {
  const batch = name === null ? '' : `&batch=${encodeURIComponent(name)}`;
  return html`<a class="button button-danger-quiet button-small" href="${adminElectionPath(id)}?ask=batch${batch}#ask">Delete …<span class="visually-hidden"> ${name === null ? 'the unnamed batch' : `the batch ${name}`}</span></a>`;
}

function makeForm(props: ElectionPageProps): Html {
  const { errors, entered = {} } = problemOf(props, 'tokens');
  return html`<form class="card" method="post" action="${adminElectionPath(props.election.id, 'tokens')}">
<h3>Make tokens</h3>
<div class="field-row">
${field({ name: 'count', id: 'tokens-count', label: 'How many', hint: '1 to 1,000 at once.', type: 'number', min: 1, max: 1_000, value: enteredText(entered, 'count'), error: errorAt(errors, 'count') })}
${field({ name: 'batch_name', id: 'tokens-batch_name', label: 'Name of the batch', hint: 'Who gets them: “Hall, at the door”.', optional: true, maxlength: 200, value: enteredText(entered, 'batch_name'), error: errorAt(errors, 'batch_name') })}
</div>
<p><strong>They are shown once, on the next page.</strong> Only their fingerprints are kept, so nobody can look them up later.</p>
<button class="button button-quiet">Make tokens</button></form>`;
}

/** Where the result comes from, who can see it, and what can be taken along. */
export function resultsSection(props: ElectionPageProps, said: Html | null): Html {
  const { election, publication, manual, ballots } = props;
  const begun = election.status !== 'scheduled' || Boolean(manual);
  const path = (under: string) => adminElectionPath(election.id, under);
  return pageSection({
    id: 'results',
    title: 'Results',
    about: 'Officers always see them; voters as the settings say.',
    work: html`${said}<p>${sourceOf(props)} ${whoSees(props)}</p>
<div class="toolbar">${begun && html`<a class="button button-quiet" href="${path('results-preview')}">${election.status === 'closed' ? 'Look at the result' : 'Look at the result so far'}</a>`}
${publishForm(election.id, publication.published)}</div>
<h3>Ballots to take along</h3>
${exportsOf(props, ballots)}
<h3>Certified results</h3>
<p>Figures that were counted elsewhere, on paper or at a meeting, can stand in for the counted result. The ballots stay.</p>
<div class="toolbar"><a class="button button-quiet" href="${path('manual-results')}">${manual ? 'Change the certified results' : 'Enter certified results'}</a>
${manual && html`<a class="button button-danger-quiet" href="${adminElectionPath(election.id)}?ask=computed#ask">Back to the counted result …</a>`}</div>`,
  });
}

/** The form that puts an election on the home page, or takes it off. */
export function publishForm(id: string, published: boolean, button = 'button button-quiet'): Html {
  const value = published ? 'false' : 'true';
  return html`<form method="post" action="${adminElectionPath(id, 'settings?_method=PATCH')}">${hiddenInputs({ 'settings.publish_results_to_home': value })}
<button class="${button}">${published ? 'Take it off the home page' : 'Put it on the home page'}</button></form>`;
}

function sourceOf({ manual, ballots, election }: ElectionPageProps): string {
  if (manual)
    return `The result is certified by hand: ${counted(manual.contests, 'contest')}, ${counted(manual.items, 'item')}.`;
  if (election.status === 'scheduled') return 'There is nothing to count yet.';
  return `The result is counted from ${counted(ballots, 'ballot')}.`;
}

/** Whether the home page and the voters’ page show it. */
function whoSees({
  publication: { published, results_visible: visible },
  election,
}: ElectionPageProps): string {
  const home = published ? 'The election is on the home page' : 'The election is not on the home page';
  if (election.status === 'scheduled') return `${home}.`;
  if (!visible)
    return `${home}${published ? ', without its result' : ''}: results are hidden from everyone but officers until it closes.`;
  const kind = election.status === 'closed' ? 'the result' : 'the result so far';
  return published ? `${home} and shows ${kind}.` : `${home}; whoever has its address sees ${kind}.`;
}

function exportsOf({ election, publication }: ElectionPageProps, ballots: number): Html {
  if (ballots === 0)
    return html`<p class="soft">${election.status === 'closed' ? 'There are no ballots.' : 'There are no ballots yet.'}</p>`;
  if (!publication.results_visible)
    return html`<p class="soft">The ballots are the result. They can be downloaded once voting has closed.</p>`;
  const link = (format: string, label: string) =>
    html`<a class="button button-quiet" href="${adminElectionPath(election.id, `export?format=${format}`)}">${label}</a>`;
  return html`<p>${counted(ballots, 'anonymous ballot')}, in random order. JSON is what a recount reads.</p>
<div class="toolbar">${link('csv', 'CSV')}${link('json', 'JSON')}${election.ballot_type === 'RANKED_CONDORCET' && link('cef', 'Condorcet format')}</div>`;
}

/** Closing before time, copying, deleting. */
export function endingSection({ election: { id, status } }: ElectionPageProps, said: Html | null): Html {
  const ask = (kind: string) => `${adminElectionPath(id)}?ask=${kind}#ask`;
  return pageSection({
    id: 'ending',
    title: status === 'closed' ? 'Copy or delete' : 'Close, copy or delete',
    about: 'You are told what goes before anything does.',
    work: html`${said}<ul class="action-list" role="list">
${status !== 'closed' && html`<li><p>Close voting before its time.</p><a class="button button-danger-quiet" href="${ask('close')}">Close …</a></li>`}
<li><p>Make a new election like this one, without tokens, ballots and results. It opens tomorrow; you can change that.</p><form method="post" action="${adminElectionPath(id, 'clone')}"><button class="button button-quiet">Copy</button></form></li>
<li><p>Delete the election with everything in it.</p><a class="button button-danger-quiet" href="${ask('delete')}">Delete …</a></li>
</ul>`,
  });
}

/** The panel before something is destroyed: what goes, in numbers, and the way back. */
export function askPanel(props: ElectionPageProps): Html | null {
  const ask = props.ask ?? askAgain(props);
  if (ask === undefined) return null;
  const { id } = props.election;
  return html`<section id="ask" class="ask" aria-labelledby="ask-title"><h2 class="visually-hidden" id="ask-title">Please confirm</h2>${panelOf(props, ask)}
<p><a class="button button-quiet" href="${adminElectionPath(id)}">No, leave everything as it is</a></p></section>`;
}

/** A refused answer is asked for again. */
function askAgain({ problem }: ElectionPageProps): Ask | undefined {
  if (problem?.form === 'batches')
    return { kind: 'batch', batch_name: enteredText(problem.entered, 'batch_name') || null };
  return problem?.form === 'close' || problem?.form === 'delete' ? { kind: problem.form } : undefined;
}

function panelOf(props: ElectionPageProps, ask: Ask): Html {
  switch (ask.kind) {
    case 'close':
      return closePanel(props);
    case 'delete':
      return deletePanel(props);
    case 'batch':
      return batchPanel(props, ask.batch_name);
    case 'computed':
      return computedPanel(props);
  }
}

function closePanel({ election, turnout: { issued, used }, times }: ElectionPageProps): Html {
  if (election.status === 'closed') return notice('info', 'This election is closed already.');
  const without = issued - used;
  const tokens = `${count(used)} of ${counted(issued, 'token')} ${used === 1 ? 'was' : 'were'} used`;
  const text =
    election.status === 'scheduled'
      ? `Voting opens ${times.opens}. Closed now, it never opens: ${counted(issued, 'token')} will not work.`
      : without > 0
        ? `${tokens}. ${counted(without, 'voter')} could still vote until ${times.closes}, and no longer can.`
        : `${tokens}; nobody is left who could vote.`;
  return confirmPanel({
    title: 'Close this election now?',
    text: `${text} The next ballot is refused. New dates would open it again.`,
    action: adminElectionPath(election.id, 'close'),
    button: 'Close voting now',
  });
}

function deletePanel(props: ElectionPageProps): Html {
  const { election, turnout, ballots, options, manual } = props;
  const { id, title, ballot_type } = election;
  const goes = [
    counted(turnout.issued, 'token'),
    counted(ballots, 'ballot'),
    ...(ballot_type === 'SIMPLE_TRIPLE'
      ? []
      : [counted(options.length, ballot_type === 'POLL' ? 'option' : 'candidate')]),
    ...(turnout.invited === 0 ? [] : [counted(turnout.invited, 'invitation')]),
    ...(manual ? ['the certified results'] : []),
  ];
  return confirmPanel({
    title: 'Delete this election?',
    text: html`With it go <strong>${listed(goes)}</strong>, and the result. Links that were handed out stop working. Nothing of it can be brought back; the audit log keeps that it existed.`,
    action: `${adminElectionPath(id)}?_method=DELETE`,
    button: 'Delete the election',
    typed: { name: 'confirm', word: title, error: confirmError(props, 'delete') },
  });
}

function batchPanel(props: ElectionPageProps, name: string | null): Html {
  const batch = props.batches.find(({ batch_name }) => batch_name === name);
  if (batch === undefined) return notice('info', 'There is no such batch any more.');
  const { count: total, used_count: used, unused_count: unused } = batch;
  const parts: Child[] = [
    html`<strong>${counted(total, 'token')}</strong> ${total === 1 ? 'goes' : 'go'}: ${count(used)} used and ${count(unused)} unused. `,
    unused > 0 && `${counted(unused, 'voter')} can no longer vote. `,
    used > 0 &&
      `The ${used === 1 ? 'ballot' : `${count(used)} ballots`} cast with used tokens ${used === 1 ? 'stays and counts' : 'stay and count'}, but the turnout no longer shows ${used === 1 ? 'it' : 'them'}.`,
  ];
  return confirmPanel({
    title: name === null ? 'Delete the unnamed batch?' : `Delete the batch “${name}”?`,
    text: parts,
    action: adminElectionPath(props.election.id, 'batches?_method=DELETE'),
    button: `Delete ${counted(total, 'token')}`,
    hidden: { batch_name: name ?? '' },
    typed:
      used > 0
        ? { name: 'confirm', word: batchWord(name), error: confirmError(props, 'batches') }
        : undefined,
  });
}

function computedPanel({ election: { id }, manual, ballots }: ElectionPageProps): Html {
  if (!manual) return notice('info', 'The result is the counted one already.');
  return confirmPanel({
    title: 'Go back to the counted result?',
    text: html`The certified figures go: <strong>${counted(manual.contests, 'contest')} with ${counted(manual.items, 'item')}</strong>. From then on the result is what the ${counted(ballots, 'ballot')} of this election say.`,
    action: adminElectionPath(id, 'manual-results?_method=DELETE'),
    button: 'Delete the certified figures',
  });
}

function confirmError(props: ElectionPageProps, form: 'delete' | 'batches'): string | undefined {
  return errorAt(problemOf(props, form).errors, 'confirm');
}
