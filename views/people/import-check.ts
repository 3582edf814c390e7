import { type Child, type Html, html } from '#kernel/html.ts';
import { dateInWords, formatDate } from '#kernel/local-time.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { nameKey } from '#kernel/names.ts';
import { hiddenInputs, selectField } from '#views/components/forms.ts';
import { columnSelects, isItThis } from '#views/components/import-columns.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { disclosure, pageHeader, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { type PeoplePageProps, peoplePage } from './frame.ts';
import { DATE_ORDERS, IMPORT_CRUMBS } from './import.ts';
import { days } from './roll.ts';

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
  reason?: string;
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
  warnings: readonly string[];
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

const HEADINGS: Record<State, string> = {
  unclear: 'Perhaps the same: who is meant?',
  invalid: 'Cannot be read, and are left out',
  changed: 'Changed',
  missing: 'On the roll, but not in the list',
  new: 'New',
  same: 'The same',
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
    title: 'Check before anything changes',
    lede: summary(props, changes),
    crumbs: [...IMPORT_CRUMBS, { href: '/admin/people/import', label: 'Import' }],
  })}
${
  stale &&
  html`<div role="alert">${notice(
    'attention',
    'The roll, or how the columns are read, has changed since you looked. Check the list again.',
    'Nothing was changed yet',
  )}</div>`
}
${statFigures([
  { label: 'New', value: count(counts.new) },
  { label: 'Changed', value: count(counts.changed) },
  { label: 'The same', value: count(counts.same) },
  { label: 'Perhaps the same', value: count(counts.unclear) },
  { label: 'Cannot be read', value: count(counts.invalid) },
  { label: 'Not in the list', value: count(counts.missing) },
])}
<form method="post" action="/admin/people/import" enctype="multipart/form-data">${hiddenInputs(hidden)}
${notRead(props)}
${encoding !== undefined && encoding !== 'UTF-8' && html`<p class="soft">The file was read as ${encoding}.</p>`}
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
      ? 'Look at this first'
      : `${counted(props.waiting, 'row waits', 'rows wait')} for an answer`,
  )
}
${askForOrder(props)}${askForKind(props)}${rows.length > 20 && apply}
${unknownKinds(props)}
${
  recalled &&
  notice(
    'info',
    'A list with the same headers was imported before. Its columns are read as they were then; see “What ' +
      'the columns hold” to change that.',
    'Columns as last time',
  )
}
${disclosure(
  `What the columns hold (${
    columns.filter(({ field }) => field !== null).length
  } of ${columns.length} are read)`,
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
  return peoplePage('Check before anything changes', body, props);
}

function actions({ counts, check }: ImportCheckProps, changes: number): Html {
  return html`<p class="actions">${
    check !== '' &&
    changes + counts.unclear > 0 &&
    html`<button class="button" name="dry_run" value="false">Apply ${counted(changes, 'change')}${
      counts.unclear > 0 && ' and what was chosen'
    }</button>`
  }
<button class="button button-quiet" name="dry_run" value="true">Compare again</button></p>`;
}

/** Names the columns that are not read, once for the whole list. */
function notRead({ unread, withoutNames, questions }: ImportCheckProps): Html | null {
  const likely = questions
    .filter((question) => question.likely === true)
    .map(({ column, options: [field = ''] }) =>
      isItThis(column, field, MEANINGS[field] ?? words(field).toLowerCase()),
    );
  if (withoutNames)
    return notice(
      'attention',
      html`${likely[0]}<p>Or say under “What the columns hold” which column has the names, and compare again.</p>`,
      'Here no column holds names, as far as we can see',
    );
  if (unread.length === 0) return null;
  const named = unread.map((header) => `“${header}”`).join(', ');
  return notice(
    'attention',
    html`${likely}<p>Or say under “What the columns hold” what is in there, and compare again; or leave it out.</p>`,
    `${named} ${unread.length === 1 ? 'is' : 'are'} not read`,
  );
}

const MEANINGS: Record<string, string> = {
  name: 'the name',
  email: 'the e-mail address',
  kind: 'the kind of membership',
  first_day: 'the first day of the membership',
  number: 'the number of the member',
};

/** Asks once whether the day or the month comes first. */
function askForOrder({ questions }: ImportCheckProps): Html | null {
  const question = questions.find(({ ask }) => ask === 'date_order');
  if (!question) return null;
  return notice(
    'attention',
    html`<p>Which day is 03/04/2026?</p><p class="actions"><button class="button button-quiet button-small"
    name="date_order" value="dmy">${formatDate('2026-04-03', DAY_AND_MONTH)}</button><button
    class="button button-quiet button-small" name="date_order" value="mdy">${formatDate('2026-03-04', DAY_AND_MONTH)}</button></p>`,
    `The days of “${question.column}” can be read in two ways`,
  );
}

const DAY_AND_MONTH = { day: 'numeric', month: 'long' } as const;

/** Asks once which kind of membership the people have, where no column says so. The answer can be changed. */
function askForKind({ questions, kinds, kind, columns }: ImportCheckProps): Html | null {
  const isAsked = questions.some(({ ask, values }) => ask === 'kind' && values === undefined);
  if (!isAsked && (kind === undefined || columns.some(({ field }) => field === 'kind'))) return null;
  const options = [
    ...(isAsked ? [{ value: '', label: 'Choose' }] : []),
    ...kinds.map(({ id, name }) => ({ value: id, label: name })),
    ...Object.entries(OTHER_KINDS).map(([value, label]) => ({ value, label })),
  ];
  const label = 'People who have no membership yet get';
  return notice(
    isAsked ? 'attention' : 'info',
    html`${selectField({ name: 'kind', label, options, value: kind ?? '' })}
<p><button class="button ${!isAsked && 'button-quiet'}" name="dry_run" value="true">Compare again</button></p>`,
    'No column says what kind of members they are',
  );
}

/** The answers that are no kinds of the club. */
const OTHER_KINDS: Record<string, string> = {
  vote: 'A new kind, “Member”, with a vote',
  'no vote': 'A new kind, “Member”, without a vote',
  none: 'No membership',
};

/** The most unknown kinds that are asked about: with more, the column probably holds something else. */
export const ASKED_KINDS = 40;

/** The kinds of membership of the list that the club does not have, each with a select to say what is meant. */
function unknownKinds({ unknown: open, kinds, meant, waiting }: ImportCheckProps): Html | null {
  const named = [...Object.keys(meant), ...open];
  const unknown = [...new Map(named.map((name) => [nameKey(name), name])).values()];
  if (unknown.length === 0) return null;
  const isAsked = unknown.some((name) => !meant[name]);
  const title = `The list has kinds of membership that the club does not have${
    isAsked && unknown.length <= ASKED_KINDS && waiting > 0
      ? `: ${counted(waiting, 'row waits', 'rows wait')}`
      : ''
  }`;
  if (unknown.length > ASKED_KINDS)
    return notice(
      'attention',
      html`<p>${count(unknown.length)} different ones: perhaps the column holds something else. See what the columns
      hold.</p>`,
      title,
    );
  const options = [
    { value: '', label: 'Choose (until then left out)' },
    ...kinds.map(({ id, name }) => ({ value: id, label: `The same as “${name}”` })),
    { value: 'vote', label: 'Add it, with a vote' },
    { value: 'no vote', label: 'Add it, without a vote' },
  ];
  return notice(
    isAsked ? 'attention' : 'info',
    html`<p>Choose for each, and compare again.</p>
    ${unknown.map((name, index) =>
      selectField({
        name: `kinds.${name}`,
        id: `kind-${index}`,
        label: name,
        options,
        value: meant[name] ?? '',
      }),
    )}
<p><button class="button ${!isAsked && 'button-quiet'}" name="dry_run" value="true">Compare again</button></p>`,
    title,
  );
}

function summary(
  { sent, counts, addresses, withoutNames, waiting }: ImportCheckProps,
  changes: number,
): string {
  if (withoutNames) return 'Nothing was changed yet.';
  if (changes + counts.unclear + counts.invalid + waiting === 0) return 'There is nothing to change.';
  const missing =
    counts.missing === 0
      ? ''
      : sent.end_missing === null
        ? ` The membership of ${counted(counts.missing, 'person who is', 'people who are')} not in the list continues.`
        : ` The membership of ${counted(counts.missing, 'person who is', 'people who are')} not in the list ends on ${dateInWords(
            sent.end_missing,
          )}.`;
  return `Nothing was changed yet.${missing}${addressFigures(addresses)}`;
}

/** How many people of the list have no address, and how many share one. */
function addressFigures({ none, shared }: ImportCheckProps['addresses']): string {
  const said = [
    ...(none > 0 ? [`${counted(none, 'person has', 'people have')} no address`] : []),
    ...(shared > 0 ? [`${counted(shared, 'person shares', 'people share')} one`] : []),
  ];
  return said.length === 0 ? '' : ` ${said.join(', ')}.`;
}

function columnFields({ columns, fields, sent, unread }: ImportCheckProps): Html {
  const known = fields.map((field) => ({ value: field, label: words(field) }));
  return html`${columnSelects({ columns, fields: known, unread })}
${selectField({
  name: 'date_order',
  label: 'Date order (1/2/2026)',
  options: DATE_ORDERS,
  value: sent.date_order ?? '',
})}
<p class="hint">After a change here, compare again.</p>`;
}

function section(state: State, rows: readonly CheckedRow[], props: ImportCheckProps): Html | null {
  if (rows.length === 0) return null;
  const shown = rows.slice(0, SHOWN[state]);
  const columns = [{ label: 'Name' }, ...(state === 'missing' ? [] : [{ label: 'Line', number: true }])];
  const last = { label: state === 'unclear' ? 'Who is meant' : 'What' };
  return html`<section class="panel"><h2>${HEADINGS[state]} <span class="soft">${count(rows.length)}</span></h2>
${table({
  caption: HEADINGS[state],
  quietCaption: true,
  columns: [...columns, last],
  rows: shown.map((row) => [row.name || '–', ...(state === 'missing' ? [] : [row.line]), what(row, props)]),
})}
${rows.length > shown.length && html`<p class="soft">And ${count(rows.length - shown.length)} more.</p>`}</section>`;
}

function what(row: CheckedRow, { decisions }: ImportCheckProps): Child {
  const { line, state, reason, candidates = [] } = row;
  if (state === 'unclear') {
    const options = [
      { value: '', label: 'Leave out' },
      ...candidates.map(({ id, name, number }) => ({
        value: id,
        label: `${name}${number === null ? '' : `, number ${number}`}`,
      })),
      { value: 'new', label: 'New person' },
    ];
    const name = `decisions.${line}`;
    return selectField({ name, label: `${reason}`, options, value: decisions[String(line)] ?? '' });
  }
  return html`<span>${
    reason !== undefined && html`${reason}${(row.before ?? row.after) && html`<br>`}`
  }${partList(row)}</span>`;
}

/** The differences, the old value before the new one; all values of a new person. */
function partList({ state, before, after }: CheckedRow): Html[] {
  const parts = Object.keys(after ?? before ?? {}) as (keyof Parts)[];
  const lines = parts.flatMap((part) => {
    if (part === 'name' && state !== 'changed') return [];
    const [old, now] = [before && value(before, part), after && value(after, part)];
    if (old === now || (!old && !now))
      return state === 'missing' && part === 'standings' ? [html`${old}`] : [];
    if (before && after) return [html`${words(part)}: ${old || 'none'} → ${now || 'none'}`];
    return [html`${words(part)}: ${old || now}`];
  });
  return lines.map((line, index) => (index === 0 ? line : html`<br>${line}`));
}

function value(parts: Parts, part: keyof Parts): string {
  if (part === 'standings')
    return (parts.standings ?? []).map((one) => `${one.kind}, ${days(one)}`).join('; ');
  if (part === 'addresses') return (parts.addresses ?? []).map(displayAddress).join(', ');
  if (part === 'groups') return (parts.groups ?? []).join(', ');
  return parts[part] ?? '';
}

const WORDS: Record<string, string> = {
  person_id: 'Id in this program',
  email: 'E-mail',
  kind: 'Membership',
  standings: 'Membership',
};

function words(field: string): string {
  const text = WORDS[field] ?? field.replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
