import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, namedErrors } from '#views/components/entered.ts';
import { empty, errorSummary, notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { labelsOf, recordFields, type Words } from '#views/components/record-fields.ts';
import { pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { mayDo, type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { LIST } from '#voting/invitations/distribution-lists.ts';

/** All distribution lists, with the form for a new one. */
export interface DistributionListsProps extends OfficerProps {
  lists: readonly { id: string; name: string; description: string | null; count: number }[];
  /** What was entered, where the form was refused. */
  entered?: Entered | undefined;
  errors?: readonly FieldError[] | undefined;
  /** A sentence on what has just been done. */
  done?: string | undefined;
}

/** The words of the fields of a list. */
export const LIST_WORDS: Words<typeof LIST.fields, 'emails'> = {
  name: { label: 'Name' },
  description: { label: 'Description' },
  emails: { label: 'Addresses' },
};

export const LIST_LABELS = labelsOf(LIST_WORDS);

/** The address of the page of a distribution list, or of a page below it. */
export function listPath(id: string, under = ''): string {
  return `/admin/distribution-lists/${encodeURIComponent(id)}${under && `/${under}`}`;
}

/** The lists of addresses that invitations can go to. */
export function distributionListsPage(props: DistributionListsProps): Html {
  const { lists, entered = {}, errors = [], done, viewer } = props;
  const mayRun = mayDo(props, 'elections:run');
  const body = html`${errorSummary(
    namedErrors(errors, LIST_LABELS),
    (path) => (Object.hasOwn(LIST_LABELS, path) ? path : 'name'),
    'The list was not made yet',
  )}
${done && html`<div role="status">${notice('success', done)}</div>`}
${pageHeader({
  title: 'Distribution lists',
  lede: 'Addresses kept together, to invite them at once.',
  actions: mayRun && html`<a class="button button-quiet" href="/admin/bulk-invites">Invite</a>`,
})}
<div class="columns">
<div>${
    lists.length === 0
      ? empty(
          'No lists yet',
          'A list such as “Full members” saves you pasting the same addresses for every election.',
        )
      : listTable(lists)
  }</div>
${
  mayRun &&
  html`<form class="card" method="post" action="/admin/distribution-lists"><h2>New list</h2>
${recordFields(LIST, LIST_WORDS, { entered, errors })}
<p class="hint">Addresses are added on the next page.</p>
<button class="button">Make the list</button></form>`
}</div>`;
  return officerPage({ title: 'Distribution lists', body, nav: '/admin/distribution-lists', viewer });
}

function listTable(lists: DistributionListsProps['lists']): Html {
  return table({
    caption: counted(lists.length, 'list'),
    columns: [{ label: 'List' }, { label: 'Addresses', number: true }],
    rows: lists.map(({ id, name, description, count: addresses }) => [
      html`<span><a class="list-link" href="${listPath(id)}">${name}</a>${
        description && html`<span class="list-about small soft">${description}</span>`
      }</span>`,
      count(addresses),
    ]),
  });
}
