import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber } from '#kernel/language/times.ts';
import type { Words as Text } from '#kernel/language/words.ts';
import { type Entered, namedErrors } from '#views/components/entered.ts';
import { empty, errorSummary, notice } from '#views/components/notices.ts';
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
  done?: Text | string | undefined;
}

/** The words of the fields of a list. */
export const LIST_WORDS: Words<typeof LIST.fields, 'emails'> = {
  name: { label: t('voting-admin.distribution_lists.name') },
  description: { label: t('voting-admin.distribution_lists.description') },
  emails: { label: t('voting-admin.distribution_lists.addresses') },
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
    t('voting-admin.distribution_lists.list_made_yet'),
  )}
${done && html`<div role="status">${notice('success', done)}</div>`}
${pageHeader({
  title: t('voting-admin.distribution_lists.distribution_lists'),
  lede: t('voting-admin.distribution_lists.addresses_kept_together_invite_once'),
  actions:
    mayRun &&
    html`<a class="button button-quiet" href="/admin/bulk-invites">${t('voting-admin.distribution_lists.invite')}</a>`,
})}
<div class="columns">
<div>${
    lists.length === 0
      ? empty(
          t('voting-admin.distribution_lists.lists_yet'),
          t('voting-admin.distribution_lists.list_such_full_members_saves'),
        )
      : listTable(lists)
  }</div>
${
  mayRun &&
  html`<form class="card" method="post" action="/admin/distribution-lists"><h2>${t('voting-admin.distribution_lists.new_list')}</h2>
${recordFields(LIST, LIST_WORDS, { entered, errors })}
<p class="hint">${t('voting-admin.distribution_lists.addresses_added_next_page')}</p>
<button class="button">${t('voting-admin.distribution_lists.make_list')}</button></form>`
}</div>`;
  return officerPage({
    title: t('voting-admin.distribution_lists.distribution_lists'),
    body,
    nav: '/admin/distribution-lists',
    viewer,
  });
}

function listTable(lists: DistributionListsProps['lists']): Html {
  return table({
    caption: t('voting-admin.distribution_lists.lists', { lists: lists.length }),
    columns: [
      { label: t('voting-admin.distribution_lists.list') },
      { label: t('voting-admin.distribution_lists.addresses'), number: true },
    ],
    rows: lists.map(({ id, name, description, count: addresses }) => [
      html`<span><a class="list-link" href="${listPath(id)}">${name}</a>${
        description && html`<span class="list-about small soft">${description}</span>`
      }</span>`,
      formatNumber(addresses),
    ]),
  });
}
