import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { type Entered, enteredLines, errorAt, namedErrors } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { recordFields } from '#views/components/record-fields.ts';
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
    | { added: number; skipped: number; invalid: readonly { email: string; reason: string }[] }
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
  done?: string | undefined;
}

const REFUSED = {
  change: 'The list was not changed',
  add: 'No address was added',
  delete: 'The list was not deleted',
} as const;

/** A list with its addresses, and all actions on it. */
export function distributionListPage(props: DistributionListProps): Html {
  const { list, done, ask, report, viewer, problem } = props;
  const mayRun = mayDo(props, 'elections:run');
  const body = html`${summary(problem)}
${done && html`<div role="status">${notice('success', done)}</div>`}
${pageHeader({
  title: list.name,
  eyebrow: counted(list.count, 'address', 'addresses'),
  lede: list.description,
  crumbs: [{ href: '/admin/distribution-lists', label: 'Distribution lists' }],
})}
${mayRun && ask && askPanel(list)}
${report && addedReport(report)}
${
  mayRun &&
  pageSection({
    id: 'add',
    title: 'Add addresses',
    about: 'Addresses that are on the list already are left alone.',
    work: addForm(props),
    screenOnly: true,
  })
}
${pageSection({
  id: 'addresses',
  title: 'Addresses',
  about: 'A removed address keeps the invitations it was sent.',
  work: addresses(props),
})}
${
  mayRun &&
  html`${pageSection({ id: 'change', title: 'Name', work: changeForm(props), screenOnly: true })}
${pageSection({
  id: 'ending',
  title: 'Delete',
  about: 'You see what will be deleted, and confirm it.',
  work: html`<p>Deletes the list with its addresses. Invitations that were sent stay.</p>
  <a class="button button-quiet" href="${listPath(list.id)}?ask=delete#ask">Delete …</a>`,
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
      title: `Delete the list “${name}”?`,
      text: html`This also deletes <strong>${counted(
        addresses,
        'address',
        'addresses',
      )}</strong>. They cannot be brought back. Invitations and ballots stay.`,
      action: `${listPath(id)}?_method=DELETE`,
      button: addresses === 0 ? 'Delete the list' : `Delete ${counted(addresses, 'address', 'addresses')}`,
    }),
    listPath(id),
  );
}

function addedReport({ added, skipped, invalid }: NonNullable<DistributionListProps['report']>): Html {
  const said = `${counted(added, 'address', 'addresses')} added.${
    skipped > 0
      ? ` ${count(skipped)} ${skipped === 1 ? 'was' : 'were'} on the list already or came twice.`
      : ''
  }`;
  if (invalid.length === 0)
    return html`<div role="status">${notice(added > 0 ? 'success' : 'info', said)}</div>`;
  return html`<section aria-labelledby="report-title">
  <div role="status">${notice('attention', said, `${counted(invalid.length, 'row')} could not be added`)}</div>
<h2 class="visually-hidden" id="report-title">What was added</h2>
${table({
  caption: 'Not added',
  columns: [{ label: 'Row' }, { label: 'Why' }],
  rows: invalid.map(({ email, reason }) => [
    html`<span class="address">${displayAddress(email) || '(empty)'}</span>`,
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
  label: 'Addresses',
  hint: 'One on each line, or with commas between them, or a table from a spreadsheet.',
  rows: 5,
  value: enteredLines(entered, 'emails'),
  error: errorAt(errors, 'emails'),
})}${addressFile('emails')}<button class="${props.ask ? 'button button-quiet' : 'button'}">Add</button></form>`;
}

function changeForm(props: DistributionListProps): Html {
  const { list } = props;
  const { errors, entered } = entryOf(props, 'change');
  return html`<form method="post" action="${listPath(list.id)}?_method=PUT">
${recordFields(LIST, LIST_WORDS, { entered: { ...list, ...entered }, errors })}
<button class="button button-quiet">Save</button></form>`;
}

function addresses(props: DistributionListProps): Html {
  const { list, emails, search, found = list.count } = props;
  const asked = Boolean(search);
  const mayRun = mayDo(props, 'elections:run');
  return html`${search !== undefined && list.count > 0 && searchForm(list.id, search)}
${
  emails.length === 0
    ? html`<p>${asked ? 'No address matches.' : 'There are no addresses yet.'}</p>`
    : table({
        caption: asked
          ? `${counted(found, 'address', 'addresses')} with “${search}”`
          : counted(found, 'address', 'addresses'),
        columns: [{ label: 'Address' }, ...(mayRun ? [{ label: 'Remove', quiet: true }] : [])],
        rows: emails.map(({ id, email, name }) => [
          html`${name && html`${name}<br>`}<span class="address">${displayAddress(email)}</span>`,
          ...(mayRun
            ? [
                html`<form method="post" action="${listPath(
                  list.id,
                  `emails/${encodeURIComponent(id)}`,
                )}?_method=DELETE"><button class="button button-text button-small">Remove<span class="visually-hidden"> ${displayAddress(email)}</span></button></form>`,
              ]
            : []),
        ]),
      })
}
${pages(props, found)}`;
}

function searchForm(id: string, search: string): Html {
  return html`<form class="list-search" method="get" action="${listPath(id)}" role="search">
${openField({ name: 'q', label: 'Find an address', value: search })}
<button class="button button-quiet">Find</button>${
    search && html`<a class="button button-quiet" href="${listPath(id)}">Show all</a>`
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
    of: 'addresses',
    previous: page > 1 ? link(page - 1) : undefined,
    next: from + emails.length < found ? link(page + 1) : undefined,
  });
}
