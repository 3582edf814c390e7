import { ENTRIES_A_PAGE } from '#kernel/access/audit-listing.ts';
import { isoTime } from '#kernel/clock.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { openField } from '#views/components/fields.ts';
import { selectField } from '#views/components/forms.ts';
import { empty } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { pageHeader, pagination, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { adminPath } from '#views/voting/words.ts';
import { actionWords, detailWords } from './audit-words.ts';
import { type OfficerProps, officerPage } from './frame.ts';

/** An entry of the audit log; `when` is its time, already formatted. */
export interface AuditLogRow {
  id: string;
  when: Words | string;
  action: string;
  /** The number of equal entries that it represents. */
  count?: number;
  /** Who did it, in words. */
  who?: Words | string;
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
  zone?: Words | string;
  /** Titles by election id, where known; a deleted election has none. Without it, no entry links to an election. */
  titles?: Readonly<Record<string, { title: string; isPaper?: boolean }>> | undefined;
}

/** The audit log as a page for officers. */
export function auditLogPage({ viewer, ...props }: AuditLogProps & OfficerProps): Html {
  const path = '/admin/audit-logs';
  return officerPage({
    title: t('audit.log.title'),
    body: auditLog(props, path),
    nav: path,
    viewer,
  });
}

/** What was done, when, by whom, and from where. `path` is the address of the page. */
export function auditLog(props: AuditLogProps, path: string): Html {
  const { entries, total, actions, query, titles, zone, shown = entries.length } = props;
  const filtered = query.action !== undefined || query.election_id !== undefined;
  return html`${pageHeader({
    title: t('audit.log.title'),
    lede: t('audit.log.about'),
  })}
${filterForm({ actions, query, titles }, path)}
${
  entries.length === 0
    ? nothing(filtered, query.offset > 0, path)
    : html`${table({
        caption: t('audit.log.entries', { count: total }),
        flows: true,
        columns: [
          { label: t('audit.log.when') },
          { label: t('audit.log.what') },
          { label: t('audit.log.who') },
          { label: t('audit.log.election') },
          { label: t('audit.log.details') },
          { label: t('audit.log.address') },
        ],
        rows: entries.map((entry) => entryCells(entry, titles, query, path)),
      })}${pages(shown, total, query, path)}${zone && zoneNote(zone)}`
}
<div class="panel"><h2>${t('audit.log.chain.title')}</h2>
<p>${t('audit.log.chain.text', { command: html`<code>npm run audit:verify</code>` })}</p></div>`;
}

function filterForm(
  { actions, query, titles = {} }: Pick<AuditLogProps, 'actions' | 'query' | 'titles'>,
  path: string,
): Html {
  const { action = '', election_id = '', limit } = query;
  const known = action === '' || actions.includes(action) ? actions : [action, ...actions];
  const options = [
    { value: '', label: t('audit.log.every_action') },
    ...known.map((name) => ({ value: name, label: actionWords(name) })),
  ];
  const sizes = [...new Set([ENTRIES_A_PAGE, 50, 100, 200, limit])].sort((a, b) => a - b).map(String);
  return html`<form class="card filter filter-log" method="get" action="${path}" role="search"
  aria-label="${t('audit.log.filter')}">
${selectField({ name: 'action', label: t('audit.log.action'), options, value: action })}
${electionFilter(election_id, titles)}
${selectField({
  name: 'fold',
  label: t('audit.log.equal'),
  options: [
    { value: 'on', label: t('audit.log.folded') },
    { value: 'off', label: t('audit.log.one_by_one') },
  ],
  value: query.fold ?? 'on',
})}
${selectField({
  name: 'limit',
  label: t('audit.log.entries_a_page'),
  options: sizes.map((size) => ({ value: size, label: size })),
  value: String(limit),
})}
<div class="filter-go"><button class="button">${t('audit.log.show')}</button>${
    (action || election_id) &&
    html`<a class="button button-quiet" href="${path}">${t('audit.log.show_all')}</a>`
  }</div></form>`;
}

/** A list of the elections where their titles are known, else a field for the id. */
function electionFilter(chosen: string, titles: NonNullable<AuditLogProps['titles']>): Html {
  const known = Object.entries(titles).map(([value, { title: label }]) => ({ value, label }));
  if (known.length === 0)
    return openField({ name: 'election_id', label: t('audit.log.election_id'), value: chosen });
  const gone =
    chosen !== '' && !(chosen in titles)
      ? [{ value: chosen, label: t('audit.log.deleted', { id: chosen }) }]
      : [];
  const options = [{ value: '', label: t('audit.log.every_election') }, ...gone, ...known];
  return selectField({
    name: 'election_id',
    label: t('audit.log.election'),
    options,
    value: chosen,
  });
}

/** Stored in place of an address where the service itself, or somebody at its machine, did it. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['service', 'shell']);

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
      html` <a class="link-alone small" href="${path}?${new URLSearchParams(each).toString()}">${t(
        'audit.log.show_each',
        {
          action: actionWords(action, times),
          hidden,
        },
      )}</a>`
    }`,
    who,
    electionLink(election_id, titles),
    times > 1 ? null : details(metadata),
    ip_address && !NO_ADDRESS.has(ip_address) && html`<span class="mono small">${ip_address}</span>`,
  ];
}

function electionLink(id: string | null, titles: AuditLogProps['titles']): Child {
  if (id === null) return null;
  const end = html`<span class="mono small">…${id.slice(-8)}</span>`;
  if (!titles) return end;
  const named = titles[id];
  return html`<a class="cell-title" href="${adminPath({ id, isPaper: named?.isPaper })}">${named?.title ?? end}</a>`;
}

/** The metadata as readable pairs; text that is not JSON is shown unchanged. */
function details(metadata: string): Child {
  const pairs = pairsOf(metadata);
  if (pairs.length === 0) return null;
  return html`<span class="small" translate="no">${pairs.map(
    ([key, value], index) =>
      html`${index > 0 && '; '}${key && html`<span class="soft">${t('common.label', { label: key })}</span> `}${value}`,
  )}</span>`;
}

type Pair = [key: Words | string, value: Words | string];

function pairsOf(metadata: string): Pair[] {
  try {
    return flatten([], JSON.parse(metadata));
  } catch {
    return metadata === '' ? [] : [['', metadata]];
  }
}

function flatten(path: readonly string[], value: unknown): Pair[] {
  if (value === null || value === undefined || value === '')
    return path.length === 0 ? [] : [[detailWords(path), '–']];
  if (Array.isArray(value)) return [[detailWords(path), listOf(value)]];
  if (typeof value !== 'object') return [[detailWords(path), readable(path.at(-1), value)]];
  // `by` is shown in its own column.
  return Object.entries(value)
    .filter(([inner]) => path.length > 0 || inner !== 'by')
    .flatMap(([inner, content]) => flatten([...path, inner], content));
}

function listOf(values: readonly unknown[]): Words | string {
  if (values.length > 0 && values.every(isCode)) return asCode(values.join(', '));
  const items = values.map((item) => (typeof item === 'object' ? JSON.stringify(item) : readable('', item)));
  return commas(items) ?? '–';
}

/** Whether a value is a code, an id, a hash or the name of a field: the same for every reader. */
const isCode = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:[a-z][\w.:/-]*|[A-Z_]{2,}|[0-9a-f]{32,})$/.test(value);
const asCode = (code: string): Html => html`<span translate="no">${code}</span>`;

/** Yes and no; a timestamp, also one in milliseconds, without its T and milliseconds, and seconds where they are 0. */
function readable(key: string | undefined, value: unknown): Words | string {
  if (typeof value === 'boolean') return value ? t('audit.log.yes') : t('audit.log.no');
  if (isCode(value)) return asCode(String(value));
  const isTime = typeof value === 'number' && /(?:^|_|[a-z](?=[A-Z]))(?:at|until)$/i.test(key ?? '');
  const text = isTime ? isoTime(value) : String(value);
  return text.replace(
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2})?(?:\.\d+)?Z$/,
    (_, day, time, seconds) => `${day} ${time}${seconds === ':00' ? '' : (seconds ?? '')} UTC`,
  );
}

function nothing(filtered: boolean, beyond: boolean, path: string): Html {
  if (beyond)
    return empty(
      t('audit.log.beyond.title'),
      t('audit.log.beyond.text'),
      html`<p><a class="button button-quiet" href="${path}">${t('audit.log.newest')}</a></p>`,
    );
  return filtered
    ? empty(t('audit.log.no_match.title'), t('audit.log.no_match.text'))
    : empty(t('audit.log.empty.title'), t('audit.log.empty.text'));
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
  <p><a class="link-alone" href="${link(0)}">${t('audit.log.newest')}</a></p>`
  }${pagination({
    from: offset + 1,
    to: offset + shown,
    total,
    of: (range) => t('audit.log.pages', range),
    previous: offset > 0 && !folded ? link(Math.max(0, offset - limit)) : undefined,
    next: offset + shown < total ? link(offset + shown) : undefined,
  })}`;
}
