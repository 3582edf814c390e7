import { type Child, type Html, html } from '#kernel/html.ts';
import { confirmPanel, field, hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { numberedPages } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { mayDo } from '#views/voting/admin/frame.ts';
import { invitesPath } from '#views/voting/admin/invitations/invites-path.ts';
import { adminPath, askPath, FEW_WORDS, type Named, sectionPath } from '#views/voting/words.ts';
import { FEW, TOKENS_PER_CALL } from '#voting/ballots/tokens.ts';
import { TRIAL_VOTERS } from '#voting/elections/trials.ts';
import { formOf, type Section } from './forms.ts';
import type { SharedProps, ShownBatch } from './props.ts';

/** The election’s voting codes by batch, and the form that makes more while voting is not over. */
export function tokensSection(props: SharedProps, batches: readonly ShownBatch[]): Section {
  return {
    id: 'tokens',
    title: 'Voting codes',
    about: `Each lets one person vote once${
      props.election.isPaper ? ' on each question' : ''
    }: on paper as a code to type, in a mail as a link.`,
    work: html`${
      mayDo(props, 'elections:run') &&
      (props.election.status === 'closed'
        ? html`
    <p class="soft">Voting has closed, so no more voting codes can be made. <a href="${sectionPath(props.election, 'dates')}">New dates</a> would
    open it again.</p>`
        : makeForm(props))
    }
${isFew(props, batches) && notice('attention', FEW_WORDS)}
${batches.length === 0 ? html`<p>There are no voting codes yet.</p>` : batchTable(props, batches)}`,
  };
}

/** Whether so few people can vote that the page says so. */
function isFew({ election }: SharedProps, batches: readonly ShownBatch[]): boolean {
  const codes = batches.reduce((sum, batch) => sum + batch.count, 0);
  return election.status !== 'closed' && codes > 0 && codes < FEW;
}

/** Batches on one page, the newest first. */
const BATCHES = 10;

function batchTable(props: SharedProps, batches: readonly ShownBatch[]): Html {
  const { election, listPage = 1 } = props;
  const page = Math.min(listPage, Math.ceil(batches.length / BATCHES));
  const mayDelete = mayDo(props, 'elections:run');
  const anyInvited = batches.some(({ emails }) => emails.length > 0);
  return html`${table({
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
    rows: batches
      .toReversed()
      .slice((page - 1) * BATCHES, page * BATCHES)
      .map((batch) => [
        batch.batch_name ?? html`<span class="soft">Unnamed</span>`,
        count(batch.count),
        batch.used_count === null ? '–' : count(batch.used_count),
        batch.unused_count === null ? '–' : count(batch.unused_count),
        html`<span class="cell-when">${batch.created}</span>`,
        ...(anyInvited ? [invited(batch, election)] : []),
        ...(mayDelete ? [deleteLink(election, batch.batch_name)] : []),
      ]),
  })}${
    batches.length > BATCHES &&
    numberedPages({
      page,
      pageSize: BATCHES,
      total: batches.length,
      of: 'batches',
      href: (at) => sectionPath(election, 'tokens', `?page=${at}`),
    })
  }`;
}

function invited({ emails, batch_name: batch }: ShownBatch, of: Named): Child {
  if (emails.length === 0 || batch === null) return '–';
  return html`<a href="${invitesPath(of, { batch })}">${counted(emails.length, 'address', 'addresses')}</a>`;
}

function deleteLink(of: Named, name: string | null): Html {
  return html`<a class="button button-text button-small" href="${askPath(of, 'batch', name)}">Delete …<span class="visually-hidden"> ${
    name === null ? 'the unnamed batch' : `the batch ${name}`
  }</span></a>`;
}

function makeForm(props: SharedProps): Html {
  const { at } = formOf(props, 'tokens');
  const { trial } = props.election;
  const most = trial ? TRIAL_VOTERS : TOKENS_PER_CALL;
  return html`<form class="card" method="post" action="${adminPath(
    props.election,
    'tokens',
  )}">${hiddenInputs({ format: 'short' })}
<h3>Make voting codes</h3>
<div class="field-row">
${field({
  ...at('count'),
  hint: `1 to ${count(most)}${trial ? ' in a trial, mailed ones included' : ' at once'}.`,
  type: 'number',
  min: 1,
  max: most,
})}
${field({ ...at('batch_name'), optional: true, maxlength: 200 })}
</div>
<p><strong>They are shown once, on the next page.</strong> They are not stored, so nobody can look them up later.</p>
<button class="button button-quiet">Make voting codes</button></form>`;
}

/** Asks before a batch of voting codes is deleted. */
export function batchPanel({ batches, election }: SharedProps, name: string | null): Html {
  const batch = batches?.find(({ batch_name }) => batch_name === name);
  if (batch === undefined) return notice('info', 'There is no such batch any more.');
  const { count: total, used_count: used } = batch;
  return confirmPanel({
    title: name === null ? 'Delete the unnamed batch?' : `Delete the batch “${name}”?`,
    text: html`<strong>${counted(total, 'voting code')}</strong> ${total === 1 ? 'is' : 'are'} deleted: anyone who
    holds ${total === 1 ? 'it' : 'one of them'} can no longer vote. ${
      (used ?? 0) > 0 &&
      `${counted(
        used ?? 0,
        'of them was',
        'of them were',
      )} used: these ballots stay, and the public history says so.`
    }`,
    action: adminPath(election, 'batches?_method=DELETE'),
    button: `Delete ${counted(total, 'voting code')}`,
    hidden: { batch_name: name ?? '' },
  });
}
