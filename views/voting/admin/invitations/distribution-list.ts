import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { type Entered, enteredLines, errorAt, namedErrors } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { recordFields } from '#views/components/record-fields.ts';
import { hidden, strong } from '#views/components/slots.ts';
import { pageHeader, pagination } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { askSection, mayDo, type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { LIST } from '#voting/invitations/distribution-lists.ts';
import { LIST_LABELS, LIST_WORDS, listPath } from './distribution-lists.ts';
import { addressFile } from './invite-fields.ts';

/** The data of the page of a distribution list, which shows a part of its addresses at a time. */
export interface DistributionListProps extends OfficerProps {
  list: { id: string; name: string; description: string | null; count: number };
  /** The addresses on this page, in order. */
  emails: readonly { id: string; email: string; name?: string | undefined }[];
  /** Counted from 1. */
  page: number;
  pageSize: number;
  /** The text that was searched for. The search field is shown where this is set, also to ''. */
  search?: string | undefined;
  /** How many addresses match the search; all when there is none. */
  found?: number | undefined;
  /** The outcome of adding addresses. */
  report?:
    | { added: number; skipped: number; invalid: readonly { email: string; reason: Words | string }[] }
    | undefined;
  /** Whether the page asks to confirm the deletion. */
  ask?: boolean | undefined;
  /** A refused form, with what was entered. */
  problem?:
    | {
        form: 'change' | 'add' | 'delete';
        message: Words | string;
        errors: readonly FieldError[];
        entered: Entered;
      }
    | undefined;
  /** A sentence on what has just been done. */
  done?: Words | string | undefined;
}

const REFUSED = {
  change: t('voting-admin.distribution_list.list_changed'),
  add: t('voting-admin.distribution_list.address_added'),
  delete: t('voting-admin.distribution_list.list_deleted'),
} as const;

/** A list with its addresses, and all actions on it. */
export function distributionListPage(props: DistributionListProps): Html {
  const { list, done, ask, report, viewer, problem } = props;
  const mayRun = mayDo(props, 'elections:run');
  const body = html`${summary(problem)}
${done && html`<div role="status">${notice('success', done)}</div>`}
${pageHeader({
  title: list.name,
  eyebrow: t('voting-admin.distribution_list.address_count', { addresses: list.count }),
  lede: list.description,
  crumbs: [
    { href: '/admin/distribution-lists', label: t('voting-admin.distribution_list.distribution_lists') },
  ],
})}
${mayRun && ask && askPanel(list)}
${report && addedReport(report)}
${
  mayRun &&
  pageSection({
    id: 'add',
    title: t('voting-admin.distribution_list.add_addresses'),
    about: t('voting-admin.distribution_list.addresses_list_already_left_alone'),
    work: addForm(props),
    screenOnly: true,
  })
}
${pageSection({
  id: 'addresses',
  title: t('voting-admin.distribution_list.addresses'),
  about: t('voting-admin.distribution_list.removed_address_keeps_invitations_sent'),
  work: addresses(props),
})}
${
  mayRun &&
  html`${pageSection({ id: 'change', title: t('voting-admin.distribution_list.name'), work: changeForm(props), screenOnly: true })}
${pageSection({
  id: 'ending',
  title: t('voting-admin.distribution_list.delete'),
  about: t('voting-admin.distribution_list.see_what_deleted_confirm'),
  work: html`<p>${t('voting-admin.distribution_list.deletes_list_addresses_invitations_sent')}</p>
  <a class="button button-quiet" href="${listPath(list.id)}?ask=delete#ask">${t('voting-admin.distribution_list.ask_delete')}</a>`,
  screenOnly: true,
})}`
}`;
  return officerPage({
    title: list.name,
    body,
    nav: '/admin/distribution-lists',
    viewer,
    scripts: ['admin/invitations.js'],
  });
}

function summary(problem: DistributionListProps['problem']): Html | null {
  if (problem === undefined) return null;
  const { form, message, errors } = problem;
  const listed = errors.length > 0 ? namedErrors(errors, LIST_LABELS) : [{ path: '', message }];
  const idOf = (path: string) => {
    const name = path.replace(/\.\d+$/, '');
    return form === 'delete' ? 'ending' : Object.hasOwn(LIST_LABELS, name) ? name : form;
  };
  return errorSummary(listed, idOf, REFUSED[form]);
}

function askPanel({ id, name, count: addresses }: DistributionListProps['list']): Html {
  return askSection(
    confirmPanel({
      title: t('voting-admin.distribution_list.delete_list_question', { name }),
      text: html`${t('voting-admin.distribution_list.also_deletes_addresses_cannot_brought', { strong, addresses })}`,
      action: `${listPath(id)}?_method=DELETE`,
      button:
        addresses === 0
          ? t('voting-admin.distribution_list.delete_list')
          : t('voting-admin.distribution_list.delete_addresses', { addresses }),
    }),
    listPath(id),
  );
}

function addedReport({ added, skipped, invalid }: NonNullable<DistributionListProps['report']>): Html {
  const said =
    skipped > 0
      ? t('voting-admin.distribution_list.addresses_added_list_already_came', { added, skipped })
      : t('voting-admin.distribution_list.addresses_added', { added });
  if (invalid.length === 0)
    return html`<div role="status">${notice(added > 0 ? 'success' : 'info', said)}</div>`;
  return html`<section aria-labelledby="report-title">
  <div role="status">${notice('attention', said, t('voting-admin.distribution_list.rows_added', { invalid: invalid.length }))}</div>
<h2 class="visually-hidden" id="report-title">${t('voting-admin.distribution_list.what_added')}</h2>
${table({
  caption: t('voting-admin.distribution_list.added'),
  columns: [
    { label: t('voting-admin.distribution_list.row') },
    { label: t('voting-admin.distribution_list.why') },
  ],
  rows: invalid.map(({ email, reason }) => [
    html`<span class="address">${displayAddress(email) || t('voting-admin.distribution_list.empty')}</span>`,
    reason,
  ]),
})}</section>`;
}

function entryOf({ problem }: DistributionListProps, form: 'change' | 'add') {
  return problem?.form === form ? problem : { errors: [], entered: {} };
}

function addForm(props: DistributionListProps): Html {
  const { errors, entered } = entryOf(props, 'add');
  return html`<form method="post" action="${listPath(props.list.id, 'emails')}">
${openField({
  name: 'emails',
  label: t('voting-admin.distribution_list.addresses'),
  hint: t('voting-admin.distribution_list.each_line_commas_between_table'),
  rows: 5,
  value: enteredLines(entered, 'emails'),
  error: errorAt(errors, 'emails'),
})}${addressFile('emails')}<button class="${props.ask ? 'button button-quiet' : 'button'}">${t('voting-admin.distribution_list.add')}</button></form>`;
}

function changeForm(props: DistributionListProps): Html {
  const { list } = props;
  const { errors, entered } = entryOf(props, 'change');
  return html`<form method="post" action="${listPath(list.id)}?_method=PUT">
${recordFields(LIST, LIST_WORDS, { entered: { ...list, ...entered }, errors })}
<button class="button button-quiet">${t('voting-admin.distribution_list.save')}</button></form>`;
}

function addresses(props: DistributionListProps): Html {
  const { list, emails, search, found = list.count } = props;
  const asked = Boolean(search);
  const mayRun = mayDo(props, 'elections:run');
  return html`${search !== undefined && list.count > 0 && searchForm(list.id, search)}
${
  emails.length === 0
    ? html`<p>${asked ? t('voting-admin.distribution_list.address_matches') : t('voting-admin.distribution_list.addresses_yet')}</p>`
    : table({
        caption: asked
          ? t('voting-admin.distribution_list.found_with_search', { found, search: search ?? '' })
          : t('voting-admin.distribution_list.found', { found }),
        columns: [
          { label: t('voting-admin.distribution_list.address') },
          ...(mayRun ? [{ label: t('voting-admin.distribution_list.remove'), quiet: true }] : []),
        ],
        rows: emails.map(({ id, email, name }) => [
          html`${name && html`${name}<br>`}<span class="address">${displayAddress(email)}</span>`,
          ...(mayRun
            ? [
                html`<form method="post" action="${listPath(
                  list.id,
                  `emails/${encodeURIComponent(id)}`,
                )}?_method=DELETE"><button class="button button-text button-small">${t('voting-admin.distribution_list.remove_address', { hidden, email: displayAddress(email) })}</button></form>`,
              ]
            : []),
        ]),
      })
}
${pages(props, found)}`;
}

function searchForm(id: string, search: string): Html {
  return html`<form class="list-search" method="get" action="${listPath(id)}" role="search">
${openField({ name: 'q', label: t('voting-admin.distribution_list.find_address'), value: search })}
<button class="button button-quiet">${t('voting-admin.distribution_list.find')}</button>${
    search &&
    html`<a class="button button-quiet" href="${listPath(id)}">${t('voting-admin.distribution_list.show_all')}</a>`
  }</form>`;
}

function pages({ list, emails, page, pageSize, search }: DistributionListProps, found: number): Html | null {
  if (found <= pageSize) return null;
  const from = (page - 1) * pageSize;
  const link = (to: number) => {
    const query = new URLSearchParams({ ...(search && { q: search }), page: String(to) });
    return `${listPath(list.id)}?${query}#addresses`;
  };
  return pagination({
    from: from + 1,
    to: from + emails.length,
    total: found,
    of: (range) => t('voting-admin.distribution_list.pages', range),
    previous: page > 1 ? link(page - 1) : undefined,
    next: from + emails.length < found ? link(page + 1) : undefined,
  });
}
