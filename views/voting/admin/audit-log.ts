import { ENTRIES_A_PAGE } from '#kernel/access/audit-listing.ts';
import { isoTime } from '#kernel/clock.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { openField } from '#views/components/fields.ts';
import { selectField } from '#views/components/forms.ts';
import { empty } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { pageHeader, pagination, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { adminPath } from '#views/voting/words.ts';
import { actionWords, detailWords } from './audit-words.ts';
import { type OfficerProps, officerPage } from './frame.ts';

/** An entry of the audit log; `when` is its time, already formatted. */
export interface AuditLogRow {
  id: string;
  when: string;
  action: string;
  /** The number of equal entries that it represents. */
  count?: number;
  /** Who did it, in words. */
  who?: string;
  /** Null once it was erased, or once the entry is 90 days old. */
  ip_address: string | null;
  election_id: string | null;
  /** Serialized JSON. */
  metadata: string;
}

/** The audit log, filtered and in pages. */
export interface AuditLogProps {
  entries: readonly AuditLogRow[];
  /** The number of all matching entries, on every page. */
  total: number;
  /** The actions that occur in the log. */
  actions: readonly string[];
  query: {
    limit: number;
    offset: number;
    action?: string | undefined;
    election_id?: string | undefined;
    fold?: 'on' | 'off';
  };
  /** The number of entries that the rows of this page represent; without it, one each. */
  shown?: number;
  /** The time zone of all times, in words. */
  zone?: string;
  /** Titles by election id, where known; a deleted election has none. Without it, no entry links to an election. */
  titles?: Readonly<Record<string, { title: string; isPaper?: boolean }>> | undefined;
}

/** The audit log as a page for officers. */
export function auditLogPage({ viewer, ...props }: AuditLogProps & OfficerProps): Html {
  const path = '/admin/audit-logs';
  return officerPage({ title: 'Audit log', body: auditLog(props, path), nav: path, viewer });
}

/** What was done, when, by whom, and from where. `path` is the address of the page. */
export function auditLog(props: AuditLogProps, path: string): Html {
  const { entries, total, actions, query, titles, zone, shown = entries.length } = props;
  const filtered = query.action !== undefined || query.election_id !== undefined;
  return html`${pageHeader({
    title: 'Audit log',
    lede:
      'What was done, when, by whom, and from where. Of a vote only the hour is kept. No entry can tell ' +
      'how anyone voted.',
  })}
${filterForm({ actions, query, titles }, path)}
${
  entries.length === 0
    ? nothing(filtered, query.offset > 0, path)
    : html`${table({
        caption: `${counted(total, 'entry', 'entries')}, the newest first`,
        flows: true,
        columns: [
          { label: 'When' },
          { label: 'What' },
          { label: 'Who' },
          { label: 'Election' },
          { label: 'Details' },
          { label: 'Address' },
        ],
        rows: entries.map((entry) => entryCells(entry, titles, query, path)),
      })}${pages(shown, total, query, path)}${zone && zoneNote(zone)}`
}
<div class="panel"><h2>Nothing is changed unseen</h2>
<p>Each entry carries the check number of the one before it, so an entry that was changed or taken out
breaks the chain. Run <code>npm run audit:verify</code> on the server to walk
it; it names the first entry that does not fit.</p></div>`;
}

function filterForm(
  { actions, query, titles = {} }: Pick<AuditLogProps, 'actions' | 'query' | 'titles'>,
  path: string,
): Html {
  const { action = '', election_id = '', limit } = query;
  const known = action === '' || actions.includes(action) ? actions : [action, ...actions];
  const options = [
    { value: '', label: 'Every action' },
    ...known.map((name) => ({ value: name, label: actionWords(name) })),
  ];
  const sizes = [...new Set([ENTRIES_A_PAGE, 50, 100, 200, limit])].sort((a, b) => a - b).map(String);
  return html`<form class="card filter filter-log" method="get" action="${path}" role="search"
  aria-label="Filter the audit log">
${selectField({ name: 'action', label: 'Action', options, value: action })}
${electionFilter(election_id, titles)}
${selectField({
  name: 'fold',
  label: 'Equal entries',
  options: [
    { value: 'on', label: 'Folded' },
    { value: 'off', label: 'One by one' },
  ],
  value: query.fold ?? 'on',
})}
${selectField({
  name: 'limit',
  label: 'Entries a page',
  options: sizes.map((size) => ({ value: size, label: size })),
  value: String(limit),
})}
<div class="filter-go"><button class="button">Show</button>${
    (action || election_id) && html`<a class="button button-quiet" href="${path}">Show all</a>`
  }</div></form>`;
}

/** A list of the elections where their titles are known, else a field for the id. */
function electionFilter(chosen: string, titles: NonNullable<AuditLogProps['titles']>): Html {
  const known = Object.entries(titles).map(([value, { title: label }]) => ({ value, label }));
  if (known.length === 0)
    return openField({ name: 'election_id', label: 'Election (its id)', value: chosen });
  const gone = chosen !== '' && !(chosen in titles) ? [{ value: chosen, label: `Deleted (${chosen})` }] : [];
  const options = [{ value: '', label: 'Every election' }, ...gone, ...known];
  return selectField({ name: 'election_id', label: 'Election', options, value: chosen });
}

function entryCells(
  entry: AuditLogRow,
  titles: AuditLogProps['titles'],
  { limit }: AuditLogProps['query'],
  path: string,
): Child[] {
  const { when, action, count: times = 1, who, election_id, ip_address, metadata } = entry;
  const each = { action, ...(election_id !== null && { election_id }), limit: String(limit), fold: 'off' };
  return [
    html`<span class="cell-when">${when}</span>`,
    html`${actionWords(action, times)}${
      times > 1 &&
      html` <a class="link-alone small" href="${path}?${new URLSearchParams(
        each,
      ).toString()}">Show each<span class="visually-hidden">: ${actionWords(action, times)}</span></a>`
    }`,
    who,
    electionLink(election_id, titles),
    times > 1 ? null : details(metadata),
    ip_address && html`<span class="mono small">${ip_address}</span>`,
  ];
}

function electionLink(id: string | null, titles: AuditLogProps['titles']): Child {
  if (id === null) return null;
  const end = html`<span class="mono small">…${id.slice(-8)}</span>`;
  if (!titles) return end;
  const named = titles[id];
  return html`<a href="${adminPath({ id, isPaper: named?.isPaper })}">${named?.title ?? end}</a>`;
}

/** The metadata as readable pairs; text that is not JSON is shown unchanged. */
function details(metadata: string): Child {
  const pairs = pairsOf(metadata);
  if (pairs.length === 0) return null;
  return html`<span class="small">${pairs.map(
    ([key, value], index) =>
      html`${index > 0 && '; '}${key && html`<span class="soft">${key}:</span> `}${value}`,
  )}</span>`;
}

function pairsOf(metadata: string): [key: string, value: string][] {
  try {
    return flatten('', JSON.parse(metadata));
  } catch {
    return metadata === '' ? [] : [['', metadata]];
  }
}

function flatten(key: string, value: unknown): [string, string][] {
  if (value === null || value === undefined || value === '')
    return key === '' ? [] : [[detailWords(key), '–']];
  if (Array.isArray(value)) return [[detailWords(key), value.map(oneOfList).join(', ') || '–']];
  if (typeof value !== 'object') return [[detailWords(key), readable(key, value)]];
  // `by` is shown in its own column.
  return Object.entries(value)
    .filter(([inner]) => key !== '' || inner !== 'by')
    .flatMap(([inner, content]) =>
      flatten([key, inner.replaceAll('_', ' ')].filter(Boolean).join(' '), content),
    );
}

const oneOfList = (item: unknown): string =>
  typeof item === 'object' ? JSON.stringify(item) : readable('', item as string);

/** Yes and no; a timestamp, also one in milliseconds, without its T and milliseconds, and seconds where they are 0. */
function readable(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const isTime = typeof value === 'number' && /(^|\s)(at|until)$/.test(key);
  const text = isTime ? isoTime(value) : String(value);
  return text.replace(
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2})?(?:\.\d+)?Z$/,
    (_, day, time, seconds) => `${day} ${time}${seconds === ':00' ? '' : (seconds ?? '')} UTC`,
  );
}

function nothing(filtered: boolean, beyond: boolean, path: string): Html {
  if (beyond)
    return empty(
      'No entries on this page',
      'The log is shorter than that.',
      html`<p><a class="button button-quiet" href="${path}">To the newest entries</a></p>`,
    );
  return filtered
    ? empty('No entry matches', 'Try another action or election.')
    : empty('The log is empty', 'Everything officers do here is written down, from the first election on.');
}

function pages(
  shown: number,
  total: number,
  { limit, offset, action, election_id, fold }: AuditLogProps['query'],
  path: string,
): Html {
  const link = (to: number) => {
    const unfolded = fold === 'off' ? fold : undefined;
    const parts = { action, election_id, fold: unfolded, limit: String(limit), offset: String(to) };
    const query = Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1]));
    return `${path}?${new URLSearchParams(query)}`;
  };
  // With folded entries the offset of the previous page is not known.
  const folded = fold === 'on';
  return html`${
    folded &&
    offset > 0 &&
    html`
  <p><a class="link-alone" href="${link(0)}">To the newest entries</a></p>`
  }${pagination({
    from: offset + 1,
    to: offset + shown,
    total,
    of: 'entries',
    previous: offset > 0 && !folded ? link(Math.max(0, offset - limit)) : undefined,
    next: offset + shown < total ? link(offset + shown) : undefined,
  })}`;
}
