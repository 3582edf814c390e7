import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatNumber as count, dateInWords, formatDate, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { type Code, type Message, type Params, pageTextOf } from '#kernel/messages/messages.ts';
import { nameKey } from '#kernel/names.ts';
import { ownValue } from '#kernel/own-value.ts';
import type { Field } from '#people/import/columns.ts';
import { hiddenInputs, selectField } from '#views/components/forms.ts';
import { columnSelects, isItThis } from '#views/components/import-columns.ts';
import { notice } from '#views/components/notices.ts';
import { disclosure, pageHeader, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { type PeoplePageProps, peoplePage } from './frame.ts';
import { DATE_ORDERS, IMPORT_CRUMBS } from './import.ts';
import { standingWords } from './roll.ts';

type State = 'new' | 'changed' | 'same' | 'unclear' | 'invalid' | 'missing';

interface Parts {
  name?: string;
  family_name?: string | null;
  called?: string | null;
  number?: string | null;
  note?: string | null;
  addresses?: readonly string[];
  standings?: readonly { kind: string; first_day: string; last_day: string | null }[];
  groups?: readonly string[];
}

interface Question {
  column: string;
  ask: string;
  options: readonly string[];
  likely?: boolean;
  values?: readonly string[];
}

/** A row of the list, with the result of the comparison. */
export interface CheckedRow {
  line: number | null;
  state: State;
  name: string;
  /** Why it is unclear or invalid, or a warning. */
  code?: Code;
  params?: Params;
  problem?: Message;
  unknown_kind?: string;
  candidates?: readonly { id: string; name: string; number: string | null }[];
  before?: Parts;
  after?: Parts;
}

export interface ImportCheckProps extends PeoplePageProps {
  counts: Readonly<Record<State, number>>;
  columns: readonly { header: string; field: string | null }[];
  /** The fields that a column can be read as. */
  fields: readonly string[];
  rows: readonly CheckedRow[];
  check: string;
  /** The input that was compared; the form sends it again. */
  sent: { csv: string; end_missing: string | null; date_order: string | undefined };
  decisions: Readonly<Record<string, string>>;
  /** Headers of columns that are not read, and that the user has not decided on. */
  unread: readonly string[];
  /** What could not be read. */
  questions: readonly Question[];
  /** The kind that was chosen for the people of a list that names none. */
  kind: string | undefined;
  /** Whether no column is recognised as the names, so that nothing could be compared. */
  withoutNames: boolean;
  /** The encoding of an uploaded file. */
  encoding: string | undefined;
  /** Rows that are not taken until a column says what kind of membership they are about. */
  waiting: number;
  /** How many new and changed people have no address, and how many share one. */
  addresses: { none: number; shared: number };
  /** The kinds of membership of the list that the club does not have, and that are not answered. */
  unknown: readonly string[];
  /** The club's kinds of membership. */
  kinds: readonly { id: string; name: string }[];
  /** The id of the kind that is meant by a kind of the list, by its name. */
  meant: Readonly<Record<string, string>>;
  /** What looks wrongly read. */
  warnings: readonly Words[];
  /** Whether the columns are read as in the last import with these headers. */
  recalled: boolean;
  /** Whether the roll has changed since the comparison that the user saw. */
  stale?: boolean | undefined;
}

/** The most rows that are shown of each state; those that need a decision have the highest limit. */
const SHOWN: Record<State, number> = {
  unclear: 500,
  invalid: 200,
  changed: 200,
  missing: 200,
  new: 100,
  same: 0,
};

const HEADINGS: Record<State, Words> = {
  unclear: t('people-admin.import_check.perhaps_same_who_meant'),
  invalid: t('people-admin.import_check.cannot_read_left_out'),
  changed: t('people-admin.import_check.changed'),
  missing: t('people-admin.import_check.roll_but_list'),
  new: t('people-admin.import_check.new'),
  same: t('people-admin.import_check.same'),
};

/** Shows what an import would do, before it is applied. */
export function importCheckPage(props: ImportCheckProps): Html {
  const { counts, rows, check, sent, stale, columns, recalled, encoding, unread, warnings } = props;
  const changes = counts.new + counts.changed + (sent.end_missing === null ? 0 : counts.missing);
  const hidden = {
    check,
    csv: sent.csv,
    end_missing: sent.end_missing,
    encoding: encoding ?? null,
  };
  const apply = actions(props, changes);
  const body = html`${pageHeader({
    title: t('people-admin.import_check.title'),
    lede: summary(props, changes),
    crumbs: [
      ...IMPORT_CRUMBS,
      { href: '/admin/people/import', label: t('people-admin.import_check.import') },
    ],
  })}
${
  stale &&
  html`<div role="alert">${notice(
    'attention',
    t('people-admin.import_check.roll_how_columns_read_changed'),
    t('people-admin.import_check.nothing_changed_yet'),
  )}</div>`
}
${statFigures([
  { label: t('people-admin.import_check.new'), value: count(counts.new) },
  { label: t('people-admin.import_check.changed'), value: count(counts.changed) },
  { label: t('people-admin.import_check.same'), value: count(counts.same) },
  { label: t('people-admin.import_check.perhaps_same'), value: count(counts.unclear) },
  { label: t('people-admin.import_check.cannot_read'), value: count(counts.invalid) },
  { label: t('people-admin.import_check.not_in_list'), value: count(counts.missing) },
])}
<form method="post" action="/admin/people/import" enctype="multipart/form-data">${hiddenInputs(hidden)}
${notRead(props)}
${encoding !== undefined && encoding !== 'UTF-8' && html`<p class="soft">${t('people-admin.import_check.file_read', { encoding })}</p>`}
${
  warnings.length > 0 &&
  notice(
    'attention',
    html`
<ul>${warnings.map(
      (warning) => html`
<li>${warning}.</li>`,
    )}</ul>`,
    props.waiting === 0
      ? t('people-admin.import_check.look_first')
      : t('people-admin.import_check.rows_wait_answer', { waiting: props.waiting }),
  )
}
${askForOrder(props)}${askForKind(props)}${rows.length > 20 && apply}
${unknownKinds(props)}
${
  recalled &&
  notice(
    'info',
    t('people-admin.import_check.list_same_headers_imported_before'),
    t('people-admin.import_check.columns_last_time'),
  )
}
${disclosure(
  t('people-admin.import_check.columns', {
    read: columns.filter(({ field }) => field !== null).length,
    all: columns.length,
  }),
  columnFields(props),
  unread.length > 0 || props.withoutNames || props.waiting > 0,
)}
${(['unclear', 'invalid', 'changed', 'missing', 'new'] as const).map((state) =>
  section(
    state,
    rows.filter((row) => row.state === state),
    props,
  ),
)}
${apply}</form>`;
  return peoplePage(t('people-admin.import_check.title'), body, props);
}

function actions({ counts, check }: ImportCheckProps, changes: number): Html {
  return html`<p class="actions">${
    check !== '' &&
    changes + counts.unclear > 0 &&
    html`<button class="button" name="dry_run" value="false">${counts.unclear > 0 ? t('people-admin.import_check.apply_changes_what_chosen', { changes }) : t('people-admin.import_check.apply_changes', { changes })}</button>`
  }
<button class="button button-quiet" name="dry_run" value="true">${t('people-admin.import_check.compare_again')}</button></p>`;
}

/** Names the columns that are not read, once for the whole list. */
function notRead({ unread, withoutNames, questions }: ImportCheckProps): Html | null {
  const likely = questions
    .filter((question) => question.likely === true)
    .map(({ column, options: [field = ''] }) => isItThis(column, field, MEANINGS[field] ?? words(field)));
  if (withoutNames)
    return notice(
      'attention',
      html`${likely[0]}<p>${t('people-admin.import_check.say_names')}</p>`,
      t('people-admin.import_check.no_names'),
    );
  if (unread.length === 0) return null;
  return notice(
    'attention',
    html`${likely}<p>${t('people-admin.import_check.say_meaning')}</p>`,
    t('people-admin.import_check.not_read', {
      n: unread.length,
      columns: commas(unread.map((header) => t('people-admin.import_check.header', { header }))) ?? '',
    }),
  );
}

const MEANINGS: Record<string, Words> = {
  name: t('people-admin.import_check.the_name'),
  email: t('people-admin.import_check.the_email'),
  kind: t('people-admin.import_check.the_kind'),
  first_day: t('people-admin.import_check.the_first_day'),
  number: t('people-admin.import_check.the_number'),
};

/** Asks once whether the day or the month comes first. */
function askForOrder({ questions }: ImportCheckProps): Html | null {
  const question = questions.find(({ ask }) => ask === 'date_order');
  if (!question) return null;
  return notice(
    'attention',
    html`<p>${t('people-admin.import_check.which_day')}</p><p class="actions"><button class="button button-quiet button-small"
    name="date_order" value="dmy">${formatDate('2026-04-03', DAY_AND_MONTH)}</button><button
    class="button button-quiet button-small" name="date_order" value="mdy">${formatDate('2026-03-04', DAY_AND_MONTH)}</button></p>`,
    t('people-admin.import_check.days_read_two_ways', { column: question.column }),
  );
}

const DAY_AND_MONTH = { day: 'numeric', month: 'long' } as const;

/** Asks once which kind of membership the people have, where no column says so. The answer can be changed. */
function askForKind({ questions, kinds, kind, columns }: ImportCheckProps): Html | null {
  const isAsked = questions.some(({ ask, values }) => ask === 'kind' && values === undefined);
  if (!isAsked && (kind === undefined || columns.some(({ field }) => field === 'kind'))) return null;
  const options = [
    ...(isAsked ? [{ value: '', label: t('people-admin.import_check.choose') }] : []),
    ...kinds.map(({ id, name }) => ({ value: id, label: name })),
    ...Object.entries(OTHER_KINDS).map(([value, label]) => ({ value, label })),
  ];
  const label = t('people-admin.import_check.people_who_membership_yet_get');
  return notice(
    isAsked ? 'attention' : 'info',
    html`${selectField({ name: 'kind', label, options, value: kind ?? '' })}
<p><button class="button ${!isAsked && 'button-quiet'}" name="dry_run" value="true">${t('people-admin.import_check.compare_again')}</button></p>`,
    t('people-admin.import_check.column_says_what_kind_members'),
  );
}

/** The answers that are no kinds of the club. */
const OTHER_KINDS: Record<string, Words> = {
  vote: t('people-admin.import_check.new_kind_member_vote'),
  'no vote': t('people-admin.import_check.new_kind_member_without_vote'),
  none: t('people-admin.import_check.no_membership'),
};

/** The most unknown kinds that are asked about: with more, the column probably holds something else. */
export const ASKED_KINDS = 40;

/** The kinds of membership of the list that the club does not have, each with a select to say what is meant. */
function unknownKinds({ unknown: open, kinds, meant, waiting }: ImportCheckProps): Html | null {
  const named = [...Object.keys(meant), ...open];
  const unknown = [...new Map(named.map((name) => [nameKey(name), name])).values()];
  if (unknown.length === 0) return null;
  const isAsked = unknown.some((name) => !meant[name]);
  const title =
    isAsked && unknown.length <= ASKED_KINDS && waiting > 0
      ? t('people-admin.import_check.unknown_kinds_wait', { waiting })
      : t('people-admin.import_check.unknown_kinds');
  if (unknown.length > ASKED_KINDS)
    return notice(
      'attention',
      html`<p>${t('people-admin.import_check.different_ones_perhaps_column_holds', { unknown: unknown.length })}</p>`,
      title,
    );
  const options = [
    { value: '', label: t('people-admin.import_check.choose_until_left_out') },
    ...kinds.map(({ id, name }) => ({ value: id, label: t('people-admin.import_check.same_as', { name }) })),
    { value: 'vote', label: t('people-admin.import_check.add_vote') },
    { value: 'no vote', label: t('people-admin.import_check.add_without_vote') },
  ];
  return notice(
    isAsked ? 'attention' : 'info',
    html`<p>${t('people-admin.import_check.choose_each_compare_again')}</p>
    ${unknown.map((name, index) =>
      selectField({
        name: `kinds.${name}`,
        id: `kind-${index}`,
        label: name,
        options,
        value: meant[name] ?? '',
      }),
    )}
<p><button class="button ${!isAsked && 'button-quiet'}" name="dry_run" value="true">${t('people-admin.import_check.compare_again')}</button></p>`,
    title,
  );
}

function summary(
  { sent, counts, addresses, withoutNames, waiting }: ImportCheckProps,
  changes: number,
): Words {
  if (withoutNames) return t('people-admin.import_check.nothing_changed');
  if (changes + counts.unclear + counts.invalid + waiting === 0)
    return t('people-admin.import_check.nothing_change');
  const n = counts.missing;
  const missing =
    n > 0 &&
    (sent.end_missing === null
      ? t('people-admin.import_check.missing_continue', { n })
      : t('people-admin.import_check.missing_end', { n, day: dateInWords(sent.end_missing) }));
  const all = [t('people-admin.import_check.nothing_changed'), missing, addressFigures(addresses)];
  return sentences(all)!;
}

/** How many people of the list have no address, and how many share one. */
function addressFigures({ none, shared }: ImportCheckProps['addresses']): Words | undefined {
  if (none > 0 && shared > 0) return t('people-admin.import_check.addresses', { none, shared });
  if (none > 0) return t('people-admin.import_check.without_address', { n: none });
  return shared > 0 ? t('people-admin.import_check.sharing_address', { n: shared }) : undefined;
}

function columnFields({ columns, fields, sent, unread }: ImportCheckProps): Html {
  const known = fields.map((field) => ({ value: field, label: words(field) }));
  return html`${columnSelects({ columns, fields: known, unread })}
${selectField({
  name: 'date_order',
  label: t('people-admin.import_check.date_order'),
  options: DATE_ORDERS,
  value: sent.date_order ?? '',
})}
<p class="hint">${t('people-admin.import_check.after_change_here_compare_again')}</p>`;
}

function section(state: State, rows: readonly CheckedRow[], props: ImportCheckProps): Html | null {
  if (rows.length === 0) return null;
  const shown = rows.slice(0, SHOWN[state]);
  const columns = [
    { label: t('people-admin.import_check.name') },
    ...(state === 'missing' ? [] : [{ label: t('people-admin.import_check.line'), number: true }]),
  ];
  const last = {
    label:
      state === 'unclear' ? t('people-admin.import_check.who_meant') : t('people-admin.import_check.what'),
  };
  return html`<section class="panel"><h2>${HEADINGS[state]} <span class="soft">${count(rows.length)}</span></h2>
${table({
  caption: HEADINGS[state],
  quietCaption: true,
  columns: [...columns, last],
  rows: shown.map((row) => [row.name || '–', ...(state === 'missing' ? [] : [row.line]), what(row, props)]),
})}
${rows.length > shown.length && html`<p class="soft">${t('people-admin.import_check.more', { rows: rows.length - shown.length })}</p>`}</section>`;
}

function what(row: CheckedRow, { decisions }: ImportCheckProps): Child {
  const { line, state, candidates = [] } = row;
  const reason = reasonOf(row);
  if (state === 'unclear') {
    const options = [
      { value: '', label: t('people-admin.import_check.leave_out') },
      ...candidates.map(({ id, name, number }) => ({
        value: id,
        label: number === null ? name : t('people-admin.import_check.candidate', { name, number }),
      })),
      { value: 'new', label: t('people-admin.import_check.new_person') },
    ];
    const name = `decisions.${line}`;
    return selectField({ name, label: reason ?? '', options, value: decisions[String(line)] ?? '' });
  }
  return html`<span>${
    reason !== undefined && html`${reason}${(row.before ?? row.after) && html`<br>`}`
  }${partList(row)}</span>`;
}

function reasonOf({ code, params = {}, problem }: CheckedRow): Words | undefined {
  const about = problem && { problem: pageTextOf(problem) ?? '' };
  return code && pageTextOf({ code, params: { ...params, ...about } });
}

/** The differences, the old value before the new one; all values of a new person. */
function partList({ state, before, after }: CheckedRow): Html[] {
  const parts = Object.keys(after ?? before ?? {}) as (keyof Parts)[];
  const lines = parts.flatMap((part): (Words | null)[] => {
    if (part === 'name' && state !== 'changed') return [];
    const [old, now] = [before && value(before, part), after && value(after, part)];
    const field = words(part);
    if (before && after) {
      if (JSON.stringify(before[part] ?? '') === JSON.stringify(after[part] ?? '')) return [];
      const none = t('people-admin.import_check.none');
      return [t('people-admin.import_check.change', { field, old: old ?? none, now: now ?? none })];
    }
    const only = old ?? now;
    if (state === 'missing' && part === 'standings') return [html`${only}`];
    return only === undefined ? [] : [t('people-admin.import_check.value', { field, value: only })];
  });
  return lines.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`));
}

/** A part of a person in words; undefined for an empty one. */
function value(parts: Parts, part: keyof Parts): Words | string | undefined {
  if (part === 'standings') {
    const standings = parts.standings ?? [];
    return standings.length === 0
      ? undefined
      : html`${standings.map((one, index) => html`${index > 0 && '; '}${standingWords(one)}`)}`;
  }
  if (part === 'addresses') return commas((parts.addresses ?? []).map(displayAddress));
  if (part === 'groups') return commas(parts.groups ?? []);
  return parts[part] || undefined;
}

const WORDS: Readonly<Record<Field | keyof Parts, Words>> = {
  person_id: t('people-admin.import_check.field_id'),
  number: t('people-admin.import_check.field_number'),
  name: t('people-admin.import_check.field_name'),
  first_name: t('people-admin.import_check.field_first_name'),
  last_name: t('people-admin.import_check.field_last_name'),
  family_name: t('people-admin.import_check.field_family_name'),
  called: t('people-admin.import_check.field_called'),
  email: t('people-admin.import_check.field_email'),
  addresses: t('people-admin.import_check.field_addresses'),
  kind: t('people-admin.import_check.field_membership'),
  standings: t('people-admin.import_check.field_membership'),
  first_day: t('people-admin.import_check.field_first_day'),
  last_day: t('people-admin.import_check.field_last_day'),
  groups: t('people-admin.import_check.field_groups'),
  note: t('people-admin.import_check.field_note'),
};

const words = (field: string): Words | string => ownValue(WORDS, field) ?? field;
