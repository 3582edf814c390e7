import { type Child, type Html, html } from '#kernel/html.ts';
import { field } from '#views/components/forms.ts';
import { table } from '#views/components/tables.ts';
import { enteredText, errorAt } from '#views/voting/admin/entered.ts';
import { deskSection } from '#views/voting/admin/frame.ts';
import { deskPath } from '#views/voting/admin/words.ts';
import { count, counted } from '#views/voting/words.ts';
import { type ElectionDesk, problemOf } from './desk.ts';

/** The election’s tokens by batch, and the form that makes more while voting is not over. */
export function tokensSection(desk: ElectionDesk, said: Html | null): Html {
  return deskSection({
    id: 'tokens',
    title: 'Tokens',
    about: 'Each token lets one person vote once. Voters know it as their voting code, or as their link.',
    work: html`${said}${desk.election.status === 'closed' ? html`<p class="soft">Voting has closed, so no more tokens can be made. <a href="#dates">New dates</a> would open it again.</p>` : makeForm(desk)}
${desk.batches.length === 0 ? html`<p>There are no tokens yet.</p>` : batchTable(desk)}`,
  });
}

function batchTable({ batches, election }: ElectionDesk): Html {
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
  return html`<a class="button button-danger-quiet button-small" href="${deskPath(id)}?ask=batch${batch}#ask">Delete …<span class="visually-hidden"> ${name === null ? 'the unnamed batch' : `the batch ${name}`}</span></a>`;
}

function makeForm(desk: ElectionDesk): Html {
  const { errors, entered = {} } = problemOf(desk, 'tokens');
  return html`<form class="card" method="post" action="${deskPath(desk.election.id, 'tokens')}">
<h3>Make tokens</h3>
<div class="field-row">
${field({ name: 'count', id: 'tokens-count', label: 'How many', hint: '1 to 1,000 at once.', type: 'number', min: 1, max: 1_000, value: enteredText(entered, 'count'), error: errorAt(errors, 'count') })}
${field({ name: 'batch_name', id: 'tokens-batch_name', label: 'Name of the batch', hint: 'Who gets them: “Hall, at the door”.', optional: true, maxlength: 200, value: enteredText(entered, 'batch_name'), error: errorAt(errors, 'batch_name') })}
</div>
<p><strong>They are shown once, on the next page.</strong> Only their fingerprints are kept, so nobody can look them up later.</p>
<button class="button button-quiet">Make tokens</button></form>`;
}
